"""Learners of tables, and learners trial by trial."""

import json
import os

import numpy as np

from . import _gssl
from ._errors import Error
from ._labels import encoded, labels_of_codes
from ._points import points_parts
from ._run import report_of, run, spec_of


class Model:
    """A model of a table, for new rows; what ``fit`` returns."""

    def __init__(self, trained, classes, report):
        self._trained, self.classes, self.report = trained, classes, report

    @property
    def method(self):
        return self._trained.spec

    @property
    def facts(self):
        """What there is to know of it, as a dict of texts."""
        return self._trained.facts()

    def __repr__(self):
        return f"<gssl.Model {self._trained.learner}>"

    def _ask(self, points, threads=None):
        parts, _ = points_parts(points)
        return self._trained.predict(parts, run(threads=threads))

    def predict(self, points, *, threads=None):
        """The class of each row, or its value."""
        scores, _, decision, _ = self._ask(points, threads)
        if self._trained.regression:
            return scores[:, 0]
        return labels_of_codes(self.classes, decision)

    def scores(self, points, *, threads=None):
        """(scores, what they are: decision, shares, probability or value)."""
        return self._ask(points, threads)[:2]

    def confidence(self, points, *, threads=None):
        return self._ask(points, threads)[3]

    def save(self, path):
        """The file that gssl predict takes."""
        self._trained.save(os.fspath(path))

    def __reduce__(self):
        return _model_from, (self._trained.to_bytes(), self.classes, self.report)


def _from_file(data, load):
    import tempfile  # takes as long as all of this package to load

    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        return load(file.name)


def _model_from(data, classes, report):
    return Model(_from_file(data, _gssl.load_model), classes, report)


def load_model(path):
    """A model that ``save`` or gssl fit wrote. Its classes are text."""
    trained = _gssl.load_model(os.fspath(path))
    return Model(trained, np.array(trained.class_names, dtype=object), {})


def fit(points, targets, method="nearest-mean", *, regression=False, weights=None,
        standardize=False, calibrate=None, seed=1, threads=None, time_limit=None, memory_limit=None,
        progress=None, **options):
    """Learns a model from rows of points and their classes (with ``regression``, their values).

    ``weights`` says how much each row counts, ``standardize`` scales columns to mean 0 and standard
    deviation 1, ``calibrate`` ("platt", "isotonic", "temperature") makes scores probabilities.
    """
    parts, rows = points_parts(points)
    targets = np.asarray(targets)
    if targets.ndim != 1 or len(targets) != rows:
        raise Error(f"targets: shape {targets.shape}: must be ({rows},), one for each row",
                    "bad_data")
    if regression:
        classes, y = None, (np.asarray(targets, dtype=np.float64), None)
    else:
        codes, classes, names = encoded(targets)
        y = (codes, names)
    if weights is not None:
        weights = np.asarray(weights, dtype=np.float64)
    asked = run(seed, threads, time_limit, memory_limit, progress)
    trained, report = _gssl.fit(parts, y, spec_of(method, options), weights, calibrate or "none",
                                bool(standardize), asked)
    return Model(trained, classes, report_of(report))


_NONE = np.empty(0)
_NO_PLACES = np.empty(0, np.int64)


class Online:
    """An online learner: predict, see the outcome, update; trial after trial.

    Parameters
    ----------
    method : learner of kind online, as NAME or NAME:key=value,...; further keywords are its options
    classes : all classes, the positive one last; None: outcomes are numbers
    graph : whose vertices the trials name (kind vertex)
    width : columns, experts, actions or arms, where they must be known; of a matrix its rows
    columns : of a matrix
    horizon : trials to come, for learners whose rate depends on it
    """

    def __init__(self, method, *, classes=None, graph=None, width=0, columns=0, horizon=0, seed=1,
                 **options):
        from ._functions import as_graph

        self.classes = None if classes is None else list(classes)
        self.graph = None if graph is None else as_graph(graph)
        self._seed = run(seed)[0]
        self._spec = spec_of(method, options)
        self._setting = {
            "width": width, "width2": columns, "horizon": horizon,
            "class_names": [str(one) for one in self.classes or []],
            "graph": None if self.graph is None else self.graph._named}
        self._session = _gssl.Session(self._spec, self._setting, self._seed)

    @property
    def kind(self):
        """What an instance is: row, advice, losses, vertex, task-row, cell, arm."""
        return self._session.kind

    @property
    def method(self):
        return self._session.spec

    def _place(self, instance):
        """(values, columns, first, second) of an instance of this kind."""
        kind = self.kind
        if kind in ("losses", "arm"):
            return _NONE, np.empty(0, np.int32), -1, -1
        if kind == "vertex":
            return _NONE, np.empty(0, np.int32), int(self.graph.index([instance])[0]), -1
        if kind == "cell":
            return _NONE, np.empty(0, np.int32), int(instance[0]), int(instance[1])
        if kind == "task-row":
            return np.asarray(instance[1], float), np.empty(0, np.int32), int(instance[0]), -1
        return np.asarray(instance, float), np.empty(0, np.int32), -1, -1

    def predict(self, instance=None):
        """The class of the instance (or a number, an action, an arm)."""
        value = self._session.predict(*self._place(instance))
        if self._tells_classes():
            return self.classes[int(value)]
        return int(value) if self.kind in ("losses", "arm") else value

    def _tells_classes(self):
        return self.classes is not None and self.kind not in ("losses", "arm")

    def update(self, outcome):
        """The outcome of what was predicted last (a class, a number, or the losses of all actions);
        returns the loss of this trial."""
        if self.kind == "losses":
            return self._session.update(0.0, np.asarray(outcome, float))
        if self._tells_classes():
            outcome = self.classes.index(outcome)
        return self._session.update(float(outcome), _NONE)

    def run(self, instances, outcomes, *, time_limit=None, progress=None):
        """Trial after trial over arrays: (predictions, losses).

        ``instances`` are rows, vertices by name, or pairs (row, column) of cells; None where the
        learner takes none.
        """
        values, first, second = np.empty((0, 0)), _NO_PLACES, _NO_PLACES
        if self.kind == "vertex":
            first = self.graph.index(instances).astype(np.int64)
        elif self.kind == "cell":
            cells = np.asarray(instances, dtype=np.int64)
            first, second = np.ascontiguousarray(cells[:, 0]), np.ascontiguousarray(cells[:, 1])
        elif self.kind == "task-row":
            raise Error("task-row: give its trials one by one, to predict() and update()")
        elif instances is not None:
            values = np.ascontiguousarray(instances, dtype=np.float64)
        if self._tells_classes():
            place = {one: i for i, one in enumerate(self.classes)}
            outcomes = [place[one] for one in np.asarray(outcomes).tolist()]
        outcomes = np.ascontiguousarray(outcomes, dtype=np.float64)
        for array in (values, first, second):
            if len(array) not in (0, len(outcomes)):
                raise Error(f"{len(array)} instances, {len(outcomes)} outcomes: must be as many",
                            "bad_data")
        asked = run(self._seed, 1, time_limit, None, progress)
        predictions, losses = self._session.run(values, first, second, outcomes, asked)
        if self._tells_classes():
            predictions = np.array(self.classes, dtype=object)[predictions.astype(int)]
        return predictions, losses

    @property
    def report(self):
        """Trials, mistakes, loss, comparator, regret, and the bound that is proved for this run."""
        return json.loads(self._session.report())

    def __reduce__(self):
        return _online_from, (self._spec, self.classes, self.graph,
                              {**self._setting, "graph": None}, self._seed, self._session.save())


def _online_from(spec, classes, graph, setting, seed, data):
    online = Online.__new__(Online)
    online.classes, online.graph, online._spec, online._seed = classes, graph, spec, seed
    online._setting = {**setting, "graph": None if graph is None else graph._named}
    online._session = _gssl.Session(spec, online._setting, seed)
    _from_file(data, online._session.resume)
    return online
