#!/usr/bin/env python3
"""Nested choice from a grid: gssl evaluate beside scikit-learn's GridSearchCV, n_jobs=2, in one run.

    tests/bench/grid_peer.py GSSL POINTS.csv LABEL_COLUMN     # a table with a header or none, numbers alone

Three outer folds, and in each five inner ones for every point of the grid: an SVM over c and beta, and
kernel ridge over its penalty. Prints seconds of wall and of processor of both, the ratios, and accuracies.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.preprocessing import label_binarize
from sklearn.svm import SVC

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
        subprocess.run([gssl, "evaluate", "--points", points, "--label-column", column, "--folds", "3", "--threads",
                        "2", "--method", spec, "--quiet", "-o", table.name], check=True)
        return float(open(table.name).read().splitlines()[1].split("\t")[3])


class RidgeClassifier(KernelRidge):
    """One column of 0 and 1 for each class; the largest answer wins."""

    def fit(self, rows, classes):
        self.classes_ = numpy.unique(classes)
        return super().fit(rows, label_binarize(classes, classes=self.classes_).astype(float))

    def score(self, rows, classes):
        return float(numpy.mean(self.classes_[self.predict(rows).argmax(1)] == classes))


def peer(model, grid, rows, classes):
    search = GridSearchCV(model, grid, cv=5, n_jobs=2)
    return float(numpy.mean(cross_val_score(search, rows, classes, cv=3)))


def report(name, mine, other):
    print(f"{name}: gssl {mine[0]:.2f} s wall, {mine[1]:.2f} s processor, {100 * mine[2]:.2f} %; "
          f"scikit-learn {other[0]:.2f}, {other[1]:.2f}, {100 * other[2]:.2f} %; "
          f"ratio {mine[0] / other[0]:.2f} wall, {mine[1] / other[1]:.2f} processor")


def main():
    gssl, points, column = sys.argv[1:4]
    os.environ["OMP_WAIT_POLICY"] = "passive"
    table = numpy.loadtxt(points, delimiter=",")
    at = int(column) - 1
    classes, rows = table[:, at].astype(int), numpy.delete(table, at, 1)
    for name, kernels in (("svm", "|".join(f"gaussian(beta={b})" for b in BETAS)),):
        spec = f"{name}:kernel={kernels},c=" + "|".join(map(str, COSTS))
        report(name, timed(lambda: ours(gssl, points, column, spec)),
               timed(lambda: peer(SVC(), {"C": COSTS, "gamma": BETAS}, rows, classes)))
    spec = "kernel-ridge:kernel=gaussian(beta=0.001),lambda=" + "|".join(map(str, PENALTIES))
    report("kernel-ridge", timed(lambda: ours(gssl, points, column, spec)),
           timed(lambda: peer(RidgeClassifier(kernel="rbf", gamma=0.001), {"alpha": PENALTIES}, rows, classes)))


if __name__ == "__main__":
    main()
