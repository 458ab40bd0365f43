"""Given labels, as people have them, and what was found."""

import os
from collections.abc import Mapping

import numpy as np

from . import _gssl
from ._errors import Error

_STATUS = np.array(["given", "inferred", "unreached", "tied", "unfinished"])


def _is_missing(value):
    return value is None or (isinstance(value, str) and value == "") or value != value


def _sorted_classes(values):
    """Distinct classes in the order of the library: text bytewise, numbers and numerals by value."""
    distinct = list(dict.fromkeys(values))
    if all(isinstance(value, str) for value in distinct):
        numerals = all(value.lstrip("+-").isdigit() and value.isascii() for value in distinct)
        return sorted(distinct, key=int if numerals else lambda value: value.encode())
    try:
        return sorted(distinct)
    except TypeError:
        return sorted(distinct, key=str)


def encoded(values):
    """(class numbers, classes, names of the classes) of a list of classes."""
    array = np.asarray(values)
    if array.dtype.kind == "O" and len(array) and all(_is_integer(one) for one in array.tolist()):
        array = np.array(array.tolist())
    if array.dtype.kind in "iub":
        classes, codes = np.unique(array, return_inverse=True)
        return codes.astype(np.int32), classes, [str(one) for one in classes.tolist()]
    items = array.tolist()
    order = _sorted_classes(items)
    place = {value: i for i, value in enumerate(order)}
    codes = np.fromiter((place[value] for value in items), dtype=np.int32, count=len(items))
    names = [_name(value) for value in order]
    if len(set(names)) != len(names):
        raise Error(f"classes {order}: two have the same name", "bad_data")
    kind = array.dtype if array.dtype.kind in "fU" else object
    classes = np.empty(len(order), dtype=kind)
    classes[:] = order
    return codes, classes, names


def _is_integer(value):
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _name(value):
    return value if isinstance(value, str) else str(value)


class Given:
    """Labels of some of ``rows`` vertices, ready for the module: ``parts``."""

    def __init__(self, vertices, values, regression):
        self.regression = regression
        self.vertices = np.ascontiguousarray(vertices, dtype=np.int32)
        if regression:
            values = np.ascontiguousarray(values, dtype=np.float64)
            self.classes = np.empty(0)
            self.parts = (self.vertices, values, None)
            self.values = values
        else:
            codes, self.classes, names = encoded(values)
            self.parts = (self.vertices, codes, names)
            self.values = self.classes[codes]


def given_of_rows(labels, rows, regression=False, unlabeled=-1):
    """Of a list with an entry for each row, where None, NaN, "", what is masked and ``unlabeled``
    mean that there is no label."""
    mask = np.ma.getmaskarray(labels) if np.ma.isMaskedArray(labels) else None
    array = np.ma.getdata(labels) if mask is not None else np.asarray(labels)
    if array.ndim != 1 or len(array) != rows:
        raise Error(f"labels: shape {array.shape}: must be ({rows},), one for each, or a dict by name",
                    "bad_data")
    if array.dtype.kind in "iu":
        known = np.ones(rows, bool)
        if unlabeled is not None and not regression:
            known = array != unlabeled
    elif array.dtype.kind == "f":
        known = ~np.isnan(array)
        if unlabeled is not None and not regression:
            known &= array != unlabeled
    else:
        known = np.array([not _is_missing(value) for value in array.tolist()], dtype=bool)
        if unlabeled is not None:
            known &= np.array([not _equal(value, unlabeled) for value in array.tolist()], dtype=bool)
    if mask is not None:
        known &= ~mask
    vertices = np.flatnonzero(known)
    return Given(vertices, array[vertices], regression)


def _equal(a, b):
    return type(a) is type(b) and a == b


def given_labels(graph, labels, regression=False, unlabeled=-1, missing="default",
                 unknown="error", columns=None):
    """Of a dict by name, a list by vertex, or a label file."""
    if isinstance(labels, Given):
        return labels
    if isinstance(labels, (str, os.PathLike)):
        vertices, texts, _ = _gssl.read_labels(os.fspath(labels), graph._for_writing(), missing,
                                               unknown, columns)
        if regression:
            texts = [float(text) for text in texts]
        return Given(vertices, texts if regression else np.array(texts, dtype=object), regression)
    if isinstance(labels, Mapping):
        known = {name: label for name, label in labels.items() if not _is_missing(label)}
        try:
            vertices = graph.index(known)
        except KeyError as error:
            raise Error(f"labels: {error.args[0]!r}: is no vertex of the graph", "bad_data") from None
        values = list(known.values())
        if not regression and not all(isinstance(v, (int, np.integer)) for v in values):
            values = np.array(values + [None], dtype=object)[:-1]
        return Given(vertices, values, regression)
    return given_of_rows(labels, graph.vertex_count, regression, unlabeled)


class LabelResult:
    """What was found: a label, scores, a confidence and a status for every vertex.

    Attributes
    ----------
    classes : the classes, sorted, in the type they were given in
    labels : the class of each vertex; no answer is -1 (None where that is a class or classes are
        text, NaN where they are floats). Of a regression the value
    scores : a row for each vertex, a column for each class, read-only
    confidence : in [0, 1]
    status : given, inferred, unreached (no label in its component), tied, unfinished
    method : the learner with every option spelled out
    report : what proves it: solver, residual, certificates, seconds, warnings
    """

    __slots__ = ("_held", "_graph", "_given", "_labels", "_classes", "report", "_unsure")

    def __init__(self, held, graph, given, report, min_confidence=0.0):
        set_ = object.__setattr__
        set_(self, "_held", held)
        set_(self, "_graph", graph)
        set_(self, "_given", given)
        set_(self, "report", report)
        set_(self, "_classes", given.classes)
        set_(self, "_labels", None)
        set_(self, "_unsure", None)
        if min_confidence > 0.0:
            set_(self, "_unsure", np.isin(self.status_codes, (1, 3)) & (self.confidence < min_confidence))

    def __setattr__(self, name, value):
        raise AttributeError(f"{name}: a result does not change")

    @property
    def graph(self):
        return self._graph

    @property
    def classes(self):
        return self._classes

    @property
    def method(self):
        return self._held.spec

    @property
    def scores(self):
        return _gssl.scores_of(self._held)

    @property
    def confidence(self):
        return _gssl.confidence_of(self._held)

    @property
    def status_codes(self):
        """0 given, 1 inferred, 2 unreached, 3 tied, 4 unfinished."""
        return _gssl.status_of(self._held)

    @property
    def status(self):
        status = _STATUS[self.status_codes]
        if self._unsure is not None:
            status[self._unsure] = "uncertain"
        return status

    @property
    def codes(self):
        """The place of each label among the classes; -1: no answer."""
        codes = _gssl.decision_of(self._held)
        if self._unsure is None:
            return codes
        codes = codes.copy()
        codes[self._unsure] = -1
        return codes

    @property
    def labels(self):
        if self._labels is None:
            object.__setattr__(self, "_labels", self._make_labels())
        return self._labels

    def _make_labels(self):
        if self._given.regression:
            values = self.scores[:, 0].copy()
            values[np.isin(self.status_codes, (2, 4))] = np.nan
            return values
        return labels_of_codes(self.classes, self.codes)

    def __reduce__(self):
        return _result_from, (type(self), [(name, getattr(self, name)) for name in
                                           (*LabelResult.__slots__, *type(self).__slots__)])

    def __getitem__(self, name):
        """The label of the vertex of this name."""
        return self.labels[self._graph.index([name])[0]]

    def __len__(self):
        return len(self.status_codes)

    def __repr__(self):
        codes, counts = np.unique(self.status_codes, return_counts=True)
        told = ", ".join(f"{count} {_STATUS[code]}" for code, count in zip(codes, counts))
        return f"<gssl.LabelResult of {self.method.partition(':')[0]}: {told}>"

    def to_frame(self):
        """A pandas table: node, label, confidence, status."""
        import pandas

        return pandas.DataFrame({"node": list(self._graph.names), "label": self.labels,
                                 "confidence": self.confidence, "status": self.status})

    def write(self, path, *, format="tsv", scores=False):
        """The table that gssl label writes (with ``scores``, that of --scores), to the byte."""
        self._held.write(os.fspath(path), format, self._graph._for_writing(), scores)


def _result_from(kind, slots):
    result = kind.__new__(kind)
    for name, value in slots:
        object.__setattr__(result, name, value)
    return result


def labels_of_codes(classes, codes):
    """Classes by number, with what stands for no answer where it is -1."""
    if len(codes) and codes.min() >= 0:
        return classes[codes]
    if classes.dtype.kind == "i" and not np.any(classes == -1):
        return np.where(codes < 0, -1, classes[codes])
    if classes.dtype.kind == "f":
        return np.where(codes < 0, np.nan, classes[codes])
    labels = np.empty(len(codes), dtype=object)
    known = codes >= 0
    labels[known] = classes[codes[known]]
    return labels
