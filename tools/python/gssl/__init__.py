"""Label the vertices of a graph from a few given labels, and what goes with it.

    import gssl
    graph = gssl.Graph("datasets/digits/edges.tsv")
    result = gssl.label(graph, "datasets/digits/labels.tsv")
    result.labels, result.confidence, result.report["solver"]["relative_residual"]

``gssl.learners`` has a function for every learner with its options, ``gssl.estimators`` the same for
scikit-learn; both are loaded when they are first used.
"""

from . import _gssl
from ._errors import ConvergenceWarning, Error
from ._evaluate import evaluate
from ._functions import ask, explain, label, label_points, suspects
from ._graph import Graph
from ._labels import LabelResult
from ._matrix import complete, embed
from ._models import Model, Online, fit, load_model
from ._network import cluster, kernel, min_cut, resistance, spectrum
from ._points import PointGraph, bound, bounds, build, read_points

__version__ = _gssl.version

__all__ = [
    "ConvergenceWarning", "Error", "Graph", "LabelResult", "Model", "Online", "PointGraph", "ask",
    "bound", "bounds", "build", "cluster", "complete", "embed", "evaluate", "explain", "fit", "kernel",
    "label", "label_points", "load_model", "load_plugin", "min_cut", "read_points", "resistance", "spectrum",
    "suspects",
]


def load_plugin(path):
    """Adds the learners of a shared object, for the life of the process."""
    import os

    _gssl.load_plugin(os.fspath(path))


def __getattr__(name):
    if name in ("estimators", "learners"):
        import importlib

        return importlib.import_module(f"gssl.{name}")
    raise AttributeError(f"module 'gssl' has no attribute {name!r}")


def __dir__():
    return [*__all__, "__version__", "estimators", "learners"]
