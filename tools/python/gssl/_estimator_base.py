"""What the estimators share: checks, the run of the parameters, a graph of the rows; see
estimators.py."""

import json
import warnings

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from . import _gssl
from ._graph import Graph, graph_of_weights
from ._points import points_parts
from ._run import changed_spec, run


def threads_of(n_jobs):
    return None if n_jobs is None or n_jobs < 0 else n_jobs


def seed_of(random_state):
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


class Estimator(BaseEstimator):
    """Validation for scikit-learn before and after 1.6, and the run of the parameters."""

    def _validated(self, X, reset, **how):
        if hasattr(self, "_validate_data"):
            return self._validate_data(X, reset=reset, **how)
        from sklearn.utils.validation import validate_data

        return validate_data(self, X, reset=reset, **how)

    def _rows(self, X, reset):
        return self._validated(X, reset, accept_sparse="csr", dtype=[np.float64, np.float32])

    def _run(self):
        return run(seed_of(getattr(self, "random_state", None)), threads_of(self.n_jobs))


class OnGraph(Estimator):
    """Turns X into a graph, and new rows into means of its scores."""

    def _graph_of(self, X):
        if self.metric == "graph":
            graph = X if isinstance(X, Graph) else graph_of_weights(X)
            self.n_features_in_ = graph.vertex_count
            return graph
        if self.metric == "precomputed":
            return self._graph_of_distances(self._validated(X, True))
        X = self._rows(X, True)
        self._parts, _ = points_parts(X)
        options = {"knn": self.n_neighbors, "mutual": False, "epsilon": -1.0,
                   "spanning_tree": False, "root": -1, "metric": self.metric,
                   "weights": self.weights, "scale": 0.0, "recall": 1.0, "search": "automatic",
                   "max_edges": 0}
        named, self._local_scale, report = _gssl.build(self._parts, options, self._run())
        self._weights_of(json.loads(report))
        return Graph._of(named)

    def _graph_of_distances(self, D):
        if D.shape[0] != D.shape[1]:
            raise ValueError(f"metric='precomputed': X is {D.shape[0]} x {D.shape[1]}: must be the "
                             "square matrix of distances between its rows")
        self._check_distances(D)
        if not np.allclose(D, D.T, rtol=1e-6, atol=0.0):
            warnings.warn("metric='precomputed': X is not symmetric: the mean of both directions is "
                          "the distance", stacklevel=5)
        D = np.maximum((D + D.T) / 2.0, 0.0)
        np.fill_diagonal(D, np.inf)
        near, far = nearest(D, min(self.n_neighbors, len(D) - 1))
        named, self._local_scale, report = _gssl.graph_of_lists(near, far, False, self.weights, 0.0,
                                                                self._run())
        self._weights_of(json.loads(report))
        return Graph._of(named)

    @staticmethod
    def _check_distances(D):
        if D.size and D.min() < -1e-9 * np.abs(D).max():
            raise ValueError(f"metric='precomputed': X has the distance {D.min():g}: must be >= 0")

    def _weights_of(self, report):
        self._kind, self._scale = report["weights"]["kind"], report["weights"]["scale"]

    def _lists_of(self, X):
        """(neighbors, distances) of new rows among those of fit."""
        if self.metric == "precomputed":
            D = self._validated(X, False)
            self._check_distances(D)
            return nearest(np.maximum(D, 0.0), min(self.n_neighbors, D.shape[1]))
        others, _ = points_parts(self._rows(X, False))
        return _gssl.neighbors(self._parts, others, self.n_neighbors, self.metric, 1.0,
                               self._run())[:2]

    def _means(self, X):
        """(scores, reached) of new rows: means of the scores of vertices, row by row."""
        if self.metric == "graph":
            return self._means_by_weights(X)
        near, far = self._lists_of(X)
        held = _gssl.extend(self._held, near, far, self._kind, self._scale, self._local_scale,
                            self._run())
        return _gssl.scores_of(held), ~np.isin(_gssl.status_of(held), (2, 4))

    def _means_by_weights(self, X):
        from scipy.sparse import csr_matrix

        weights = csr_matrix(X, dtype=np.float64)
        n = self._held_rows()
        if weights.shape[1] != n:
            raise ValueError(f"X has {weights.shape[1]} columns: must have a weight for each of the "
                             f"{n} vertices")
        known = (~np.isin(_gssl.status_of(self._held), (2, 4))).astype(np.float64)
        total = weights @ known
        scores = weights @ (_gssl.scores_of(self._held) * known[:, None])
        reached = total > 0.0
        return scores / np.where(reached, total, 1.0)[:, None], reached

    def _held_rows(self):
        return len(_gssl.status_of(self._held))

    def _more_tags(self):
        checks = {}
        if self.metric == "precomputed":
            checks["check_classifiers_one_label"] = "feeds 10 x 3, which are no distances"
        return {"pairwise": self.metric == "precomputed", "_xfail_checks": checks}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.metric == "precomputed"
        tags.input_tags.sparse = self.metric != "precomputed"
        return tags


def nearest(D, k):
    """The k columns of least distance of each row, nearest first, ties by column."""
    near = np.argsort(D, axis=1, kind="stable")[:, :k].astype(np.int32)
    return near, np.take_along_axis(D, near, axis=1)


class OfOptions:
    """A learner by its options instead of a SPEC."""

    def _spec(self):
        return changed_spec(self._learner, {name: getattr(self, attribute)
                                            for name, attribute in self._options.items()})
