"""Learners compared: the document that the command writes, as a dict."""

import json
import os
import subprocess
import tempfile
import unittest

import numpy as np

import gssl

EDGES, TRUTH = "datasets/digits/edges.tsv", "datasets/digits/truth.tsv"
IRIS = "datasets/iris/points.csv"
EDGES_OF_IRIS, TRUTH_OF_IRIS = "datasets/iris/edges.tsv", "datasets/iris/truth.tsv"
POINTS, CLASSES, _ = gssl.read_points(IRIS, label_column="class")


def of_the_command(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "results.json")
        subprocess.run([os.environ["GSSL"], "evaluate", *arguments, "--results", path, "--quiet"],
                       check=True, capture_output=True)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def without_time(document):
    """What depends neither on the clock nor on memory, nor on where the data came from."""
    if isinstance(document, dict):
        return {key: without_time(value) for key, value in document.items()
                if key not in ("seconds", "shared_seconds", "memory", "data")}
    return [without_time(one) for one in document] if isinstance(document, list) else document


class AsTheCommand(unittest.TestCase):
    def check(self, ours, *arguments):
        self.assertEqual(without_time(ours), without_time(of_the_command(*arguments)))

    def test_label_rates_on_a_graph(self):
        ours = gssl.evaluate(EDGES, TRUTH, ["harmonic", "poisson"], labels_per_class=[1, 5],
                             repeats=5)
        self.check(ours, EDGES, TRUTH, "--method", "harmonic", "--method", "poisson",
                   "--labels-per-class", "1,5", "--repeats", "5")
        self.assertEqual([one["group"] for one in ours["comparisons"]], ["1", "1", "5", "5"])
        self.assertEqual(len(ours["trials"]), 20)

    def test_folds_of_points_and_of_their_graph(self):
        built = gssl.build(POINTS, knn=10)
        ours = gssl.evaluate(built, CLASSES, ["nearest-mean", "harmonic:soft=1|10"], folds=5, seed=7)
        self.check(ours, "--points", IRIS, "--label-column", "class", "--knn", "10", "--method",
                   "nearest-mean", "--method", "harmonic:soft=1|10", "--folds", "5", "--seed", "7")

    def test_shares_of_points_alone(self):
        ours = gssl.evaluate(None, CLASSES, "nearest-mean", points=POINTS, train=0.6, test=0.4)
        self.check(ours, "--points", IRIS, "--label-column", "class", "--method", "nearest-mean",
                   "--train", "0.6", "--test", "0.4")

    def test_what_rows_are_turned_into(self):
        ours = gssl.evaluate(None, CLASSES, "svm:c=1|10", points=POINTS, folds=4, standardize=True,
                             class_weight="balanced", calibrate="platt", calibration_folds=3)
        self.check(ours, "--points", IRIS, "--label-column", "class", "--method", "svm:c=1|10",
                   "--folds", "4", "--standardize", "--class-weight", "balanced", "--calibrate",
                   "platt", "--calibration-folds", "3")
        self.assertLess(ours["comparisons"][0]["ece"], 0.2)
        ones = gssl.evaluate(None, CLASSES, "logistic", points=POINTS, folds=4,
                             sample_weight=np.ones(len(POINTS)))
        plain = gssl.evaluate(None, CLASSES, "logistic", points=POINTS, folds=4)
        self.assertEqual(without_time(ones), without_time(plain))
        with self.assertRaisesRegex(gssl.Error, "149 weights of 150 rows"):
            gssl.evaluate(None, CLASSES, "logistic", points=POINTS, sample_weight=np.ones(149))
        with self.assertRaisesRegex(gssl.Error, "there are none"):
            gssl.evaluate(EDGES, TRUTH, "harmonic", standardize=True)

    def test_splits_with_and_without_what_is_measured(self):
        splits = [([3, 60, 140], [10, 55, 77, 120]), [0, 1, 52, 53, 148]]
        ours = gssl.evaluate(EDGES_OF_IRIS, TRUTH_OF_IRIS, "harmonic", splits=splits)
        self.assertEqual([one["test"] for one in ours["trials"]], [4, 145])
        rows = gssl.evaluate(None, CLASSES, "nearest-mean", points=POINTS, splits=splits)
        self.assertEqual([one["test"] for one in rows["trials"]], [4, 145])
        names = gssl.evaluate(EDGES_OF_IRIS, TRUTH_OF_IRIS, "harmonic", splits=[("0", "60", "140")])
        self.assertEqual(names["trials"][0]["test"], 147)
        with self.assertRaisesRegex(gssl.Error, "learned from and measured"):
            gssl.evaluate(None, CLASSES, "nearest-mean", points=POINTS, splits=[([0, 60], [60])])

    def test_a_choice_of_graphs(self):
        graphs = {f"knn={k},weights=gaussian": gssl.build(POINTS, knn=k).graph for k in (5, 10)}
        ours = gssl.evaluate(graphs["knn=5,weights=gaussian"], CLASSES, "harmonic", points=POINTS,
                             graphs=graphs, folds=3)
        self.check(ours, "--points", IRIS, "--label-column", "class", "--knn-grid", "5,10",
                   "--method", "harmonic", "--folds", "3")

    def test_the_report_page_is_made_of_it(self):
        with tempfile.TemporaryDirectory() as folder:
            results, page = os.path.join(folder, "r.json"), os.path.join(folder, "r.html")
            with open(results, "w", encoding="utf-8") as file:
                json.dump(gssl.evaluate(None, CLASSES, "nearest-mean", points=POINTS, folds=3), file)
            subprocess.run([os.environ["GSSL"], "report", results, "-o", page], check=True,
                           capture_output=True)
            with open(page, encoding="utf-8") as file:
                self.assertIn("nearest-mean", file.read())


class Alone(unittest.TestCase):
    PATH = gssl.Graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")])
    KNOWN = {"e": "y", "a": "x", "b": "x", "d": "y"}

    def test_splits_are_names(self):
        found = gssl.evaluate(self.PATH, self.KNOWN, "harmonic", splits=[["a", "e"], ["b", "e"]])
        self.assertEqual([one["accuracy"] for one in found["trials"]], [1.0, 1.0])
        self.assertEqual([one["test"] for one in found["trials"]], [2, 2])
        for wrong in ([["c"]], [["a", "b", "d", "e"]], [[]], []):
            with self.assertRaises(gssl.Error) as raised:
                gssl.evaluate(self.PATH, self.KNOWN, "harmonic", splits=wrong)
            self.assertEqual(raised.exception.code, "bad_data")

    def test_values(self):
        line = gssl.Graph([(i, i + 1) for i in range(30)])
        found = gssl.evaluate(line, np.arange(31.0), "harmonic", regression=True, folds=5)
        self.assertEqual(found["measure"], "rmse")
        self.assertLess(found["comparisons"][0]["mean"], 1.0)

    def test_what_is_wrong_is_said(self):
        cases = [dict(folds=2, leave_one_out=True), dict(methods="harmonik", folds=2), dict(folds=9),
                 dict(regression=True, labels_per_class=1, truth=[1.0, 2, 3, 4, 5]),
                 dict(graph=None)]
        for case in cases:
            asked = {"graph": self.PATH, "truth": self.KNOWN, "methods": "harmonic", **case}
            with self.assertRaises(gssl.Error) as raised:
                gssl.evaluate(**asked)
            self.assertEqual(raised.exception.code, "usage", case)

    def test_a_stopped_evaluation_warns_and_has_what_there_is(self):
        with self.assertWarns(gssl.ConvergenceWarning):
            found = gssl.evaluate(EDGES, TRUTH, "harmonic", labels_per_class=1, repeats=2000,
                                  time_limit=0.2)
        self.assertFalse(found["complete"])
        self.assertLess(len(found["trials"]), 2000)


if __name__ == "__main__":
    unittest.main()
