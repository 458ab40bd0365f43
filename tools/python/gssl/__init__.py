"""Label the vertices of a graph from a few given labels, and what goes with it.

    import gssl
    graph = gssl.Graph("datasets/digits/edges.tsv")
    result = gssl.label(graph, "datasets/digits/labels.tsv")
    result.labels, result.confidence, result.report["solver"]["relative_residual"]

``gssl.learners`` has a function for every learner with its options, ``gssl.estimators`` the same for
scikit-learn. Nothing is loaded before it is used, NumPy neither.
"""

from importlib import import_module as _import_module

from ._errors import ConvergenceWarning, Error

# Where each name is defined.
_HOMES = {name: home for home, names in {
    "_evaluate": ("evaluate",),
    "_functions": ("ask", "explain", "label", "label_points", "suspects"),
    "_graph": ("Graph",),
    "_labels": ("LabelResult",),
    "_matrix": ("complete", "embed"),
    "_models": ("Model", "Online", "fit", "load_model"),
    "_network": ("cluster", "kernel", "min_cut", "resistance", "spectrum"),
    "_points": ("PointGraph", "bound", "bounds", "build", "read_points"),
}.items() for name in names}

__all__ = [
    "ConvergenceWarning", "Error", "Graph", "LabelResult", "Model", "Online", "PointGraph", "ask",
    "bound", "bounds", "build", "cluster", "complete", "embed", "evaluate", "explain", "fit", "kernel",
    "label", "label_points", "load_model", "load_plugin", "min_cut", "read_points", "resistance", "spectrum",
    "suspects",
]


def load_plugin(path):
    """Adds the learners of a shared object, for the life of the process."""
    import os

    from . import _gssl

    _gssl.load_plugin(os.fspath(path))


def __getattr__(name):
    if name in ("estimators", "learners", "_gssl"):
        return _import_module(f"gssl.{name}")
    if name == "__version__":
        return _import_module("gssl._gssl").version
    if name not in _HOMES:
        raise AttributeError(f"module 'gssl' has no attribute {name!r}")
    value = getattr(_import_module(f"gssl.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__():
    return [*__all__, "__version__", "estimators", "learners"]
