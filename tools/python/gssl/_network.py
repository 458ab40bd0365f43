"""What the network itself says: eigenpairs, clusters, resistances, cuts, kernels."""

from collections import namedtuple

import numpy as np

from . import _gssl
from ._errors import Error
from ._functions import as_graph
from ._run import report_of, run, spec_of

Spectrum = namedtuple("Spectrum", "values vectors residuals zero_count report")
Partition = namedtuple("Partition", "labels count report")
Resistance = namedtuple("Resistance", "values error_bound report")
Cut = namedtuple("Cut", "value side tied report")
Kernel = namedtuple("Kernel", "values report")


def spectrum(graph, count=10, *, laplacian="symmetric", tolerance=1e-6, method="automatic", seed=1,
             threads=None, time_limit=None, progress=None):
    """The smallest eigenpairs of a Laplacian: "combinatorial", "symmetric" or "random-walk".

    Row v of ``vectors`` is vertex v; ``residuals`` are recomputed from the pairs returned.
    """
    asked = run(seed, threads, time_limit, None, progress)
    *pairs, report = _gssl.spectrum(as_graph(graph)._named, count, laplacian, tolerance, method,
                                    asked)
    return Spectrum(*pairs, report_of(report))


def cluster(graph, k=None, *, method="spectral", most=20, seed=1, threads=None, time_limit=None,
            progress=None, **options):
    """Clusters of the vertices: labels 0, 1, ... in order of their first vertex.

    Without ``k`` as many as suit the graph, at most ``most``.
    """
    if k is not None and k < 1:
        raise Error(f"k {k}: must be >= 1")
    asked = run(seed, threads, time_limit, None, progress)
    labels, count, report = _gssl.cluster(as_graph(graph)._named, k or 0, most,
                                          spec_of(method, options), asked)
    return Partition(labels, count, report_of(report))


def resistance(graph, pairs=None, *, source=None, of="edges", method="automatic", epsilon=0.0,
               tolerance=1e-10, seed=1, threads=None, time_limit=None, progress=None):
    """Effective resistances: of ``pairs`` of names, from one ``source`` to every vertex, or ``of``
    all "edges" (by ends u < v), the "diagonal" of the pseudoinverse, the "total" of each component.

    ``epsilon`` > 0 allows that relative error, for speed. Infinite between components.
    """
    graph = as_graph(graph)
    asked = run(seed, threads, time_limit, None, progress)
    if pairs is not None:
        pairs = list(pairs)
        what = (graph.index([pair[0] for pair in pairs]), graph.index([pair[1] for pair in pairs]))
    elif source is not None:
        what = int(graph.index([source])[0])
    elif of in ("edges", "diagonal", "total"):
        what = of
    else:
        raise Error(f"of {of!r}: must be edges, diagonal or total")
    values, error_bound, report = _gssl.resistance(graph._named, what, method, epsilon, tolerance,
                                                   asked)
    return Resistance(values, error_bound if len(error_bound) else None, report_of(report))


def min_cut(graph, sources=None, sinks=None, *, method="automatic", seed=1, threads=None,
            time_limit=None, progress=None):
    """The cheapest cut between names, or without any the cheapest that parts the graph in two.

    ``side`` is true on the side of the sources (of fewer vertices), ``tied`` where another cut of
    the same value has the vertex on the other side.
    """
    graph = as_graph(graph)
    asked = run(seed, threads, time_limit, None, progress)
    if (sources is None) != (sinks is None):
        raise Error("sources and sinks: give both, or neither")
    if sources is None:
        value, side, tied, report = _gssl.cut_whole(graph._named, asked)
    else:
        value, side, tied, report = _gssl.cut_between(
            graph._named, graph.index(sources), graph.index(sinks), method, asked)
    return Cut(value, side.astype(bool), tied.astype(bool), report_of(report))


def kernel(graph, kind="pseudoinverse", *, columns=None, product=None, diagonal=False, seed=1,
           threads=None, time_limit=None, progress=None, **options):
    """A graph kernel: its ``columns`` at these names, its ``product`` with a block of columns, or
    its ``diagonal``. ``kind`` is one of gssl kernel, with options as further keywords."""
    graph = as_graph(graph)
    asked = run(seed, threads, time_limit, None, progress)
    spec = spec_of(kind, options)
    if (columns is not None) + (product is not None) + bool(diagonal) != 1:
        raise Error("give one of columns, product and diagonal")
    if diagonal:
        return Kernel(_gssl.kernel_diagonal(graph._named, spec, asked), {})
    if columns is not None:
        values, report = _gssl.kernel(graph._named, spec, graph.index(columns), None, asked)
        return Kernel(values, report_of(report))
    block = np.asarray(product, dtype=np.float64)
    flat = block.ndim == 1
    values, report = _gssl.kernel(graph._named, spec, None, block[:, None] if flat else block, asked)
    return Kernel(values[:, 0] if flat else values, report_of(report))
