"""Matrices of which some cells are known, and coordinates of rows and vertices."""

from collections import namedtuple

import numpy as np

from . import _gssl
from ._errors import Error
from ._functions import as_graph
from ._graph import Graph
from ._points import points_parts
from ._run import report_of, run, spec_of

Embedding = namedtuple("Embedding", "coordinates eigenvalues variance_held kernel report")


class Completion:
    """value(r, c) = mean + row_bias[r] + column_bias[c] + u[r] · v[c], and the ``report`` of it.

    ``rows`` and ``columns`` are the names of both sides, in order.
    """

    def __init__(self, rows, columns, parts):
        self.rows, self.columns = rows, columns
        self.mean, self.row_bias, self.column_bias, self.u, self.v, self.method, report = parts
        self.report = report_of(report, stacklevel=4)
        self._row = {name: i for i, name in enumerate(rows)}
        self._column = {name: i for i, name in enumerate(columns)}

    def predict(self, rows, columns):
        """The values of the cells (rows[i], columns[i]). KeyError on a name that no cell had."""
        r = np.array([self._row[name] for name in rows], dtype=np.intp)
        c = np.array([self._column[name] for name in columns], dtype=np.intp)
        if len(r) != len(c):
            raise Error(f"{len(r)} rows and {len(c)} columns: must be equally many", "bad_data")
        return (self.mean + self.row_bias[r] + self.column_bias[c]
                + np.einsum("ij,ij->i", self.u[r], self.v[c]))

    def matrix(self):
        """All cells, dense."""
        return self.mean + self.row_bias[:, None] + self.column_bias + self.u @ self.v.T

    def __repr__(self):
        return f"<gssl.Completion of {len(self.rows)} x {len(self.columns)} by {self.method}>"


def complete(cells, method="als", *, seed=1, threads=None, time_limit=None, memory_limit=None,
             progress=None, **options):
    """The unknown cells of a matrix from those that are known: a Completion.

    ``cells`` is a SciPy sparse matrix, whose stored entries are known; a dense array, where NaN is
    not; or triples ``(row, column, value)`` of any names. ``method`` is "als" or "soft-impute",
    with the options that ``gssl complete --help`` lists as further keywords.
    """
    asked = run(seed, threads, time_limit, memory_limit, progress)
    rows, columns, row, column, value = _cells_of(cells)
    parts = _gssl.complete(len(rows), len(columns), row, column, value,
                           spec_of(method, options), asked)
    return Completion(rows, columns, parts)


def embed(source, dimensions=2, *, kernel="auto", rows=None, seed=1, threads=None, time_limit=None,
          memory_limit=None, progress=None):
    """Kernel principal components: coordinates in the directions of most variance.

    ``source`` is an array or sparse matrix of rows with a kernel of rows, such as
    "gaussian(beta=0.5)" or "linear" (principal components); or a graph (gssl, NetworkX, igraph) with
    one of a graph, such as "diffusion(time=2)". ``rows``: the coordinates of these in the directions of
    ``source``. ``variance_held`` is None where the whole is not known.
    """
    asked = run(seed, threads, time_limit, memory_limit, progress)
    if isinstance(source, Graph) or hasattr(source, "adj") or hasattr(source, "get_edgelist"):
        if rows is not None:
            raise Error("rows: of points only")
        found = _gssl.embed_graph(as_graph(source)._named, kernel, dimensions, asked)
    else:
        parts, _ = points_parts(source)
        others = None if rows is None else points_parts(rows)[0]
        found = _gssl.embed_points(parts, others, kernel, dimensions, asked)
    coordinates, eigenvalues, total, kernel, report = found
    held = float(eigenvalues.sum() / total) if total > 0 else None
    return Embedding(coordinates, eigenvalues, held, kernel, report_of(report))


def _cells_of(cells):
    """Names of rows and of columns, and three arrays."""
    if hasattr(cells, "tocoo"):
        found = cells.tocoo()
        return (range(found.shape[0]), range(found.shape[1]), found.row.astype(np.int32),
                found.col.astype(np.int32), found.data.astype(float))
    if isinstance(cells, np.ndarray):
        if cells.ndim != 2:
            raise Error(f"cells: shape {cells.shape}: must have two axes", "bad_data")
        dense = np.ma.filled(cells.astype(float), np.nan)
        row, column = np.nonzero(~np.isnan(dense))
        return (range(dense.shape[0]), range(dense.shape[1]), row.astype(np.int32),
                column.astype(np.int32), dense[row, column])
    rows, columns, places, values = {}, {}, [], []
    for cell in cells:
        if isinstance(cell, str) or len(cell) != 3:
            raise Error(f"cell {cell!r}: must be (row, column, value)", "bad_data")
        places.append((rows.setdefault(cell[0], len(rows)),
                       columns.setdefault(cell[1], len(columns))))
        values.append(cell[2])
    places = np.array(places, dtype=np.int32).reshape(-1, 2)
    return (list(rows), list(columns), np.ascontiguousarray(places[:, 0]),
            np.ascontiguousarray(places[:, 1]), np.array(values, dtype=float))
