"""Graphs from whatever Python people have."""

import os
import warnings

import numpy as np

from . import _gssl
from ._errors import Error
from ._run import run

_SHARED_FROM = 1_000_000  # entries; below, a copy costs nothing and nothing can change behind us


class Graph:
    """An undirected graph with weights > 0, fixed once it is made.

    ``source`` is a path (any file that the command reads), a square SciPy sparse matrix, a square
    array of weights (from three rows on; 0 is no edge), an integer array of edges (rows ``u v``; or
    two rows, as ``edge_index`` has them), a pair of arrays ``(u, v)``, a NetworkX or igraph graph, or
    pairs ``(u, v)`` and triples ``(u, v, weight)`` of any names.

    weights
        Of the edges of an array; None: 1 each.
    names
        Of the vertices, distinct; None: those of the source, else their numbers from 0.
    n
        Number of vertices where the source is an array; None: the largest in it and one.
    directed
        Where both directions of an edge are given with different weights: ``"error"``, ``"sum"``,
        ``"max"``, ``"mean"``. One direction alone is the edge. Of a matrix that is symmetric but for
        rounding the mean is taken.
    duplicates
        An edge given again in the same direction: ``"sum"``, ``"max"``, ``"first"``, ``"error"``.
    copy
        Of a SciPy matrix: False shares its arrays, which must then never change, and raises where a
        copy would be needed (rows that are not sorted or not symmetric, loops, zeros; int32 indices
        and float64 data can be shared); None shares from a million entries on where it can.
    """

    def __init__(self, source, *, weights=None, names=None, n=None, directed="error",
                 duplicates="sum", copy=None, threads=None):
        self._keys = self._places = self._texts = None  # keys: names that are any Python objects
        self.counts = {}
        asked = run(threads=threads)
        if isinstance(source, Graph):
            self._named, self._keys, self.counts = source._named, source._keys, source.counts
        elif isinstance(source, (str, os.PathLike)):
            self._named, self.counts = _read(source, duplicates, directed, "automatic", False, asked)
        elif hasattr(source, "tocsr"):
            self._from_scipy(source, directed, copy, asked)
        elif hasattr(source, "get_edgelist"):
            self._from_igraph(source, directed, duplicates, asked)
        elif hasattr(source, "adj") and hasattr(source, "nodes"):
            self._from_networkx(source, directed, duplicates, asked)
        elif _is_matrix(source) and len(source) != 2:  # of two rows it is edges
            self._from_matrix(source, directed, asked)
        elif _is_edge_array(source):
            u, v = _ends_of(source)
            self._from_arrays(u, v, weights, n, directed, duplicates, asked)
        else:
            self._from_names(source, directed, duplicates, asked)
        if names is not None:
            self._take_names(names)

    @classmethod
    def read(cls, path, *, input_format="automatic", duplicates="sum", directed=None,
             bipartite=False, layer_weights=None, delimiter=None, decimal=None, skip=0,
             columns=None, progress=None, threads=None):
        """A graph file, with the options that the command has for it.

        ``layer_weights`` is a dict of the weight of each layer; ``columns`` are numbers from 1: of
        both ends and perhaps the weight.
        """
        graph = cls.__new__(cls)
        graph._keys = graph._places = graph._texts = None
        asked = run(threads=threads, progress=progress)
        layers = ",".join(f"{name}={weight}" for name, weight in (layer_weights or {}).items())
        table = {"layer_weights": layers, "delimiter": delimiter or "", "decimal": decimal or "",
                 "skip": skip, "columns": list(columns or [])}
        graph._named, graph.counts = _read(path, duplicates, directed, input_format, bipartite,
                                           asked, table)
        return graph

    @classmethod
    def _of(cls, named, counts=None):
        graph = cls.__new__(cls)
        graph._named, graph.counts = named, counts or {}
        graph._keys = graph._places = graph._texts = None
        return graph

    # ---- sources

    def _build(self, n, u, v, weights, directed, duplicates, asked):
        opposite = "automatic" if directed is None else directed
        self._named, self.counts = _gssl.graph_from_edges(n, u, v, weights, duplicates, opposite,
                                                          asked)

    def _from_arrays(self, u, v, weights, n, directed, duplicates, asked):
        u, v = _integers(u, "u"), _integers(v, "v")
        if len(u) != len(v):
            raise Error(f"edges: {len(u)} beginnings and {len(v)} ends: must be equally many",
                        "bad_data")
        if weights is not None:
            weights = np.ascontiguousarray(weights, dtype=np.float64)
            if weights.shape != u.shape:
                raise Error(f"weights: shape {weights.shape}: must be {u.shape}, one for each edge",
                            "bad_data")
        if n is None:
            n = int(max(u.max(initial=-1), v.max(initial=-1))) + 1
        self._build(n, u, v, weights, directed, duplicates, asked)

    def _from_scipy(self, matrix, directed, copy, asked):
        rows, columns = matrix.shape
        if rows != columns:
            raise Error(f"matrix of {rows} x {columns}: must be square; for points, gssl.build",
                        "bad_data")
        csr = matrix.tocsr()
        shareable = (csr is matrix and csr.indices.dtype == np.int32 and
                     csr.data.dtype == np.float64 and csr.data.flags.c_contiguous)
        share = shareable and copy is not True and (copy is False or csr.nnz >= _SHARED_FROM)
        if copy is False and not shareable:
            raise Error("matrix: copy=False needs compressed rows of int32 indices and float64 data",
                        "bad_data")
        if csr.nnz > 0 and np.iscomplexobj(csr.data):
            raise Error("matrix: complex weights: must be real", "bad_data")
        keep = (lambda array, kind: array) if share else (lambda array, kind: np.array(array, kind))
        rows = (csr.indptr.astype(np.int64), keep(csr.indices, np.int32), keep(csr.data, np.float64))
        self.counts = {"shared": bool(share)}
        try:
            self._named = _gssl.graph_from_rows(*rows, asked)
            return
        except Error as error:
            if copy is False or error.code != "bad_data":
                raise
        rounded = _gssl.graph_from_rounded_rows(*rows, asked) if directed == "error" else None
        if rounded is not None:
            self._named, self.counts["opposite_differ"] = rounded
        else:
            del rows
            self._normalized(csr, directed, asked)

    def _from_matrix(self, matrix, directed, asked):
        """Of all pairs of vertices, without a sparse copy on the way."""
        if np.iscomplexobj(matrix):
            raise Error("matrix: complex weights: must be real", "bad_data")
        if matrix.flags.f_contiguous:
            matrix = matrix.T  # both directions are read
        self._named, self.counts = _gssl.graph_from_matrix(
            np.ascontiguousarray(matrix, dtype=np.float64), directed or "automatic", asked)
        if self.counts["self_loops_dropped"]:
            warnings.warn("the matrix was made a graph (self loops dropped: "
                          f"{self.counts['self_loops_dropped']})", stacklevel=4)

    def _normalized(self, csr, directed, asked):
        """A copy without zeros, loops and repetitions, both directions of an edge one."""
        n = csr.shape[0]
        u = np.repeat(np.arange(n, dtype=np.int32), np.diff(csr.indptr))
        v, w = csr.indices.astype(np.int32), csr.data.astype(np.float64)
        held = w != 0.0
        if directed == "error" and _symmetric_but_for_rounding(csr):
            directed = "mean"
        self._build(n, u[held], v[held], w[held], directed, "sum", asked)
        self.counts["zero_weights_dropped"] = int(len(w) - held.sum())
        changed = {name: count for name, count in self.counts.items()
                   if count and name not in ("edges_given", "reversed_merged")}
        if changed:
            told = ", ".join(f"{name.replace('_', ' ')}: {count}" for name, count in changed.items())
            warnings.warn(f"the matrix was copied and made a graph ({told})", stacklevel=4)

    def _from_networkx(self, source, directed, duplicates, asked):
        keys = list(source.nodes)
        place = {key: i for i, key in enumerate(keys)}
        ends, weights = [], []
        for a, b, weight in source.edges(data="weight", default=1.0):
            ends.append((place[a], place[b]))
            weights.append(weight)
        self._from_ends(len(keys), ends, weights, source.is_directed(), directed, duplicates, asked)
        self._take_names(keys)

    def _from_igraph(self, source, directed, duplicates, asked):
        weights = source.es["weight"] if "weight" in source.es.attributes() else None
        self._from_ends(source.vcount(), source.get_edgelist(), weights, source.is_directed(),
                        directed, duplicates, asked)
        if "name" in source.vs.attributes():
            self._take_names(source.vs["name"])

    def _from_ends(self, n, ends, weights, arcs, directed, duplicates, asked):
        ends = np.array(ends, dtype=np.int32).reshape(-1, 2)
        u, v = ends[:, 0], ends[:, 1]
        if not arcs:  # which end comes first says nothing
            u, v = np.minimum(u, v), np.maximum(u, v)
        if weights is not None:
            weights = np.array(weights, dtype=np.float64)
        self._build(n, np.ascontiguousarray(u), np.ascontiguousarray(v), weights, directed,
                    duplicates, asked)

    def _from_names(self, source, directed, duplicates, asked):
        place, ends, weights = {}, [], []
        weighted = False
        for edge in source:
            if isinstance(edge, str) or not 2 <= len(edge) <= 3:
                raise Error(f"edge {edge!r}: must be (u, v) or (u, v, weight)", "bad_data")
            ends.append([place.setdefault(name, len(place)) for name in edge[:2]])
            weighted = weighted or len(edge) == 3
            weights.append(edge[2] if len(edge) == 3 else 1.0)
        ends = np.array(ends, dtype=np.int32).reshape(-1, 2)
        self._build(len(place), np.ascontiguousarray(ends[:, 0]), np.ascontiguousarray(ends[:, 1]),
                    np.array(weights, dtype=np.float64) if weighted else None, directed, duplicates,
                    asked)
        self._take_names(list(place))

    def _take_names(self, names):
        names = list(names)
        if len(names) != self.vertex_count or len(set(names)) != len(names):
            raise Error(f"names: {len(names)}, of which {len(set(names))} differ: must be one for "
                        f"each of {self.vertex_count} vertices", "bad_data")
        self._keys, self._places = names, None

    # ---- what it is

    @property
    def vertex_count(self):
        return self._named.vertex_count

    @property
    def edge_count(self):
        return self._named.edge_count

    def __len__(self):
        return self.vertex_count

    def __repr__(self):
        return f"<gssl.Graph of {self.vertex_count} vertices, {self.edge_count} edges>"

    @property
    def names(self):
        """What the vertices are called, in order."""
        if self._keys is not None:
            return self._keys
        if self._named.is_named:
            if self._texts is None:
                self._texts = self._named.names()
            return self._texts
        return range(self.vertex_count)

    def index(self, names):
        """Numbers of the vertices of these names. KeyError where there is none."""
        names = list(names)
        if self._keys is None and self._named.is_named:
            found = self._named.find([str(name) for name in names])
            missing = np.flatnonzero(found < 0)
            if len(missing):
                raise KeyError(names[missing[0]])
            return found
        if self._keys is None:
            found = _integers(np.array(names if names else [], dtype=object), "vertex")
            outside = np.flatnonzero((found < 0) | (found >= self.vertex_count))
            if len(outside):
                raise KeyError(names[outside[0]])
            return found
        if self._places is None:
            self._places = {name: i for i, name in enumerate(self._keys)}
        return np.array([self._places[name] for name in names], dtype=np.int32)

    def components(self):
        """The number of the component of each vertex."""
        return self._named.components(run())

    def to_scipy(self):
        """The matrix of weights in compressed rows, over the memory of the graph: not to be
        written to."""
        from scipy.sparse import csr_matrix

        offsets, neighbors, weights = _gssl.rows(self._named)
        if weights is None:
            weights = np.broadcast_to(np.float64(1.0), neighbors.shape).copy()
        n = self.vertex_count
        return csr_matrix((weights, neighbors, offsets), shape=(n, n), copy=False)

    def __reduce__(self):
        keys = list(self.names) if self._keys is not None or self._named.is_named else None
        return _restored, tuple(np.array(part) if part is not None else None
                                for part in _gssl.rows(self._named)) + (keys, self.counts)

    def _for_writing(self):
        """The graph with names as text, for tables."""
        if self._keys is None or self._named.is_named:
            return self._named
        return self._named.with_names([str(name) for name in self._keys])


def _symmetric_but_for_rounding(csr):
    """As the kernel matrices of scikit-learn are: computed anew on both sides of the diagonal."""
    transposed = csr.T.tocsr()
    if (csr != 0).nnz != (csr != 0).multiply(transposed != 0).nnz:
        return False
    largest = np.abs(csr.data).max(initial=0.0)
    return np.abs((csr - transposed).data).max(initial=0.0) <= 1e-12 * largest


def _restored(offsets, neighbors, weights, keys, counts):
    graph = Graph._of(_gssl.graph_from_rows(offsets, neighbors, weights, run()), counts)
    if keys is not None:
        graph._take_names(keys)
    return graph


def _read(path, duplicates, directed, input_format, bipartite, asked, table=None):
    import json

    options = {"input_format": input_format, "duplicates": duplicates, "bipartite": bipartite,
               "directed": "" if directed in (None, "error") else directed, **(table or {})}
    named, stats = _gssl.read_graph(os.fspath(path), options, asked)
    stats = json.loads(stats)
    for note in stats["notes"]:
        warnings.warn(f"{path}: {note}", stacklevel=4)
    return named, stats["inputs"][0]


def graph_of_weights(source, threads=None):
    """The graph of a source that is a matrix of weights if it is an array at all."""
    if not isinstance(source, np.ndarray):
        return Graph(source, threads=threads)
    if not _is_matrix(source):
        raise Error(f"matrix of shape {source.shape}: must be square", "bad_data")
    graph = Graph._of(None)
    graph._from_matrix(source, "error", run(threads=threads))
    return graph


def _is_matrix(source):
    return (isinstance(source, np.ndarray) and source.ndim == 2 and len(source) > 0 and
            source.shape[0] == source.shape[1])


def _is_edge_array(source):
    if isinstance(source, tuple) and len(source) == 2:
        return all(isinstance(part, np.ndarray) and part.ndim == 1 for part in source)
    return isinstance(source, np.ndarray)


def _ends_of(source):
    if isinstance(source, tuple):
        return source
    if source.ndim == 2 and source.shape[1] == 2:
        return source[:, 0], source[:, 1]
    if source.ndim == 2 and source.shape[0] == 2:
        return source[0], source[1]
    raise Error(f"edges: array of shape {source.shape}: must be (edges, 2), (2, edges), or "
                "square, of weights", "bad_data")


def _integers(array, name):
    """int32, in either byte order and of any width, but nothing that is no whole number."""
    array = np.asarray(array)
    if array.dtype == object or array.dtype.kind == "f":
        whole = array.astype(np.float64) if array.size else np.zeros(array.shape)
        if not np.all(whole == np.floor(whole)):
            raise Error(f"{name}: must be whole numbers", "bad_data")
        array = whole
    elif array.dtype.kind not in "iu":
        raise Error(f"{name}: {array.dtype}: must be whole numbers", "bad_data")
    if array.size and (array.max() > 2**31 - 2 or array.min() < -(2**31)):
        raise Error(f"{name}: {array.max()}: must be below 2^31 - 1", "bad_data")
    return np.ascontiguousarray(array, dtype=np.int32)
