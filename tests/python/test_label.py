"""Labels of a graph: as the command has them, in the types of Python."""

import json
import os
import pickle
import subprocess
import tempfile
import unittest
import warnings

import numpy as np

import gssl

EDGES, LABELS, TRUTH = (f"datasets/digits/{name}.tsv" for name in ("edges", "labels", "truth"))
PATH = gssl.Graph((np.array([0, 1, 2]), np.array([1, 2, 3])), weights=[1.0, 2.0, 4.0])


def command(*arguments):
    """What the command writes to its output."""
    return subprocess.run([os.environ["GSSL"], *arguments], check=True, capture_output=True).stdout


def written(result, **how):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "labels")
        result.write(path, **how)
        with open(path, "rb") as file:
            return file.read()


class AsTheCommand(unittest.TestCase):
    def test_digits_give_the_bytes_of_the_command(self):
        graph = gssl.Graph(EDGES)
        for method in ("auto", "harmonic:mass=cmn", "poisson", "min-cut"):
            result = gssl.label(graph, LABELS, method)
            self.assertEqual(written(result), command("label", EDGES, LABELS, "--method", method))
        csv = command("label", EDGES, LABELS, "--format", "csv")
        self.assertEqual(written(gssl.label(graph, LABELS), format="csv"), csv)

    def test_scores_give_the_bytes_of_the_command(self):
        with tempfile.NamedTemporaryFile() as file:
            command("label", EDGES, LABELS, "--scores", file.name)
            with open(file.name, "rb") as scores:
                self.assertEqual(written(gssl.label(EDGES, LABELS), scores=True), scores.read())

    def test_iris_from_points_gives_the_bytes_of_the_command(self):
        points, _, _ = gssl.read_points("datasets/iris/points.csv", label_column="class")
        with open("datasets/iris/labels.tsv", encoding="utf-8") as file:
            given = [line.split("\t") for line in file.read().splitlines()]
        given = {int(row): label for row, label in given if row.isdigit()}
        result = gssl.label_points(points, given, knn=10, mst=True)
        self.assertEqual(written(result), command(
            "label", "--points", "datasets/iris/points.csv", "--label-column", "class", "--knn",
            "10", "--mst", "datasets/iris/labels.tsv"))

    def test_columns_of_a_table_give_the_bytes_of_the_command(self):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
            file.write("page,node,kind\nx,0,a\ny,3,b\n")
            file.flush()
            with tempfile.NamedTemporaryFile("w") as edges:
                edges.write("0 1 1\n1 2 2\n2 3 4\n")
                edges.flush()
                result = gssl.label(edges.name, file.name, label_columns=(2, 3))
                self.assertEqual(written(result), command("label", edges.name, file.name,
                                                          "--label-columns", "2,3"))
            with self.assertRaisesRegex(gssl.Error, "label_columns="):
                gssl.label(PATH, file.name)
            for wrong in ((0, 1), (2, 2)):
                with self.assertRaisesRegex(gssl.Error, "label_columns: must be two columns"):
                    gssl.label(PATH, file.name, label_columns=wrong)

    def test_learners_say_the_same_in_both(self):
        told = json.loads(command("help", "--format", "json"))["learners"]
        self.assertEqual(told, json.loads(gssl._gssl.learners()))


class Types(unittest.TestCase):
    def test_classes_keep_their_type(self):
        by_name = gssl.label(PATH, {0: "x", 3: "y"}, "harmonic")
        self.assertEqual(by_name.labels.tolist(), ["x", "y", "y", "y"])
        numbers = gssl.label(PATH, [7, -1, -1, 3], "harmonic")
        self.assertEqual(numbers.classes.tolist(), [3, 7])
        self.assertEqual(numbers.labels.tolist(), [7, 3, 3, 3])
        self.assertEqual(numbers.labels.dtype.kind, "i")
        truth = gssl.label(PATH, {0: True, 3: False}, "harmonic")
        self.assertEqual(truth.labels.tolist(), [True, False, False, False])

    def test_what_says_no_label(self):
        for labels in ([7, None, None, 3], [7.0, np.nan, np.nan, 3.0], np.array([7, -1, -1, 3]),
                       np.ma.masked_values([7, 99, 99, 3], 99), {0: 7, 1: None, 3: 3}):
            self.assertEqual(gssl.label(PATH, labels).labels.tolist(), [7, 3, 3, 3])
        minus = gssl.label(PATH, np.array([-1, -1, 1, 1]), unlabeled=None)
        self.assertEqual(minus.classes.tolist(), [-1, 1])

    def test_scores_are_as_computed_by_hand(self):
        result = gssl.label(PATH, {0: "b", 3: "a"}, "harmonic")
        np.testing.assert_allclose(result.scores[:, 0], [0, 4 / 7, 6 / 7, 1], rtol=1e-12)
        self.assertEqual(result.status.tolist(), ["given", "inferred", "inferred", "given"])
        self.assertFalse(result.scores.flags.writeable)
        self.assertEqual(result.report["solver"]["outcome"], "converged")
        with self.assertRaises(AttributeError):
            result.report = {}

    def test_values(self):
        result = gssl.label(PATH, {0: 0.0, 3: 7.0}, "harmonic", regression=True)
        np.testing.assert_allclose(result.labels, [0, 4, 6, 7], rtol=1e-12)

    def test_unreached_is_never_a_class(self):
        apart = gssl.Graph([(0, 1), (2, 3)])
        self.assertEqual(gssl.label(apart, {0: 5}).labels.tolist(), [5, 5, -1, -1])
        self.assertEqual(gssl.label(apart, {0: "a"}).labels.tolist(), ["a", "a", None, None])
        self.assertEqual(gssl.label(apart, {0: "a"}).status.tolist()[2:], ["unreached"] * 2)
        values = gssl.label(apart, {0: 1.5}, "harmonic", regression=True).labels
        self.assertTrue(np.isnan(values[2]) and values[1] == 1.5)

    def test_options_are_keywords(self):
        soft = gssl.label(PATH, {0: "b", 3: "a"}, "harmonic", soft=10, max_iterations=50)
        self.assertEqual(soft.method, gssl.label(PATH, {0: "b", 3: "a"},
                                                 "harmonic:soft=10,max_iterations=50").method)
        by_function = gssl.learners.harmonic(PATH, {0: "b", 3: "a"}, soft=10.0, max_iterations=50)
        self.assertEqual(by_function.method, soft.method)
        np.testing.assert_array_equal(by_function.scores, soft.scores)
        shares = gssl.label(PATH, {0: "b", 3: "a"}, "harmonic", mass="shares",
                            priors={"a": 0.5, "b": 0.5})
        self.assertEqual(shares.labels.tolist().count("a"), 2)
        met = gssl.label(PATH, {0: "b", 3: "a"}, "harmonic", priors=[1, 1])
        self.assertEqual(met.method, shares.method)
        with self.assertRaisesRegex(gssl.Error, "a share for each class"):
            gssl.label(PATH, {0: "b", 3: "a"}, "harmonic", priors=[])
        with self.assertRaisesRegex(gssl.Error, "takes no class priors"):
            gssl.label(PATH, {0: "b", 3: "a"}, "nearest-label", priors=[1, 1])

    def test_a_tie_is_held_to_min_confidence(self):
        path = gssl.Graph((np.array([0, 1, 2, 3]), np.array([1, 2, 3, 4])))
        result = gssl.label(path, {0: "a", 4: "b"}, method="harmonic")
        self.assertEqual(str(result.status[2]), "tied")
        result = gssl.label(path, {0: "a", 4: "b"}, method="harmonic", min_confidence=0.6)
        self.assertEqual(str(result.status[2]), "uncertain")

    def test_pickle(self):
        result = gssl.label(PATH, {0: "b", 3: "a"}, min_confidence=0.8)
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(again.labels.tolist(), result.labels.tolist())
        np.testing.assert_array_equal(again.scores, result.scores)
        self.assertEqual(written(again), written(result))


class Wrong(unittest.TestCase):
    def test_errors_have_codes(self):
        cases = [(lambda: gssl.label(PATH, {9: "a"}), "bad_data"),
                 (lambda: gssl.label(PATH, [1, 2]), "bad_data"),
                 (lambda: gssl.label(PATH, [-1, -1, -1, -1]), "bad_data"),
                 (lambda: gssl.label(PATH, {0: "a"}, "harmonik"), "usage"),
                 (lambda: gssl.label(PATH, {0: "a"}, "harmonic", sofd=3), "usage"),
                 (lambda: gssl.label(PATH, {0: "a"}, "harmonic", soft=-3), "usage"),
                 (lambda: gssl.label(PATH, {0: "a"}, "tree"), "usage"),
                 (lambda: gssl.label(PATH, {0: "a"}, time_limit=-1), "usage"),
                 (lambda: gssl.label(PATH, "no such file"), "cannot_open"),
                 (lambda: gssl.label(PATH, {0: "a"}).write("/no/such/folder/x"), "cannot_create")]
        for call, code in cases:
            with self.assertRaises(gssl.Error) as raised:
                call()
            self.assertEqual(raised.exception.code, code, raised.exception)
        with self.assertRaisesRegex(gssl.Error, "did you mean soft"):
            gssl.label(PATH, {0: "a"}, "harmonic", sofd=3)

    def test_unfinished_work_warns(self):
        graph = gssl.Graph(EDGES)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            result = gssl.label(graph, LABELS, "harmonic:solver=cg", max_iterations=2)
        self.assertTrue(any(one.category is gssl.ConvergenceWarning for one in told))
        self.assertEqual(result.report["outcome"], "incomplete")


class WhyAndWhich(unittest.TestCase):
    def test_explain(self):
        (one,) = gssl.explain(PATH, {0: "b", 3: "a"}, [1])
        self.assertEqual((one.vertex, one.status, one.labels), (1, "inferred", [3, 0]))
        np.testing.assert_allclose(one.shares, [4 / 7, 3 / 7], rtol=1e-12)

    def test_suspects_are_those_of_the_command(self):
        graph = gssl.Graph("datasets/iris/edges.tsv")
        found = gssl.suspects(graph, "datasets/iris/labels.tsv", top=3)
        told = command("explain", "datasets/iris/edges.tsv", "datasets/iris/labels.tsv",
                       "--suspects", "--top", "3").decode().splitlines()[1:]
        self.assertEqual([one.vertex for one in found], [line.split("\t")[1] for line in told])

    def test_questions_are_those_of_the_command(self):
        graph = gssl.Graph(EDGES)
        told = command("ask", EDGES, LABELS, "-n", "4").decode().splitlines()[1:]
        self.assertEqual([one.vertex for one in gssl.ask(graph, LABELS, 4)],
                         [line.split("\t")[1] for line in told])
        self.assertEqual(len(gssl.ask(PATH, {}, 2, criterion="v-opt")), 2)


if __name__ == "__main__":
    unittest.main()
