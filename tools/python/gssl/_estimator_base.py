"""What the estimators share; see estimators.py."""

import json
import math
import warnings

import numpy as np
from sklearn.base import (BaseEstimator, ClassifierMixin, ClusterMixin, RegressorMixin,
                          TransformerMixin)
from sklearn.utils import check_array, check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_is_fitted

from . import _gssl
from ._graph import Graph
from ._labels import encoded, given_of_rows, labels_of_codes
from ._network import cluster, spectrum
from ._points import points_parts
from ._run import changed_spec, report_of, run

_ONE_CLASS = "y holds one class beside unlabeled -1; if -1 is a class, pass unlabeled=None"


def _threads(n_jobs):
    return None if n_jobs is None or n_jobs < 0 else n_jobs


def _seed(random_state):
    if random_state is None:
        return 1
    if isinstance(random_state, (int, np.integer)):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


class _Estimator(BaseEstimator):
    """Validation for scikit-learn before and after 1.6, and the run of the parameters."""

    def _validated(self, X, reset, **how):
        if hasattr(self, "_validate_data"):
            return self._validate_data(X, reset=reset, **how)
        from sklearn.utils.validation import validate_data

        return validate_data(self, X, reset=reset, **how)

    def _rows(self, X, reset):
        return self._validated(X, reset, accept_sparse="csr", dtype=[np.float64, np.float32])

    def _run(self):
        return run(_seed(getattr(self, "random_state", None)), _threads(self.n_jobs))


class _OnGraph(_Estimator):
    """Turns X into a graph, and new rows into means of its scores."""

    def _graph_of(self, X):
        if self.metric == "graph":
            graph = X if isinstance(X, Graph) else Graph(self._weights_matrix(X))
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

    @staticmethod
    def _weights_matrix(X):
        if isinstance(X, np.ndarray):
            from scipy.sparse import csr_matrix

            return csr_matrix(X)
        return X

    def _graph_of_distances(self, D):
        if D.shape[0] != D.shape[1]:
            raise ValueError(f"metric='precomputed': X is {D.shape[0]} x {D.shape[1]}: must be the "
                             "square matrix of distances between its rows")
        D = np.maximum((D + D.T) / 2.0, 0.0)
        np.fill_diagonal(D, np.inf)
        near, far = _nearest(D, min(self.n_neighbors, len(D) - 1))
        named, self._local_scale, report = _gssl.graph_of_lists(near, far, False, self.weights, 0.0,
                                                                self._run())
        self._weights_of(json.loads(report))
        return Graph._of(named)

    def _weights_of(self, report):
        self._kind, self._scale = report["weights"]["kind"], report["weights"]["scale"]

    def _lists_of(self, X):
        """(neighbors, distances) of new rows among those of fit."""
        if self.metric == "precomputed":
            D = self._validated(X, False)
            return _nearest(np.maximum(D, 0.0), min(self.n_neighbors, D.shape[1]))
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


def _nearest(D, k):
    """The k columns of least distance of each row, nearest first, ties by column."""
    near = np.argsort(D, axis=1, kind="stable")[:, :k].astype(np.int32)
    return near, np.take_along_axis(D, near, axis=1)


class _GraphLearner(_OnGraph):
    def _fit(self, X, y, regression):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is "
                             "None")
        given = self._given(y, regression)
        graph = self._graph_of(X)
        check_consistent_length(np.empty(graph.vertex_count), given.rows)
        calibrate = getattr(self, "calibrate", None) or ""
        self._held = _gssl.label(graph._named, self._spec(), given.parts, True, calibrate,
                                 self._run())
        self.report_ = report_of(self._held.report, 4)
        self.n_iter_ = max(1, int(self.report_["solver"]["iterations"]))
        self.confidence_ = np.array(_gssl.confidence_of(self._held))
        self.status_ = np.array(_gssl.status_of(self._held))
        return given

    def _given(self, y, regression):
        y = column_or_1d(y, warn=True) if not np.ma.isMaskedArray(y) else y
        given = given_of_rows(y, len(y), regression, self.unlabeled)
        given.rows = y
        if len(given.vertices) == 0:
            raise ValueError("y: no row has a label")
        if given.values.dtype.kind == "f":
            assert_all_finite(given.values, input_name="y")
        return given


class GraphClassifier(ClassifierMixin, _GraphLearner):
    """Labels the rows of X from those of y that are known, by a graph.

    Parameters
    ----------
    method : learner, as gssl.label takes it: NAME or NAME:key=value,...
    metric : of rows of features; "precomputed" (distances) or "graph" (weights)
    n_neighbors : each row is joined to so many nearest
    weights : "gaussian", "self-tuning", "exponential", "inverse" or "unit"
    unlabeled : what says in y that there is no label, beside None, NaN and ""; None: nothing else
    calibrate : makes label_distributions_ of new rows no other, but confidence_ the chance to be
        right: "temperature", "isotonic" or "platt"
    n_jobs, random_state : threads and seed

    Attributes
    ----------
    transduction_ : the class of each row of fit; ``unlabeled`` (of text None) where no label reaches
    label_distributions_ : a row for each, of sum 1, or 0 where no label reaches
    confidence_, status_, report_, classes_, n_iter_
    """

    def __init__(self, method="auto", *, metric="euclidean", n_neighbors=10, weights="gaussian",
                 unlabeled=-1, calibrate=None, n_jobs=None, random_state=None):
        self.method = method
        self.metric = metric
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.unlabeled = unlabeled
        self.calibrate = calibrate
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _spec(self):
        return self.method

    def _given(self, y, regression):
        given = super()._given(y, regression)
        check_classification_targets(given.values)
        if len(given.classes) == 1 and self.unlabeled == -1 and np.any(np.asarray(y) == -1):
            warnings.warn(_ONE_CLASS, stacklevel=4)
        return given

    def fit(self, X, y):
        given = self._fit(X, y, False)
        self.classes_ = given.classes
        self.transduction_ = labels_of_codes(self.classes_, np.array(_gssl.decision_of(self._held)))
        self.label_distributions_ = _distributions(_gssl.scores_of(self._held))
        return self

    def predict(self, X):
        check_is_fitted(self)
        scores, reached = self._means(X)
        codes = np.where(reached, scores.argmax(axis=1) if scores.shape[1] else -1, -1)
        return labels_of_codes(self.classes_, codes)

    def predict_proba(self, X):
        """Rows of sum 1, or of zeros where no label reaches."""
        check_is_fitted(self)
        scores, reached = self._means(X)
        return _distributions(scores) * reached[:, None]

    def score(self, X, y, sample_weight=None):
        """Accuracy on the rows that have a label."""
        known = given_of_rows(np.asarray(y), len(y), False, self.unlabeled).vertices
        weights = None if sample_weight is None else np.asarray(sample_weight)[known]
        X = X if hasattr(X, "shape") else np.asarray(X)
        return super().score(X[known], np.asarray(y)[known], weights)

    def _more_tags(self):
        tags = _OnGraph._more_tags(self)
        if self.unlabeled == -1:
            tags["_xfail_checks"]["check_classifiers_classes"] = \
                "takes -1 for a class, which says here that there is no label"
        return tags


def _distributions(scores):
    positive = np.maximum(scores, 0.0)
    total = positive.sum(axis=1, keepdims=True)
    return np.divide(positive, total, out=np.zeros_like(positive), where=total > 0.0)


class GraphRegressor(RegressorMixin, _GraphLearner):
    """Values of all rows of X from those of y that are known (the others NaN), by a graph.

    The parameters are those of GraphClassifier; ``method`` is a learner that can do regression.
    """

    def __init__(self, method="harmonic", *, metric="euclidean", n_neighbors=10, weights="gaussian",
                 unlabeled=math.nan, n_jobs=None, random_state=None):
        self.method = method
        self.metric = metric
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.unlabeled = unlabeled
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _spec(self):
        return self.method

    def _given(self, y, regression):
        return super()._given(np.asarray(column_or_1d(y, warn=True), float), regression)

    def fit(self, X, y):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is "
                             "None")
        self._fit(X, y, True)
        values = np.array(_gssl.scores_of(self._held)[:, 0])
        values[np.isin(self.status_, (2, 4))] = math.nan
        self.transduction_ = values
        return self

    def predict(self, X):
        """NaN where no label reaches."""
        check_is_fitted(self)
        scores, reached = self._means(X)
        return np.where(reached, scores[:, 0], math.nan)


class _OfOptions:
    """A learner by its options instead of a SPEC."""

    def _spec(self):
        return changed_spec(self._learner, {name: getattr(self, attribute)
                                            for name, attribute in self._options.items()})


class LearnerGraphClassifier(_OfOptions, GraphClassifier):
    pass


class LearnerGraphRegressor(_OfOptions, GraphRegressor):
    pass


class GraphClusterer(ClusterMixin, _OnGraph):
    """Clusters of rows, or of a graph: ``labels_``."""

    def __init__(self, n_clusters=8, *, method="spectral", metric="euclidean", n_neighbors=10,
                 weights="gaussian", n_jobs=None, random_state=None):
        self.n_clusters = n_clusters
        self.method = method
        self.metric = metric
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        graph = self._graph_of(X)
        found = cluster(graph, self.n_clusters, method=self.method, seed=_seed(self.random_state),
                        threads=_threads(self.n_jobs))
        self.labels_, self.report_ = found.labels, found.report
        return self


class SpectralEmbedding(_OnGraph):
    """Rows, or vertices of a graph, as entries of the eigenvectors of the random-walk Laplacian that
    follow the first: ``embedding_``."""

    def __init__(self, n_components=2, *, metric="euclidean", n_neighbors=10, weights="gaussian",
                 n_jobs=None, random_state=None):
        self.n_components = n_components
        self.metric = metric
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X, y=None):
        graph = self._graph_of(X)
        found = spectrum(graph, self.n_components + 1, laplacian="random-walk",
                         seed=_seed(self.random_state), threads=_threads(self.n_jobs))
        self.embedding_ = np.ascontiguousarray(found.vectors[:, 1:])
        self.report_ = found.report
        return self

    def fit_transform(self, X, y=None):
        return self.fit(X).embedding_


class KNeighborsGraph(TransformerMixin, _OnGraph):
    """Rows to the sparse weights of their graph; of new rows, those to the rows of fit. What comes
    out goes into estimators with metric="graph"."""

    def __init__(self, n_neighbors=10, *, metric="euclidean", weights="gaussian", n_jobs=None):
        self.n_neighbors = n_neighbors
        self.metric = metric
        self.weights = weights
        self.n_jobs = n_jobs

    def fit(self, X, y=None):
        self._graph = self._graph_of(X)
        return self

    def fit_transform(self, X, y=None):
        return self.fit(X)._graph.to_scipy()

    def transform(self, X):
        """Weights as the edges of the graph have them; with "unit" and "inverse" too."""
        from scipy.sparse import csr_matrix

        check_is_fitted(self)
        near, far = self._lists_of(X)
        weights = self._weights(far)
        n = self._graph.vertex_count
        offsets = np.arange(0, near.size + 1, near.shape[1] if near.size else 1)
        return csr_matrix((weights.ravel(), near.ravel(), offsets), shape=(len(near), n))

    def _weights(self, far):
        smallest = np.finfo(np.float64).tiny
        if self._kind == "unit":
            return np.ones_like(far)
        if self._kind == "inverse":
            return self._scale / np.maximum(far, smallest)
        if self._kind == "exponential":
            return np.maximum(np.exp(-self._scale * far), smallest)
        if self._kind == "gaussian":
            return np.maximum(np.exp(-self._scale * far**2), smallest)
        raise ValueError("weights='self-tuning': new rows have no local scale; take gaussian")

    def _more_tags(self):
        tags = _OnGraph._more_tags(self)
        why = "new rows are joined to those of fit, and rows of fit to each other"
        for check in ("check_transformer_general", "check_transformer_data_not_an_array"):
            tags["_xfail_checks"][check] = why
        return tags


class LabelFolds:
    """Folds that hide labels and keep rows: what a plain K-fold drops is part of the graph.

        for hidden, y_part in LabelFolds(5).split(y): GraphClassifier().fit(X, y_part)
    """

    def __init__(self, n_splits=5, *, unlabeled=-1, random_state=None):
        self.n_splits = n_splits
        self.unlabeled = unlabeled
        self.random_state = random_state

    def split(self, y):
        """Pairs (rows whose label is hidden, y without them), each class spread evenly."""
        y = np.asarray(y)
        given = given_of_rows(y, len(y), False, self.unlabeled)
        codes, _, _ = encoded(given.values)
        order = check_random_state(self.random_state).permutation(len(codes))
        order = order[np.argsort(codes[order], kind="stable")]
        fold = np.empty(len(codes), dtype=int)
        fold[order] = np.arange(len(codes)) % self.n_splits
        for k in range(self.n_splits):
            hidden = given.vertices[fold == k]
            part = y.copy()
            part[hidden] = self.unlabeled
            yield hidden, part


# Learners that go from trial to trial, or on columns of truth values.
_TWO_CLASSES = frozenset(["balanced-winnow", "elimination", "gradient-descent", "perceptron",
                          "randomized-kernel-descent", "winnow"])


class _Inductive(_OfOptions, _Estimator):
    def _learn(self, X, y, sample_weight, regression):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is "
                             "None")
        X = self._rows(X, True)
        y = column_or_1d(y, warn=True)
        check_consistent_length(X, y, sample_weight)
        if sample_weight is not None:
            sample_weight = check_array(np.asarray(sample_weight, float), ensure_2d=False)
        if regression or np.asarray(y).dtype.kind == "f":
            assert_all_finite(y, input_name="y")
        parts, _ = points_parts(X)
        if regression:
            targets = (np.asarray(y, dtype=np.float64), None)
        else:
            check_classification_targets(y)
            codes, self.classes_, names = encoded(y)
            if len(names) > 2 and self._learner in _TWO_CLASSES:
                raise ValueError("Only binary classification is supported. The type of the target "
                                 "is multiclass.")
            targets = (codes, names)
        calibrate = getattr(self, "calibrate", None) or "none"
        self._trained, report = _gssl.fit(parts, targets, self._spec(), sample_weight, calibrate,
                                          False, self._run())
        self.report_ = report_of(report, 4)
        self.n_iter_ = max(1, int(self.report_["solver"]["iterations"]))
        return self

    def __sklearn_is_fitted__(self):
        return hasattr(self, "_trained")  # lambda_ is a parameter

    def _answer(self, X):
        check_is_fitted(self)
        parts, _ = points_parts(self._rows(X, False))
        return self._trained.predict(parts, self._run())


class LearnerClassifier(ClassifierMixin, _Inductive):
    def _more_tags(self):
        return {"binary_only": self._learner in _TWO_CLASSES}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self._learner not in _TWO_CLASSES
        return tags

    def fit(self, X, y, sample_weight=None):
        return self._learn(X, y, sample_weight, False)

    def predict(self, X):
        codes = self._answer(X)[2]
        return labels_of_codes(self.classes_, codes)

    def decision_function(self, X):
        """Of two classes the score of the second less that of the first; else of each class."""
        scores = self._answer(X)[0]
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    @available_if(lambda self: hasattr(self, "_trained") and self._trained.gives_shares)
    def predict_proba(self, X):
        """Where the learner gives shares, or with calibrate."""
        return self._answer(X)[0]


class LearnerRegressor(RegressorMixin, _Inductive):
    def fit(self, X, y, sample_weight=None):
        return self._learn(X, y, sample_weight, True)

    def predict(self, X):
        return self._answer(X)[0][:, 0]
