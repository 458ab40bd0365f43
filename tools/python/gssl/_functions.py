"""Labels of a graph, why they are so, and which to ask for next."""

from collections import namedtuple

import numpy as np

from . import _gssl
from ._errors import Error
from ._graph import Graph
from ._labels import Given, LabelResult, given_labels, given_of_rows
from ._points import build, points_parts
from ._run import report_of, run, spec_of

_NO_LABELS = (np.empty(0, np.int32), np.empty(0, np.int32), [])


def as_graph(graph):
    return graph if isinstance(graph, Graph) else Graph(graph)


def _shares(priors, given):
    """The shares in the order of the classes, with sum 1; [] where none are asked for."""
    if priors is None:
        return []
    if isinstance(priors, dict):
        missing = [one for one in given.classes.tolist() if one not in priors]
        if missing or len(priors) != len(given.classes):
            raise Error(f"priors: must have a share for each class; {missing or list(priors)}")
        priors = [priors[one] for one in given.classes.tolist()]
    shares = np.asarray(priors, dtype=np.float64)
    if shares.size == 0:
        raise Error("priors: must have a share for each class; []")
    return (shares / shares.sum()).tolist()


def label(graph, labels, method="auto", *, regression=False, unlabeled=-1, missing="default",
          unknown="error", label_columns=None, priors=None, scores=True, calibrate=None, min_confidence=0.0, seed=1,
          threads=None, time_limit=None, memory_limit=None, progress=None, **options):
    """Labels every vertex of a graph from a few given labels.

    Parameters
    ----------
    graph : Graph, or anything that Graph takes
    labels : dict by name, list with an entry for each vertex, or path of a label file
        In a list None, NaN, "", masked entries and ``unlabeled`` say that there is no label.
    method : learner, as ``NAME`` or ``NAME:key=value,...``; further keywords are its options
    regression : labels are numbers to be met, not classes
    missing, unknown : of a label file, as --missing and --unknown-labels (error or ignore)
    label_columns : of a label file with more columns, those of the vertex and the label, from 1
    priors : share of each class that the answer should meet, as a dict or in the order of classes;
        for learners that have the option
    scores : False may save memory where there are many classes
    calibrate : "temperature", "isotonic" or "platt": confidence becomes the chance to be right, by
        given labels that are left out; "temperature" asks all vertices, too
    min_confidence : below, no answer is given (status uncertain)
    seed, threads, time_limit (seconds), memory_limit (bytes)
    progress : function (stage, share or None); False ends the work

    Returns
    -------
    LabelResult

    Warns with ConvergenceWarning where the work ended before its tolerance; raises Error.
    """
    graph = as_graph(graph)
    given = given_labels(graph, labels, regression, unlabeled, missing, unknown, label_columns)
    asked = run(seed, threads, time_limit, memory_limit, progress)
    if calibrate and regression:
        raise Error("calibrate: real targets have no classes")
    if not 0.0 <= min_confidence <= 1.0:
        raise Error(f"min_confidence {min_confidence}: must be in [0, 1]")
    held = _gssl.label(graph._named, spec_of(method, options), _shares(priors, given), given.parts,
                       bool(scores or regression), calibrate or "", asked)
    return LabelResult(held, graph, given, report_of(held.report), min_confidence)


def label_points(points, labels, method="auto", *, knn=10, mutual=False, epsilon=None, mst=False,
                 metric="euclidean", weights="gaussian", scale=None, recall=1.0, regression=False,
                 unlabeled=-1, seed=1, threads=None, time_limit=None, memory_limit=None,
                 progress=None, **options):
    """Labels rows of points: builds their graph as ``build`` does, and labels that.

    The result has ``predict(others)`` for points that are not in the graph. Learners of kind points
    build no graph. ``labels`` is a list with an entry for each row, or a dict by row.
    """
    parts, rows = points_parts(points)
    shared = dict(seed=seed, threads=threads, time_limit=time_limit, memory_limit=memory_limit,
                  progress=progress)
    spec = spec_of(method, options)
    if _of_points(spec):
        given = _given_by_row(labels, rows, regression, unlabeled)
        held = _gssl.label_points(parts, spec, given.parts, run(**shared))
        return LabelResult(held, _Rows(rows), given, report_of(held.report))
    built = build(points, knn=knn, mutual=mutual, epsilon=epsilon, mst=mst, metric=metric,
                  weights=weights, scale=scale, recall=recall, **shared)
    given = given_labels(built.graph, labels, regression, unlabeled)
    held = _gssl.label(built.graph._named, spec, [], given.parts, True, "", run(**shared))
    result = PointsResult(held, built.graph, given, report_of(held.report))
    object.__setattr__(result, "points", built)
    return result


class PointsResult(LabelResult):
    """A LabelResult of points, which can be carried to others: ``points`` is their graph."""

    __slots__ = ("points",)

    def predict(self, others, k=None):
        """Labels of other points by the weighted mean of their k nearest in the graph."""
        held, rows = self.points.extend(self._held, others, k)
        return LabelResult(held, _Rows(rows), self._given, {})


class _Rows:
    """What a graph is to a result where there is none: names of rows."""

    def __init__(self, rows):
        self.names = range(rows)
        self._named = None

    def index(self, names):
        return [self.names.index(name) for name in names]

    def _for_writing(self):
        empty = np.empty(0, np.int32)
        named, _ = _gssl.graph_from_edges(len(self.names), empty, empty, None, "sum", "automatic",
                                          run())
        return named


def _of_points(spec):
    name = spec.partition(":")[0]
    return name in _kinds() and _kinds()[name] == ["points"]


_kinds_of_learners = None


def _kinds():
    global _kinds_of_learners
    if _kinds_of_learners is None:
        import json

        _kinds_of_learners = {one["name"]: one["kinds"] for one in json.loads(_gssl.learners())}
    return _kinds_of_learners


def _given_by_row(labels, rows, regression, unlabeled):
    if isinstance(labels, dict):
        return Given(list(labels), list(labels.values()), regression)
    return given_of_rows(labels, rows, regression, unlabeled)


Explanation = namedtuple("Explanation", "vertex status labels shares")
Suspect = namedtuple("Suspect", "vertex label suspicion best best_score own_score status")
Question = namedtuple("Question", "vertex score unreached")


def explain(graph, labels, vertices, *, top=None, method="harmonic", regression=False, unlabeled=-1,
            seed=1, threads=None, time_limit=None, progress=None, **options):
    """Which given labels make up the harmonic score of these vertices (by name).

    A list of (vertex, status, labels, shares): the names of the labelled vertices, largest share
    first, at most ``top``. Shares add up to one.
    """
    graph = as_graph(graph)
    given = given_labels(graph, labels, regression, unlabeled)
    asked = run(seed, threads, time_limit, None, progress)
    found, report = _gssl.explain(graph._named, given.parts, graph.index(vertices),
                                  spec_of(method, options), asked)
    report_of(report)
    names = graph.names
    return [Explanation(names[vertex], status, [names[v] for v in near[:top]], shares[:top])
            for vertex, status, near, shares, _ in found]


def suspects(graph, labels, *, top=None, method="harmonic", regression=False, unlabeled=-1, seed=1,
             threads=None, time_limit=None, progress=None, **options):
    """The given labels by how much the others contradict them, most suspicious first."""
    graph = as_graph(graph)
    given = given_labels(graph, labels, regression, unlabeled)
    asked = run(seed, threads, time_limit, None, progress)
    found, report = _gssl.suspects(graph._named, given.parts, spec_of(method, options), asked)
    report_of(report)
    names = graph.names
    label_of = dict(zip(given.vertices.tolist(), given.values.tolist()))
    ranked = []
    for vertex, suspicion, best, best_score, own_score, status in found[:top]:
        better = best_score if regression else given.classes[best] if best >= 0 else None
        ranked.append(Suspect(names[vertex], label_of[vertex], suspicion, better, best_score,
                              own_score, status))
    return ranked


def ask(graph, labels, count=1, *, criterion="model-change", candidates=None, method="harmonic",
        unlabeled=-1, seed=1, threads=None, time_limit=None, progress=None, **options):
    """Which vertices to label next, best first: a list of (vertex, score, unreached).

    ``criterion`` is one of gssl ask (``"v-opt:rank=100"``), ``candidates`` the names that may be
    asked. ``labels`` may be empty.
    """
    graph = as_graph(graph)
    asked = run(seed, threads, time_limit, None, progress)
    parts = _NO_LABELS
    if not (isinstance(labels, dict) and not labels):
        given = given_labels(graph, labels, False, unlabeled)
        parts = given.parts if len(given.vertices) else _NO_LABELS
    allowed = None if candidates is None else graph.index(candidates)
    vertices, scores, unreached, report = _gssl.ask(graph._named, parts, count, criterion, allowed,
                                                    spec_of(method, options), asked)
    report_of(report)
    names = graph.names
    return [Question(names[v], float(score), bool(far))
            for v, score, far in zip(vertices.tolist(), scores, unreached)]
