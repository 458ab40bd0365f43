"""Estimators of learners that make a model of points; see estimators.py."""

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import check_array, check_consistent_length, column_or_1d
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import assert_all_finite, check_is_fitted

from . import _gssl
from ._estimator_base import Estimator, OfOptions
from ._labels import encoded, labels_of_codes
from ._points import points_parts
from ._run import report_of

# Learners that go from trial to trial, or on columns of truth values.
_TWO_CLASSES = frozenset(["balanced-winnow", "elimination", "gradient-descent", "perceptron",
                          "randomized-kernel-descent", "winnow"])


class _Inductive(OfOptions, Estimator):
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
