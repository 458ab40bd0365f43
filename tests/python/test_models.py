"""Models of tables and online sessions."""

import os
import pickle
import subprocess
import tempfile
import unittest

import numpy as np

import gssl

POINTS, CLASSES, _ = gssl.read_points("datasets/iris/points.csv", label_column="class")


class Models(unittest.TestCase):
    def test_fit_and_predict(self):
        model = gssl.fit(POINTS, CLASSES, "forest", trees=20)
        self.assertGreater(np.mean(model.predict(POINTS) == CLASSES), 0.95)
        self.assertEqual(model.classes.tolist(), ["setosa", "versicolor", "virginica"])
        again = pickle.loads(pickle.dumps(model))
        np.testing.assert_array_equal(again.scores(POINTS)[0], model.scores(POINTS)[0])
        by_function = gssl.learners.fit_forest(POINTS, CLASSES, trees=20)
        np.testing.assert_array_equal(by_function.scores(POINTS)[0], model.scores(POINTS)[0])

    def test_the_command_reads_the_model(self):
        model = gssl.fit(POINTS, CLASSES, "nearest-mean")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "iris.model")
            model.save(path)
            told = subprocess.run(
                [os.environ["GSSL"], "predict", path, "datasets/iris/points.csv", "--label-column",
                 "class"], check=True, capture_output=True).stdout.decode().splitlines()[1:]
            loaded = gssl.load_model(path)
        self.assertEqual([line.split("\t")[1] for line in told], model.predict(POINTS).tolist())
        self.assertEqual(loaded.predict(POINTS).tolist(), model.predict(POINTS).tolist())

    def test_values(self):
        y = POINTS @ np.array([1.0, 2.0, 0.0, -1.0]) + 3.0
        model = gssl.fit(POINTS, y, "least-squares", regression=True)
        np.testing.assert_allclose(model.predict(POINTS), y, rtol=1e-6)

    def test_wrong(self):
        for wrong in (lambda: gssl.fit(POINTS, CLASSES[:5]), lambda: gssl.fit(POINTS[0], CLASSES),
                      lambda: gssl.fit(POINTS * np.nan, CLASSES),
                      lambda: gssl.fit(POINTS, CLASSES, "harmonic"),
                      lambda: gssl.fit(POINTS, CLASSES, "tree").predict(POINTS[:, :2])):
            with self.assertRaises(gssl.Error):
                wrong()

    def test_rows_of_floats_and_sparse_rows(self):
        whole = gssl.fit(POINTS, CLASSES, "k-nearest").predict(POINTS.astype(np.float32))
        self.assertGreater(np.mean(whole == CLASSES), 0.95)
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            self.skipTest("SciPy is not there")
        model = gssl.fit(csr_matrix(POINTS), CLASSES, "logistic")
        self.assertGreater(np.mean(model.predict(csr_matrix(POINTS)) == CLASSES), 0.9)


class OnlineSessions(unittest.TestCase):
    def test_trial_by_trial_is_as_a_run(self):
        x, y = np.array([[1.0, 1], [0, 1], [1, 0], [1, 1]] * 5), np.array([1, 0, 0, 1] * 5)
        slow = gssl.Online("perceptron", classes=[0, 1], width=2)
        guesses = []
        for row, outcome in zip(x, y):
            guesses.append(slow.predict(row))
            slow.update(outcome)
        fast = gssl.Online("perceptron", classes=[0, 1], width=2)
        predictions, losses = fast.run(x, y)
        self.assertEqual(predictions.tolist(), guesses)
        self.assertEqual(losses.sum(), slow.report["mistakes"])
        self.assertEqual(fast.report, slow.report)

    def test_vertices_and_pickle(self):
        graph = gssl.Graph([(a, a + 1) for a in range(9)])
        online = gssl.Online("seminorm", classes=["a", "b"], graph=graph)
        online.run([0, 9, 1], ["a", "b", "a"])
        again = pickle.loads(pickle.dumps(online))
        for session in (online, again):
            session.run([8, 2], ["b", "a"])
        self.assertEqual(again.report, online.report)
        self.assertEqual(online.predict(7), "b")

    def test_experts_and_losses(self):
        hedge = gssl.learners.online_hedge(width=3)
        for _ in range(50):
            hedge.predict()
            hedge.update([0.0, 1.0, 1.0])
        report = hedge.report
        self.assertEqual(report["trials"], 50)
        self.assertLess(report["loss"], report["bound"])
        with self.assertRaises(gssl.Error):
            gssl.Online("forest")


if __name__ == "__main__":
    unittest.main()
