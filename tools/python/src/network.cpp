#include <pybind11/stl.h>

#include <cmath>
#include <limits>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "gssl/core/error.hpp"
#include "gssl/flow/global_min_cut.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "report_json.hpp"

namespace gssl::python {
namespace {

LaplacianKind laplacian_named(const std::string& name) {
  if (name == "combinatorial") return LaplacianKind::combinatorial;
  if (name == "symmetric") return LaplacianKind::symmetric;
  if (name == "random-walk") return LaplacianKind::random_walk;
  throw Error(ErrorCode::usage,
              "laplacian: '" + name + "': must be combinatorial, symmetric or random-walk");
}

py::tuple spectrum(const NamedGraph& named, int count, const std::string& laplacian,
                   double tolerance, const std::string& method, const py::tuple& asked) {
  const SpectrumOptions options{.count = count,
                                .kind = laplacian_named(laplacian),
                                .tolerance = tolerance,
                                .method = parse_spectrum_method(method)};
  options.validate();
  Spectrum found = Call(asked)(
      [&](const RunContext& run) { return smallest_eigenpairs(*named.graph, options, run); });
  Report report;
  report.outcome = found.outcome;
  report.iterations = found.steps;
  report.requested = found.requested;
  report.used = found.used;
  report.sentence = found.sentence;
  report.certificates.push_back({"residuals", found.residuals});
  return py::make_tuple(to_array(std::move(found.values)), to_array(std::move(found.vectors)),
                        to_array(std::move(found.residuals)), found.zero_count,
                        tool::report_json(report));
}

py::tuple cluster(const NamedGraph& named, int k, int most, const std::string& spec,
                  const py::tuple& asked) {
  const MadeLearner made = registry().make(spec);
  const Clusterer& clusterer = made.clusterer();
  Partition found = Call(asked)([&](const RunContext& run) {
    const int count = k > 0 ? k : clusterer.suggest_count(*named.graph, most, run);
    return clusterer.cluster(*named.graph, count, run);
  });
  return py::make_tuple(to_array(std::move(found.cluster_of)), found.count,
                        tool::report_json(found.report));
}

// What is asked for: (pairs u, v), "edges", "diagonal", "total" or a vertex.
ResistanceAnswer resistances(const Graph& graph, const py::object& what,
                             const ResistanceOptions& options, const py::tuple& asked) {
  if (py::isinstance<py::int_>(what)) {
    const auto source = what.cast<VertexId>();
    return Call(asked)(
        [&](const RunContext& run) { return resistances_from(graph, source, options, run); });
  }
  if (py::isinstance<py::str>(what)) {
    const auto name = what.cast<std::string>();
    return Call(asked)([&](const RunContext& run) {
      if (name == "edges") return edge_resistances(graph, options, run);
      if (name == "diagonal") return pseudoinverse_diagonal(graph, options, run);
      return total_resistances(graph, options, run);
    });
  }
  const auto ends = what.cast<py::tuple>();
  const auto u = ends[0].cast<Array<VertexId>>(), v = ends[1].cast<Array<VertexId>>();
  std::vector<VertexPair> pairs;
  for (py::ssize_t i = 0; i < u.size(); ++i) pairs.push_back({u.data()[i], v.data()[i]});
  return Call(asked)(
      [&](const RunContext& run) { return pair_resistances(graph, pairs, options, run); });
}

py::tuple resistance(const NamedGraph& named, const py::object& what, const std::string& method,
                     double epsilon, double tolerance, const py::tuple& asked) {
  ResistanceOptions options;
  options.method = parse_resistance_method(method);
  options.epsilon = epsilon;
  options.tolerance = tolerance;
  options.validate();
  ResistanceAnswer found = resistances(*named.graph, what, options, asked);
  return py::make_tuple(to_array(std::move(found.values)), to_array(std::move(found.error_bound)),
                        tool::report_json(found.report));
}

// Certificates "flow" and "cut", which are equal.
std::string cut_report(double flow, double cut, std::string sentence) {
  Report report;
  report.certificates = {{"flow", {flow}}, {"cut", {cut}}};
  report.sentence = std::move(sentence);
  if (std::abs(cut - flow) > 1e-9 * cut) report.outcome = Outcome::breakdown;
  return tool::report_json(report);
}

std::vector<double> infinite_at(const Graph& graph, const Array<VertexId>& vertices) {
  std::vector<double> capacity(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  for (const VertexId v : view(vertices)) {
    if (v < 0 || v >= graph.vertex_count())
      throw Error(ErrorCode::bad_data, "vertex " + std::to_string(v) + ": is not in the graph");
    capacity[static_cast<std::size_t>(v)] = std::numeric_limits<double>::infinity();
  }
  return capacity;
}

// side: 1 source, 0 sink; tied: where another smallest cut differs.
py::tuple cut_between(const NamedGraph& named, const Array<VertexId>& sources,
                      const Array<VertexId>& sinks, const std::string& method,
                      const py::tuple& asked) {
  const auto source = infinite_at(*named.graph, sources), sink = infinite_at(*named.graph, sinks);
  MaxFlow problem(*named.graph, source, sink, {.method = parse_flow_method(method)});
  std::vector<unsigned char> smallest, largest;
  const MaxFlowReport found = Call(asked)([&](const RunContext& run) {
    MaxFlowReport report = problem.solve(run);
    smallest = problem.source_side(CutSide::smallest_source);
    largest = problem.source_side(CutSide::largest_source);
    return report;
  });
  std::vector<unsigned char> tied(smallest.size());
  for (std::size_t v = 0; v < tied.size(); ++v) tied[v] = smallest[v] != largest[v] ? 1 : 0;
  return py::make_tuple(found.cut, to_array(std::move(smallest)), to_array(std::move(tied)),
                        cut_report(found.flow, found.cut, found.sentence));
}

py::tuple cut_whole(const NamedGraph& named, const py::tuple& asked) {
  GlobalMinCut found =
      Call(asked)([&](const RunContext& run) { return global_min_cut(*named.graph, run); });
  std::vector<unsigned char> tied(found.side.size(), 0);
  return py::make_tuple(found.value, to_array(std::move(found.side)), to_array(std::move(tied)),
                        cut_report(found.bound, found.value, "no cut is below the bound"));
}

// Columns of the kernel at vertices, or its product with a block.
py::tuple kernel(const NamedGraph& named, const std::string& spec,
                 const std::optional<Array<VertexId>>& vertices,
                 const std::optional<Array<double>>& block, const py::tuple& asked) {
  const GraphKernelOptions options = parse_kernel(spec);
  Block x;
  if (block) {
    if (block->ndim() != 2)
      throw Error(ErrorCode::bad_data, "block: must have two axes, vertices and columns");
    x = Block(block->shape(0), block->shape(1), copy(*block));
  }
  KernelProduct found = Call(asked)([&](const RunContext& run) {
    const GraphKernel graph_kernel(named.graph, options, run);
    return block ? graph_kernel.product(x, run) : graph_kernel.columns(copy(*vertices), run);
  });
  return py::make_tuple(to_array(std::move(found.values)), tool::report_json(found.report));
}

py::object kernel_diagonal(const NamedGraph& named, const std::string& spec,
                           const py::tuple& asked) {
  const GraphKernelOptions options = parse_kernel(spec);
  auto found = Call(asked)(
      [&](const RunContext& run) { return GraphKernel(named.graph, options, run).diagonal(run); });
  if (!found)
    throw Error(ErrorCode::usage, std::string(to_string(options.kind)) +
                                      ": its diagonal is not one factorization; take columns");
  return to_array(*std::move(found));
}

}  // namespace

void bind_network(py::module_& module) {
  module.def("spectrum", &spectrum);
  module.def("cluster", &cluster);
  module.def("resistance", &resistance);
  module.def("cut_between", &cut_between);
  module.def("cut_whole", &cut_whole);
  module.def("kernel", &kernel);
  module.def("kernel_diagonal", &kernel_diagonal);
}

}  // namespace gssl::python
