#pragma once
// What the sources of the module share.

#include <pybind11/pybind11.h>

#include <memory>
#include <string>

#include "gssl/data/labels.hpp"
#include "gssl/data/targets.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/vertex_names.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl::python {

namespace py = pybind11;

// A graph and what its vertices are called; without names, by their numbers.
struct NamedGraph {
  std::shared_ptr<const Graph> graph;
  std::shared_ptr<const VertexNames> names;
};

// One for the process; plug-ins are added to it.
LearnerRegistry& registry();

// (vertices, class numbers, names of classes), or (vertices, targets, None).
LabeledSet labeled_of(const py::tuple& labels);
// The same of rows: (class numbers, names of classes), or (targets, None).
Targets targets_of(const py::tuple& targets);

void bind_evaluate(py::module_& module);
void bind_graph(py::module_& module);
void bind_label(py::module_& module);
void bind_matrix(py::module_& module);
void bind_network(py::module_& module);
void bind_points(py::module_& module);
void bind_models(py::module_& module);

}  // namespace gssl::python
