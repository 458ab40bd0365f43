"""Writes gssl/learners.py, learners.pyi and _estimators.py from the option tables of the module.

    generate.py PACKAGE        the folder that holds _gssl*.so
"""

import json
import keyword
import os
import re
import sys
import textwrap

RUN = [("seed", "int", "1"), ("threads", "Optional[int]", "None"),
       ("time_limit", "Optional[float]", "None"), ("memory_limit", "Optional[int]", "None"),
       ("progress", "Optional[Callable]", "None")]
LABEL = [("regression", "bool", "False"), ("unlabeled", "Any", "-1"), ("scores", "bool", "True"),
         ("calibrate", "Optional[str]", "None"), ("min_confidence", "float", "0.0")] + RUN
POINTS = [("regression", "bool", "False"), ("unlabeled", "Any", "-1")] + RUN
FIT = [("regression", "bool", "False"), ("weights_of_rows", "Any", "None"),
       ("standardize", "bool", "False"), ("calibrate", "Optional[str]", "None")] + RUN
ONLINE = [("classes", "Any", "None"), ("graph", "Any", "None"), ("width", "int", "0"),
          ("columns", "int", "0"), ("horizon", "int", "0"), ("seed", "int", "1")]
CLUSTER = [("most", "int", "20"), ("seed", "int", "1"), ("threads", "Optional[int]", "None"),
           ("time_limit", "Optional[float]", "None"), ("progress", "Optional[Callable]", "None")]
GRAPH_ESTIMATOR = [("metric", "str", '"euclidean"'), ("n_neighbors", "int", "10"),
                   ("weights", "str", '"gaussian"'), ("unlabeled", "Any", None),
                   ("n_jobs", "Optional[int]", "None"), ("random_state", "Any", "None")]
POINTS_ESTIMATOR = [one for one in GRAPH_ESTIMATOR if one[0] not in ("metric", "weights")]
TYPES = {"real": "float", "integer": "int", "flag": "bool", "text": "str"}


def python_name(name):
    name = name.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def class_name(name):
    return "".join(part.capitalize() for part in name.split("-"))


def default_of(option):
    """The default of an option, which the catalog has as text."""
    text = option["default"]
    if option["type"] == "flag":
        return text == "true"
    return {"real": float, "integer": int}.get(option["type"], str)(text)


def type_of(option):
    if option["type"] == "choice":
        return "Literal[" + ", ".join(json.dumps(one) for one in option["choices"]) + "]"
    return TYPES[option["type"]]


def parameters(learner, common):
    """(name, type, default) of the learner's options, then those of `common` that have no namesake."""
    own = [(python_name(o["name"]), type_of(o), repr(default_of(o))) for o in learner["options"]]
    taken = {name for name, _, _ in own}
    return own, [one for one in common if one[0] not in taken]


def signature(parts):
    return ", ".join(f"{name}: {kind} = {default}" for name, kind, default in parts)


def sentence(text):
    text = text[:1].upper() + text[1:]
    return text if text.endswith(".") else text + "."


def documentation(learner, closing):
    lines = textwrap.wrap(sentence(learner["summary"]), 92)
    if learner["options"]:
        lines += ["", "Parameters", "----------"]
    for option in learner["options"]:
        lines.append(f"{python_name(option['name'])} : {option['range']}, default "
                     f"{option['default'] or 'none'}")
        lines += textwrap.wrap(option["help"], 88, initial_indent="    ", subsequent_indent="    ")
    lines += ["", *textwrap.wrap(closing, 92)]
    if learner["reference"]:
        lines += ["", "References", "----------", *textwrap.wrap(learner["reference"], 92)]
    text = "\n".join(lines).replace("\\", "\\\\").replace('"""', "'''")
    return text


def function(name, first, learner, common, call, closing):
    """(source, stub) of one function."""
    own, rest = parameters(learner, common)
    head = f"def {name}({first}, {'*, ' + signature(own + rest)})"
    doc = textwrap.indent(documentation(learner, closing), "    ").lstrip()
    options = ", ".join(f"{json.dumps(o['name'])}: {python_name(o['name'])}"
                        for o in learner["options"])
    spec = f"_spec({json.dumps(learner['name'])}, {{{options}}})"
    passed = ", ".join(f"{_target(name_)}={name_}" for name_, _, _ in rest)
    body = f'    """{doc}\n    """\n    return {call.format(spec=spec, rest=passed)}\n'
    return f"{head}:\n{body}\n\n", f"{head}: ...\n"


def _target(name):
    return {"weights_of_rows": "weights"}.get(name, name)


def functions_of(learner):
    name = python_name(learner["name"])
    kinds = learner["kinds"]
    if "transductive" in kinds:
        yield name, function(name, "graph, labels", learner, LABEL,
                             "_label(graph, labels, {spec}, {rest})",
                             "The other parameters are those of gssl.label; returns a LabelResult.")
    elif "points" in kinds:
        yield name, function(name, "points, labels", learner, POINTS,
                             "_label_points(points, labels, {spec}, {rest})",
                             "The other parameters are those of gssl.label_points.")
    if "inductive" in kinds:
        yield "fit_" + name, function(
            "fit_" + name, "points, targets", learner, FIT, "_fit(points, targets, {spec}, {rest})",
            "The other parameters are those of gssl.fit (weights_of_rows is its weights); returns a "
            "Model.")
    if "online" in kinds:
        rest = [one for one in ONLINE]
        yield "online_" + name, function("online_" + name, "", learner, rest,
                                         "_Online({spec}, {rest})",
                                         "The other parameters are those of gssl.Online.")
    if "clusterer" in kinds:
        yield "cluster_" + name, function("cluster_" + name, "graph, k=None", learner, CLUSTER,
                                          "_cluster(graph, k, method={spec}, {rest})",
                                          "The other parameters are those of gssl.cluster.")
    if "completer" in kinds:
        yield "complete_" + name, function(
            "complete_" + name, "cells", learner, RUN, "_complete(cells, {spec}, {rest})",
            "The other parameters are those of gssl.complete; returns a Completion.")


def estimator(name, base, learner, common, closing):
    own, rest = parameters(learner, common)
    all_ = own + rest
    doc = textwrap.indent(documentation(learner, closing), "    ").lstrip()
    first = f"self, *, {signature(all_)}" if all_ else "self"
    sets = "".join(f"        self.{one} = {one}\n" for one, _, _ in all_) or "        pass\n"
    options = ", ".join(f"{json.dumps(o['name'])}: {json.dumps(python_name(o['name']))}"
                        for o in learner["options"])
    return (f'class {name}({base}):\n    """{doc}\n    """\n\n'
            f"    _learner = {json.dumps(learner['name'])}\n    _options = {{{options}}}\n\n"
            f"    def __init__({first}):\n{sets}\n\n")


def with_unlabeled(default, parameters=GRAPH_ESTIMATOR):
    return [(a, b, default if c is None else c) for a, b, c in parameters]


def estimators_of(learner):
    stem = class_name(learner["name"])
    on_graph = "The other parameters and the attributes are those of {}."
    if "transductive" in learner["kinds"]:
        if learner["classification"]:
            yield stem + "Classifier" if "inductive" not in learner["kinds"] else \
                "Graph" + stem + "Classifier", "LearnerGraphClassifier", with_unlabeled("-1"), \
                on_graph.format("GraphClassifier")
        if learner["regression"]:
            yield stem + "Regressor" if "inductive" not in learner["kinds"] else \
                "Graph" + stem + "Regressor", "LearnerGraphRegressor", with_unlabeled("math.nan"), \
                on_graph.format("GraphRegressor")
    elif "points" in learner["kinds"] and learner["classification"]:
        yield (stem + "Classifier", "LearnerPointsClassifier",
               with_unlabeled("-1", POINTS_ESTIMATOR), on_graph.format("GraphClassifier"))
    if "inductive" in learner["kinds"]:
        jobs = [("n_jobs", "Optional[int]", "None"), ("random_state", "Any", "None")]
        if learner["classification"]:
            calibrated = [("calibrate", "Optional[str]", "None")] + jobs
            yield (stem + "Classifier", "LearnerClassifier", calibrated,
                   "calibrate makes scores probabilities: platt, isotonic or temperature.")
        if learner["regression"]:
            yield stem + "Regressor", "LearnerRegressor", jobs, "A regressor of scikit-learn."


HEAD = '''"""{}

Made from the option tables of the library by generate.py; do not edit.
"""
# ruff: noqa
from typing import Any, Callable, Literal, Optional

'''


def main(package):
    sys.path.insert(0, package)
    import _gssl

    catalog = json.loads(_gssl.learners())
    source = HEAD.format("A function for every learner, with its options.") + (
        "from ._functions import label as _label, label_points as _label_points\n"
        "from ._matrix import complete as _complete\n"
        "from ._models import Online as _Online, fit as _fit\n"
        "from ._network import cluster as _cluster\n"
        "from ._run import changed_spec as _spec\n\n\n")
    stubs = HEAD.format("Types of gssl.learners.")
    names = []
    for learner in catalog:
        for name, (code, stub) in functions_of(learner):
            names.append(name)
            source += code.replace("(, *", "(*")
            stubs += stub.replace("(, *", "(*")
    source += f"__all__ = {json.dumps(names)}\n"
    classes = HEAD.format("An estimator for every learner.") + (
        "import math\n\nfrom ._graph_learners import (LearnerGraphClassifier, LearnerGraphRegressor,\n"
        "                              LearnerPointsClassifier)\n"
        "from ._model_learners import LearnerClassifier, LearnerRegressor\n\n\n")
    made = []
    for learner in catalog:
        for name, base, common, closing in estimators_of(learner):
            made.append(name)
            classes += estimator(name, base, learner, common, closing)
    classes += f"__all__ = {json.dumps(made)}\n"
    for file, text in (("learners.py", source), ("learners.pyi", stubs), ("_estimators.py", classes)):
        text = re.sub(r"[ \t]+$", "", text, flags=re.M).rstrip() + "\n"
        compile(text, file, "exec")
        with open(os.path.join(package, file), "w", encoding="utf-8") as out:
            out.write(text)


if __name__ == "__main__":
    main(sys.argv[1])
