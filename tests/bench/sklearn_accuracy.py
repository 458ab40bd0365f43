"""Accuracy of a scikit-learn estimator on a test file, in percent.

TRAIN TEST COLUMN ESTIMATOR [--standardize]   COLUMN of the labels from 1; 0: libsvm rows
"""

import sys

import numpy
from sklearn.datasets import load_svmlight_files
from sklearn.ensemble import (AdaBoostClassifier, BaggingClassifier,  # noqa: F401
                              RandomForestClassifier)
from sklearn.linear_model import LogisticRegression  # noqa: F401
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid  # noqa: F401
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC  # noqa: F401
from sklearn.tree import DecisionTreeClassifier  # noqa: F401


def read(path, column):
    with open(path, encoding="ascii") as file:
        comma = "," in file.readline()
    rows = numpy.genfromtxt(path, delimiter="," if comma else None)
    return numpy.delete(rows, column - 1, axis=1), rows[:, column - 1]


train, test, column, text = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
if column == 0:
    x, y, t, z = load_svmlight_files((train, test))
else:
    (x, y), (t, z) = read(train, column), read(test, column)
estimator = eval(text)  # pylint: disable=eval-used
if "--standardize" in sys.argv:
    estimator = make_pipeline(StandardScaler(), estimator)
print(f"{100 * estimator.fit(x, y).score(t, z):.2f}")
