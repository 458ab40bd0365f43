#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "gssl/complete/cells.hpp"
#include "gssl/core/error.hpp"
#include "gssl/kernel/kernel_pca.hpp"
#include "report_json.hpp"

namespace gssl::python {
namespace {

// (mean, biases of rows, of columns, U, V, SPEC, report)
py::tuple complete_cells(std::int64_t rows, std::int64_t columns, const Array<std::int32_t>& row,
                         const Array<std::int32_t>& column, const Array<double>& value,
                         const std::string& spec, const py::tuple& asked) {
  const Cells cells = make_cells(rows, columns, copy(row), copy(column), copy(value));
  const MadeLearner made = registry().make(spec);
  const Completer& completer = made.completer();
  Completion fit =
      Call(asked)([&](const RunContext& run) { return completer.complete(cells, run); });
  return py::make_tuple(fit.mean, to_array(std::move(fit.row_bias)),
                        to_array(std::move(fit.column_bias)), to_array(std::move(fit.u)),
                        to_array(std::move(fit.v)), made.spec, tool::report_json(fit.report));
}

py::tuple embedded(Block coordinates, KernelPca pca, const py::object& kernel) {
  return py::make_tuple(to_array(std::move(coordinates)), to_array(std::move(pca.eigenvalues)),
                        pca.total, kernel, tool::report_json(pca.report));
}

// (coordinates, eigenvalues, their total or -1, kernel, report); `others`: the rows to place.
py::tuple embed_points(const py::tuple& parts, const py::object& others, const std::string& kernel,
                       int dimensions, const py::tuple& asked) {
  const Points points = points_of(parts);
  Points placed;
  if (!others.is_none()) placed = points_of(others.cast<py::tuple>());
  Block projected;
  KernelPca pca = Call(asked)([&](const RunContext& run) {
    KernelPca found = kernel_pca_of_points(kernel, points, {.dimensions = dimensions}, run);
    if (!others.is_none()) projected = found.project(placed, run);
    return found;
  });
  Block coordinates = others.is_none() ? std::move(pca.coordinates) : std::move(projected);
  const py::str spec(pca.kernel->spec());
  return embedded(std::move(coordinates), std::move(pca), spec);
}

py::tuple embed_graph(const NamedGraph& named, const std::string& kernel, int dimensions,
                      const py::tuple& asked) {
  KernelPca pca = Call(asked)([&](const RunContext& run) {
    return kernel_pca_of_graph(kernel, *named.graph, {.dimensions = dimensions}, run);
  });
  Block coordinates = std::move(pca.coordinates);
  return embedded(std::move(coordinates), std::move(pca), py::str(kernel));
}

}  // namespace

void bind_matrix(py::module_& module) {
  module.def("complete", &complete_cells);
  module.def("embed_points", &embed_points);
  module.def("embed_graph", &embed_graph);
}

}  // namespace gssl::python
