"""Estimators that label the rows of fit by a graph; see estimators.py."""

import math
import warnings

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_consistent_length, check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_is_fitted

from . import _gssl
from ._estimator_base import OfOptions, OnGraph
from ._labels import encoded, given_of_rows, labels_of_codes
from ._points import points_parts
from ._run import report_of

_ONE_CLASS = "y holds one class beside unlabeled -1; if -1 is a class, pass unlabeled=None"


class _GraphLearner(OnGraph):
    def __sklearn_is_fitted__(self):
        return hasattr(self, "_held")  # lambda_ is a parameter

    def _fit(self, X, y, regression):
        if y is None:
            raise ValueError(f"{type(self).__name__} requires y to be passed, but the target y is "
                             "None")
        given = self._given(y, regression)
        self._held = self._label(X, given)
        self.report_ = report_of(self._held.report, 4)
        self.n_iter_ = max(1, int(self.report_["solver"]["iterations"]))
        self.confidence_ = np.array(_gssl.confidence_of(self._held))
        self.status_ = np.array(_gssl.status_of(self._held))
        return given

    def _label(self, X, given):
        graph = self._graph_of(X)
        check_consistent_length(np.empty(graph.vertex_count), given.rows)
        calibrate = getattr(self, "calibrate", None) or ""
        return _gssl.label(graph._named, self._spec(), [], given.parts, True, calibrate,
                           self._run())

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
        tags = OnGraph._more_tags(self)
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


class LearnerGraphClassifier(OfOptions, GraphClassifier):
    def _more_tags(self):
        tags = super()._more_tags()
        if "class_weight" in self._options:
            tags["_xfail_checks"]["check_class_weight_classifiers"] = \
                "weights of classes are none or balanced"
        return tags


class LearnerGraphRegressor(OfOptions, GraphRegressor):
    pass


class LearnerPointsClassifier(LearnerGraphClassifier):
    """Learns from the rows themselves; a new row has the mean of its nearest among them."""

    metric, weights, calibrate = "euclidean", "unit", None
    _kind, _scale, _local_scale = "unit", 1.0, None

    def _rows(self, X, reset):
        return self._validated(X, reset, dtype=[np.float64, np.float32])

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = False
        return tags

    def _label(self, X, given):
        X = self._rows(X, True)
        self._parts, count = points_parts(X)
        check_consistent_length(np.empty(count), given.rows)
        return _gssl.label_points(self._parts, self._spec(), given.parts, self._run())


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
