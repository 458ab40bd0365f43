#!/usr/bin/env python3
"""Nested choice from a grid: gssl evaluate beside scikit-learn's GridSearchCV, n_jobs=2, in one run.

    tests/bench/grid_peer.py GSSL [POINTS.csv LABEL_COLUMN] [--parts svm,kernel-ridge,ridge]
        [--only TEXT] [--json FILE]

POINTS: numbers alone, without a header; without it scikit-learn's 1,797 digits.

Three outer folds, and in each five inner ones for every point of the grid: an SVM over c and beta, and
kernel ridge over its penalty (and with --parts ridge: the same of ridge). Prints seconds of wall and of processor of
both, the ratios, and accuracies.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy

from harness.script import Script

BETAS, COSTS, PENALTIES = [0.0003, 0.001, 0.003], [1, 10], [0.01, 0.1, 1, 10]


def processor():
    use = resource.getrusage(resource.RUSAGE_CHILDREN), resource.getrusage(resource.RUSAGE_SELF)
    return sum(u.ru_utime + u.ru_stime for u in use)


def timed(work):
    wall, cpu = time.perf_counter(), processor()
    found = work()
    return time.perf_counter() - wall, processor() - cpu, found


def ours(gssl, points, column, spec):
    with tempfile.NamedTemporaryFile() as table:
        subprocess.run([gssl, "evaluate", "--points", points, "--label-column", str(column), "--folds", "3", "--threads",
                        "2", "--method", spec, "--quiet", "-o", table.name], check=True)
        return float(open(table.name).read().splitlines()[1].split("\t")[3])


def kernel_ridge(**options):
    from sklearn.kernel_ridge import KernelRidge
    from sklearn.preprocessing import label_binarize

    class RidgeClassifier(KernelRidge):
        """One column of 0 and 1 for each class; the largest answer wins."""

        def fit(self, rows, classes):
            self.classes_ = numpy.unique(classes)
            return super().fit(rows, label_binarize(classes, classes=self.classes_).astype(float))

        def score(self, rows, classes):
            return float(numpy.mean(self.classes_[self.predict(rows).argmax(1)] == classes))

    return RidgeClassifier(**options)


def peer(model, grid, rows, classes):
    from sklearn.model_selection import GridSearchCV, cross_val_score

    search = GridSearchCV(model, grid, cv=5, n_jobs=2)
    return float(numpy.mean(cross_val_score(search, rows, classes, cv=3)))


def report(bench, name, mine, other):
    bench.beside(name, "evaluate, wall", "scikit-learn", mine[0], other[0])
    print(f"{name}: gssl {mine[0]:.2f} s wall, {mine[1]:.2f} s processor, {100 * mine[2]:.2f} %; "
          f"scikit-learn {other[0]:.2f}, {other[1]:.2f}, {100 * other[2]:.2f} %; "
          f"ratio {mine[0] / other[0]:.2f} wall, {mine[1] / other[1]:.2f} processor")


def digits_table(folder):
    from sklearn.datasets import load_digits

    path = os.path.join(folder, "digits.csv")
    numpy.savetxt(path, numpy.column_stack(load_digits(return_X_y=True)), delimiter=",", fmt="%d")
    return path, 65


def main():
    bench = Script(__doc__, {"svm": "over c and beta", "kernel-ridge": "over its penalty",
                             "ridge": "over its penalty, with --parts"})
    bench.parser.add_argument("gssl")
    bench.parser.add_argument("points", nargs="?", metavar="POINTS.csv")
    bench.parser.add_argument("column", nargs="?", type=int, metavar="LABEL_COLUMN")
    bench.parser.add_argument("--parts", default="svm,kernel-ridge", help="by commas")
    options = bench.parse()
    if bench.has("scikit-learn", "sklearn"):
        with tempfile.TemporaryDirectory() as folder:
            points, column = (options.points, options.column) if options.points else digits_table(folder)
            race(bench, options.gssl, points, column, options.parts.split(","))
    bench.finish()


def race(bench, gssl, points, column, parts):
    from sklearn.linear_model import RidgeClassifier as LinearRidge
    from sklearn.svm import SVC

    os.environ["OMP_WAIT_POLICY"] = "passive"
    table = numpy.loadtxt(points, delimiter=",")
    at = column - 1
    classes, rows = table[:, at].astype(int), numpy.delete(table, at, 1)
    kernels, costs = "|".join(f"gaussian(beta={b})" for b in BETAS), "|".join(map(str, COSTS))
    penalties = "|".join(map(str, PENALTIES))
    jobs = {"svm": (f"svm:kernel={kernels},c={costs}", SVC(), {"C": COSTS, "gamma": BETAS}),
            "kernel-ridge": (f"kernel-ridge:kernel=gaussian(beta=0.001),lambda={penalties}",
                             kernel_ridge(kernel="rbf", gamma=0.001), {"alpha": PENALTIES}),
            "ridge": (f"ridge:lambda={penalties}", LinearRidge(), {"alpha": PENALTIES})}
    for part in (part for part in parts if part in bench.chosen()):
        spec, model, grid = jobs[part]
        report(bench, part, timed(lambda: ours(gssl, points, column, spec)),
               timed(lambda: peer(model, grid, rows, classes)))


if __name__ == "__main__":
    main()
