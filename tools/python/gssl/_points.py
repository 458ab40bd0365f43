"""Points: their graph, and files of them; and bounds of learning theory."""

import json
import math
import os
from collections import namedtuple

import numpy as np

from . import _gssl
from ._errors import Error
from ._graph import Graph
from ._run import run


def points_parts(points):
    """(parts for the module, rows) of a dense array or a sparse matrix of rows."""
    if hasattr(points, "tocsr"):
        csr = points.tocsr()
        if not csr.has_sorted_indices:
            csr = csr.sorted_indices()
        if not csr.has_canonical_format:
            csr = csr.copy()
            csr.sum_duplicates()
        data = csr.data if csr.data.dtype in (np.float32, np.float64) else csr.data.astype(float)
        return (csr.shape[0], csr.shape[1], csr.indptr.astype(np.int64),
                csr.indices.astype(np.int32), data), csr.shape[0]
    array = np.asarray(points)
    if array.ndim != 2:
        raise Error(f"points: shape {array.shape}: must have two axes, rows and columns", "bad_data")
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    if array.dtype not in (np.dtype("=f4"), np.dtype("=f8")):
        if array.dtype.kind not in "iufb" and array.dtype != object:
            raise Error(f"points: {array.dtype}: must be numbers", "bad_data")
        array = array.astype(np.float32 if array.dtype.newbyteorder("=") == np.float32 else float)
    return (np.ascontiguousarray(array),), array.shape[0]


class PointGraph(namedtuple("PointGraph", "graph report local_scale points metric knn")):
    """``graph`` of points with the ``report`` of how it was made."""

    __slots__ = ()

    def extend(self, held, others, k=None):
        parts, rows = points_parts(others)
        near, far, _ = _gssl.neighbors(self.points, parts, k or max(self.knn, 1), self.metric, 1.0,
                                       run())
        weights = self.report["weights"]
        return _gssl.extend(held, near, far, weights["kind"], weights["scale"], self.local_scale,
                            run()), rows


def build(points, *, knn=10, mutual=False, epsilon=None, mst=False, root=None, metric="euclidean",
          weights="gaussian", scale=None, recall=1.0, search="automatic", max_edges=None, seed=1,
          threads=None, time_limit=None, memory_limit=None, progress=None):
    """The graph of points: a PointGraph.

    Parameters
    ----------
    points : dense array (float32 and float64 in rows are not copied) or sparse matrix
    knn : join each row to its nearest; None: not
    mutual : of those, only where each is among the nearest of the other
    epsilon : join rows at this distance or less
    mst : add the minimum spanning tree
    root : keep of all that only the shortest-path tree from this row
    metric : "euclidean", "cosine", "correlation" or "manhattan"
    weights : "unit", "gaussian", "exponential", "inverse" or "self-tuning"
    scale : the C of the weights; None: from the distances
    recall : share of the neighbors to be found; below 1 where that is faster
    """
    parts, _ = points_parts(points)
    options = {"knn": knn or 0, "mutual": mutual, "epsilon": -1.0 if epsilon is None else epsilon,
               "spanning_tree": mst, "root": -1 if root is None else root, "metric": metric,
               "weights": weights, "scale": scale or 0.0, "recall": recall, "search": search,
               "max_edges": max_edges or 0}
    asked = run(seed, threads, time_limit, memory_limit, progress)
    named, local_scale, report = _gssl.build(parts, options, asked)
    return PointGraph(Graph._of(named), json.loads(report), local_scale, parts, metric, knn or 0)


def read_points(path, *, label_column=None, id_column=None):
    """(points, labels, names of columns) of any dense file that the command reads; a label is None
    where a row has none, and labels is None where there are none at all."""
    values, labels, columns = _gssl.read_points(os.fspath(path), label_column or "", id_column or "",
                                                run())
    known = np.array([text or None for text in labels], dtype=object) if labels else None
    return values, known, columns


Bound = namedtuple("Bound", "name unknown value values statement formula reference")


def bounds():
    """All bounds of learning theory that ``bound`` solves, with what their quantities mean."""
    return _gssl.bounds()


def bound(name, **values):
    """A bound of learning theory, solved for the one quantity that is not given (None: solve for it
    though it has a default).

    >>> bound("pac-finite", epsilon=0.1, delta=0.05, hypotheses=1024).value
    100.0
    """
    given = {key: math.nan if value is None else float(value) for key, value in values.items()}
    unknown, found, described = _gssl.solve_bound(name, given)
    return Bound(described["name"], unknown, found[unknown], found, described["statement"],
                 described["formula"], described["reference"])
