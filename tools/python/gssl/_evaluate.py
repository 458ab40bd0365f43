"""Learners compared on the same trials, where the truth is known."""

import json
import warnings

import numpy as np

from . import _gssl
from ._errors import ConvergenceWarning, Error
from ._functions import as_graph
from ._labels import Given, given_labels, given_of_rows
from ._points import PointGraph, points_parts
from ._run import run


def _parts(split):
    """What is learned from, and of a pair of lists what is measured."""
    pair = isinstance(split, tuple) and len(split) == 2
    return split if pair and all(np.ndim(part) == 1 for part in split) else (split,)


def evaluate(graph, truth, methods="auto", *, points=None, graphs=None, labels_per_class=None,
             folds=None, leave_one_out=False, splits=None, train=0.0, validation=0.0, test=0.0,
             repeats=None, inner_folds=5, standardize=False, class_weight=None, sample_weight=None,
             calibrate="none", calibration_folds=5, memory=False, regression=False, unlabeled=-1,
             seed=1, threads=None, time_limit=None, memory_limit=None, progress=None):
    """Learners of any kinds on the same trials, with tests of their differences, as gssl evaluate.

    Parameters
    ----------
    graph : what Graph takes, or what build returns; None where all learn from points
    truth : as labels of ``label``: all that is known
    methods : one or several, as NAME or NAME:key=value,...; a|b for a value is a grid, from which
        the training part of each trial chooses
    points : rows for the learners of tables; those of ``graph`` where ``build`` made it
    graphs : dict of further graphs of the same vertices by name; each learner on graphs chooses one
    labels_per_class, folds, leave_one_out, splits, train with test and validation
        One of these: numbers of random labels of each class (default 1, 2 and 5); number of
        stratified folds; each row by all others; lists of the names to learn from, or pairs
        (tuples) of one to learn from and one to measure; shares of rows
    repeats : random trials of each kind; None: 20 label sets, 10 of shares, folds once
    inner_folds : of the training part, to choose from a grid without ``validation``
    standardize, class_weight, sample_weight : of learners of rows: columns to mean 0 and deviation 1;
        "balanced" or a dict of classes; how much each row counts. Learned in the training part alone
    calibrate, calibration_folds : "platt", "isotonic" or "temperature" makes confidence the chance
        to be right, by rows of the training part that are held out
    memory : measure what the first trial of each method adds to memory, at each number of labels
    regression : the truth is numbers

    Returns
    -------
    dict with ``comparisons`` (a mean for each method and group of trials, with its interval, its
    difference from the best and whether that is chance), ``trials`` and what they are of: the
    document that gssl evaluate --results writes and gssl report shows (docs/evaluate.md).
    """
    given_points = points
    if isinstance(graph, PointGraph):
        parts, graph = graph.points, graph.graph
        points = parts if points is None else points_parts(points)[0]
    elif points is not None:
        points = points_parts(points)[0]
    if graph is None and points is None:
        raise Error("evaluate: needs a graph, points, or both")
    rows = points_parts(given_points)[1] if graph is None else None
    graph = None if graph is None else as_graph(graph)
    if rows is None:
        given = given_labels(graph, truth, regression, unlabeled)
    elif isinstance(truth, dict):
        given = Given(list(truth), list(truth.values()), regression)
    else:
        given = given_of_rows(truth, rows, regression, unlabeled)
    if isinstance(class_weight, dict):
        class_weight = ",".join(f"{name}={weight}" for name, weight in class_weight.items())
    if sample_weight is not None:
        sample_weight = np.asarray(sample_weight, dtype=float)
    plan = {
        "regression": bool(regression), "folds": folds or 0, "leave_one_out": bool(leave_one_out),
        "labels_per_class": [] if labels_per_class is None else
        np.atleast_1d(labels_per_class).tolist(),
        "splits": None if splits is None else
        [[np.asarray(part if graph is None else graph.index(part), dtype=np.int32)
          for part in _parts(one)] for one in splits],
        "train": train, "validation": validation, "test": test, "repeats": repeats or 0,
        "inner_folds": inner_folds, "memory": bool(memory), "standardize": bool(standardize),
        "class_weight": class_weight, "sample_weight": sample_weight, "calibrate": calibrate,
        "calibration_folds": int(calibration_folds)}
    found = json.loads(_gssl.evaluate(
        None if graph is None else graph._named, points,
        [(name, as_graph(one)._named) for name, one in (graphs or {}).items()], given.parts,
        [methods] if isinstance(methods, str) else list(methods), plan,
        run(seed, threads, time_limit, memory_limit, progress)))
    failed = {one["error"] for one in found["trials"] if one["error"]}
    for error in sorted(failed):
        warnings.warn(f"a trial without a result: {error}", ConvergenceWarning, stacklevel=2)
    if not found["complete"]:
        warnings.warn(f"stopped after {len(found['trials'])} results", ConvergenceWarning,
                      stacklevel=2)
    return found
