"""LabelSpreading and LabelPropagation of scikit-learn beside gssl.estimators, on the same points.

    PYTHONPATH=build/release/python python3 tests/bench/sklearn_semi_supervised.py [ROWS...]

Points: ten Gaussian clouds in 20 columns that overlap, 10 labels each. Times are of fit(), graph
included, the best of three alternating runs (one from 10,000 rows on). rbf is a dense matrix, so it
stops at 2,000 rows.
"""

import resource
import sys
import time
import warnings

import numpy as np
from sklearn.semi_supervised import LabelPropagation, LabelSpreading

from gssl.estimators import GraphClassifier, HarmonicClassifier, LocalGlobalClassifier

CLASSES, COLUMNS, GIVEN = 10, 20, 10


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


def methods(rows):
    yield "sklearn LabelSpreading knn", lambda: LabelSpreading("knn", n_neighbors=10, max_iter=100)
    yield "gssl LocalGlobal", lambda: LocalGlobalClassifier(alpha=0.2, n_neighbors=10,
                                                            weights="unit")
    if rows <= 2_000:
        yield "sklearn LabelPropagation rbf", lambda: LabelPropagation("rbf", gamma=0.1,
                                                                       max_iter=1000)
    yield "sklearn LabelPropagation knn", lambda: LabelPropagation("knn", n_neighbors=10,
                                                                   max_iter=1000)
    yield "gssl Harmonic", lambda: HarmonicClassifier(n_neighbors=10, weights="unit")
    yield "gssl auto", lambda: GraphClassifier()


def main(sizes):
    print("rows\tmethod\tseconds\taccuracy\tpeak_GB_so_far")
    for rows in sizes:
        X, y, truth = problem(rows)
        all_ = list(methods(rows))
        best = {name: (np.inf, 0.0) for name, _ in all_}
        for _ in range(3 if rows < 10_000 else 1):
            for name, make in all_:
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


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1000, 10_000, 100_000])
