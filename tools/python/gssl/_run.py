"""What every function takes beside its problem: seed, threads, limits, progress."""

import json
import operator
import os
import warnings

from . import _gssl
from ._errors import ConvergenceWarning, Error


def run(seed=1, threads=None, time_limit=None, memory_limit=None, progress=None):
    """The tuple that the module takes."""
    if threads is None:
        # Where OpenMP programs are told how many threads they may have (joblib does), that counts.
        told = os.environ.get("OMP_NUM_THREADS", "")
        threads = int(told) if told.isdigit() else 0
    threads = operator.index(threads)
    if threads < 0:
        raise Error(f"threads {threads}: must be >= 0; 0 is all that the process may use")
    if time_limit is not None and not 0 < float(time_limit):
        raise Error(f"time_limit {time_limit}: must be > 0 seconds, or None")
    if time_limit is not None and float(time_limit) > 1e9:
        time_limit = None
    memory_limit = 0 if memory_limit is None else operator.index(memory_limit)
    if memory_limit < 0:
        raise Error(f"memory_limit {memory_limit}: must be >= 0 bytes, or None")
    if progress is not None and not callable(progress):
        raise Error("progress: must be a function (stage, share), or None")
    seed = operator.index(seed)
    if not 0 <= seed < 2**64:
        raise Error(f"seed {seed}: must be in [0, 2^64)")
    return seed, threads, time_limit, memory_limit, progress


def report_of(text, stacklevel=3):
    """The report as a dict; warns where the work was not finished."""
    report = json.loads(text)
    if report.get("outcome") == "incomplete":
        sentence = report.get("solver", {}).get("sentence") or "ended before its tolerance"
        warnings.warn(sentence, ConvergenceWarning, stacklevel=stacklevel)
    return report


def _text(name, value):
    """A value as the option tables read it."""
    if isinstance(value, str):
        return value
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, int):
        return str(value)
    try:
        return ";".join(_text(name, item) for item in value)
    except TypeError:
        raise Error(f"{name}={value!r}: must be a number, a truth value, text or a list") from None

_options_of = None


def _catalog_options():
    """Of each learner its options by Python name: (name, default)."""
    global _options_of
    if _options_of is None:
        _options_of = {
            one["name"]: {o["name"].replace("-", "_"): (o["name"], o["default"])
                          for o in one["options"]}
            for one in json.loads(_gssl.learners())}
    return _options_of


def spec_of(method, options):
    """NAME[:key=value,...] of a method and keywords; None leaves an option at its default."""
    given = {name.rstrip("_"): value for name, value in options.items() if value is not None}
    if not given:
        return method
    known = _catalog_options().get(method.partition(":")[0], {})
    text = ",".join(f"{known.get(name, (name,))[0]}={_text(name, value)}"
                    for name, value in given.items())
    return method + ("," if ":" in method else ":") + text


def changed_spec(method, options):
    """The same of all options by their names in the tables, of which those that are at their default
    say nothing: to some learners it matters what was said."""
    defaults = {name: default for name, default in _catalog_options()[method].values()}
    changed = {name: value for name, value in options.items()
               if value is not None and not _says(value, defaults[name])}
    text = ",".join(f"{name}={_text(name, value)}" for name, value in changed.items())
    return f"{method}:{text}" if text else method


def _says(value, text):
    """Whether the value is that of the text, as a number where both are."""
    told = _text("", value)
    if told == text:
        return True
    try:
        return isinstance(value, (int, float)) and float(told) == float(text)
    except ValueError:
        return False
