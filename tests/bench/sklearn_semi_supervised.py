"""LabelSpreading and LabelPropagation of scikit-learn beside gssl.estimators, on the same points.

    PYTHONPATH=build/release/python python3 tests/bench/sklearn_semi_supervised.py [ROWS...] [--only TEXT]
        [--json FILE]

Points: ten Gaussian clouds in 20 columns that overlap, 10 labels each. Times are of fit(), graph
included, the best of three alternating runs (one from 10,000 rows on). --only runs the methods whose
name holds TEXT. rbf is a dense matrix of 8 bytes for each pair of rows, and stops at 10,000 rows; for
gssl it is the same matrix without its diagonal.
"""

import resource
import time
import warnings

import numpy as np
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.semi_supervised import LabelPropagation, LabelSpreading

from gssl.estimators import GraphClassifier, HarmonicClassifier, LocalGlobalClassifier
from harness.script import Script

CLASSES, COLUMNS, GIVEN, GAMMA = 10, 20, 10, 0.1
MOST_DENSE = 10_000


def problem(rows):
    random = np.random.RandomState(1)
    truth = random.randint(CLASSES, size=rows)
    centers = random.normal(size=(CLASSES, COLUMNS)) * 1.3
    X = centers[truth] + random.normal(size=(rows, COLUMNS))
    y = np.full(rows, -1)
    for k in range(CLASSES):
        chosen = np.flatnonzero(truth == k)[:GIVEN]
        y[chosen] = k
    return X, y, truth


class OnKernel:
    """An estimator of gssl on all pairs of rows."""

    def __init__(self, estimator):
        self.estimator = estimator

    def fit(self, X, y):
        kernel = rbf_kernel(X, gamma=GAMMA)
        np.fill_diagonal(kernel, 0.0)
        return self.estimator.fit(kernel, y)


def methods(rows):
    yield "sklearn LabelSpreading knn", lambda: LabelSpreading("knn", n_neighbors=10, max_iter=100)
    yield "gssl LocalGlobal knn", lambda: LocalGlobalClassifier(alpha=0.2, n_neighbors=10,
                                                                weights="unit")
    yield "sklearn LabelPropagation knn", lambda: LabelPropagation("knn", n_neighbors=10,
                                                                   max_iter=1000)
    yield "gssl Harmonic knn", lambda: HarmonicClassifier(n_neighbors=10, weights="unit")
    if rows <= MOST_DENSE:
        yield "sklearn LabelSpreading rbf", lambda: LabelSpreading("rbf", gamma=GAMMA, max_iter=100)
        yield "gssl LocalGlobal rbf", lambda: OnKernel(LocalGlobalClassifier(alpha=0.2,
                                                                             metric="graph"))
        yield "sklearn LabelPropagation rbf", lambda: LabelPropagation("rbf", gamma=GAMMA,
                                                                       max_iter=1000)
        yield "gssl Harmonic rbf", lambda: OnKernel(HarmonicClassifier(metric="graph"))
    yield "gssl auto", lambda: GraphClassifier()


def main():
    bench = Script(__doc__, {name: "" for name, _ in methods(0)})
    bench.parser.add_argument("rows", nargs="*", type=int, default=[1000, 10_000, 100_000])
    options = bench.parse()
    print("rows\tmethod\tseconds\taccuracy\tpeak_GB_so_far")
    for rows in options.rows:
        X, y, truth = problem(rows)
        chosen = [(name, make) for name, make in methods(rows) if name in bench.chosen()]
        best = {name: (np.inf, 0.0) for name, _ in chosen}
        for _ in range(3 if rows < 10_000 else 1):
            for name, make in chosen:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    start = time.perf_counter()
                    made = make().fit(X, y)
                seconds = time.perf_counter() - start
                accuracy = np.mean(made.transduction_[y < 0] == truth[y < 0])
                best[name] = (min(best[name][0], seconds), accuracy)
        for name, (seconds, accuracy) in best.items():
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
            print(f"{rows}\t{name}\t{seconds:.3g}\t{accuracy:.4f}\t{peak:.2f}", flush=True)
            bench.value(name, f"fit, {rows} rows", seconds)
    bench.finish()


if __name__ == "__main__":
    main()
