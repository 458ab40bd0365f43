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
from ._run import changed_spec, report_of

# Learners that go from trial to trial, or on columns of truth values.
_TWO_CLASSES = frozenset(["balanced-winnow", "elimination", "gradient-descent", "perceptron",
                          "randomized-kernel-descent", "winnow"])


# Columns that the checks feed are refused by these.
_OF_SHARES = {"balanced-winnow": "columns in [0, 1] only", "winnow": "columns in [0, 1] only",
              "elimination": "columns of truth values only"}
# A row of weight 0 is no missing row to these: it takes part in folds, samples, the order of trials,
# the scale of kernel=auto or where an iteration stops.
_MINDS_ROWS_OF_WEIGHT_0 = frozenset(["bagging", "gradient-descent", "kernel-perceptron",
                                     "linear-svm", "svm", "svr"])


class _Inductive(OfOptions, Estimator):
    def _spec(self):
        if not isinstance(getattr(self, "class_weight", None), dict):
            return super()._spec()
        return changed_spec(self._learner, {name: getattr(self, attribute)
                                            for name, attribute in self._options.items()
                                            if attribute != "class_weight"})

    def _weighted(self, y, sample_weight):
        """The weights of the rows times those of a dict {class: weight}; other classes weigh 1."""
        weights = getattr(self, "class_weight", None)
        if not isinstance(weights, dict):
            return sample_weight
        of_rows = np.array([weights.get(one, 1.0) for one in np.asarray(y).tolist()], dtype=float)
        return of_rows if sample_weight is None else of_rows * sample_weight

    def _more_tags(self):
        tags = {"_xfail_checks": {}}
        if self._learner in _OF_SHARES:
            tags["_skip_test"] = _OF_SHARES[self._learner]
        if self._learner in _MINDS_ROWS_OF_WEIGHT_0:
            tags["_xfail_checks"]["check_sample_weights_invariance"] = \
                "a row of weight 0 is not a row left out"
        return tags

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
            sample_weight = self._weighted(y, sample_weight)
            if len(names) < 2 and self._learner in _TWO_CLASSES:
                raise ValueError(f"{self._learner} needs two classes; y has 1 class")
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
        return {**super()._more_tags(), "binary_only": self._learner in _TWO_CLASSES}

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
