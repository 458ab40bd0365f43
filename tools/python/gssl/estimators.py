"""gssl as scikit-learn knows learners: fit, predict, predict_proba, transduction_.

Labels that are not known are ``unlabeled`` in y. ``metric`` says what X is: rows of features (a
metric of gssl.build), "precomputed" distances, or "graph": a square matrix of weights, sparse or
not, or anything that gssl.Graph takes.
"""

from . import _estimators
from ._estimators import *  # noqa: F403
from ._graph_learners import GraphClassifier, GraphRegressor, LabelFolds
from ._graph_transforms import GraphClusterer, KNeighborsGraph, SpectralEmbedding

__all__ = ["GraphClassifier", "GraphClusterer", "GraphRegressor", "KNeighborsGraph", "LabelFolds",
           "SpectralEmbedding", *_estimators.__all__]
