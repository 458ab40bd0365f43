#include <pybind11/stl.h>

#include <algorithm>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/trusted_graph.hpp"
#include "gssl/io/graph_reader.hpp"
#include "gssl/io/summary.hpp"
#include "rounded_rows.hpp"

namespace gssl::python {
namespace {

NamedGraph unnamed(Graph graph) {
  return {std::make_shared<const Graph>(std::move(graph)), nullptr};
}

py::dict counts_of(const GraphBuilderCounts& counts) {
  py::dict found;
  found["edges_given"] = counts.edges_given;
  found["self_loops_dropped"] = counts.self_loops_dropped;
  found["duplicates_merged"] = counts.duplicates_merged;
  found["reversed_merged"] = counts.reversed_merged;
  found["opposite_differ"] = counts.opposite_differ;
  return found;
}

py::tuple from_edges(VertexId n, const Array<VertexId>& u, const Array<VertexId>& v,
                     const std::optional<Array<double>>& weights, const std::string& duplicates,
                     const std::string& opposite, const py::tuple& asked) {
  const auto us = view(u), vs = view(v);
  const auto ws = weights ? view(*weights) : std::span<const double>{};
  GraphBuilder builder(n, {.duplicates = parse_duplicate_policy(duplicates),
                           .opposite = parse_opposite_arcs(opposite)});
  Graph graph = Call(asked)([&](const RunContext& run) {
    for (std::size_t i = 0; i < us.size(); ++i) builder.count(us[i], vs[i]);
    builder.begin_placing(!ws.empty());
    for (std::size_t i = 0; i < us.size(); ++i)
      builder.place(us[i], vs[i], ws.empty() ? 1.0 : ws[i]);
    return std::move(builder).finish(run.thread_count());
  });
  return py::make_tuple(unnamed(std::move(graph)), counts_of(builder.counts()));
}

// Rows over the arrays themselves. Throws ErrorCode::bad_data where they are no graph's.
NamedGraph from_rows(const Array<EdgeIndex>& offsets, const Array<VertexId>& neighbors,
                     const std::optional<Array<double>>& weights, const py::tuple& asked) {
  auto owner = keep(py::make_tuple(offsets, neighbors, weights));
  const auto ws = weights ? view(*weights) : std::span<const double>{};
  return unnamed(Call(asked)([&](const RunContext&) {
    return Graph(std::move(owner), view(offsets), view(neighbors), ws);
  }));
}

// The same of rows whose two weights of an edge differ by rounding alone: offsets and neighbors are
// shared, the weights are the means. None of other rows.
py::object from_rounded_rows(const Array<EdgeIndex>& offsets, const Array<VertexId>& neighbors,
                             const Array<double>& weights, const py::tuple& asked) {
  struct Held {
    std::shared_ptr<const void> arrays;
    std::vector<double> weights;
  };
  const auto held = std::make_shared<Held>();
  held->arrays = keep(py::make_tuple(offsets, neighbors));
  std::optional<std::int64_t> differ;
  Graph graph = Call(asked)([&](const RunContext&) {
    held->weights = copy(weights);
    differ = take_means(view(offsets), view(neighbors), held->weights);
    if (!differ) return Graph();
    return TrustedGraph::make(held, view(offsets), view(neighbors), held->weights);
  });
  if (!differ) return py::none();
  return py::make_tuple(unnamed(std::move(graph)), *differ);
}

GraphBuilderCounts counts_of_rows(const OwnRows& rows, std::int64_t differ) {
  GraphBuilderCounts counts;
  counts.edges_given = std::ssize(rows.neighbors) + rows.loops;
  counts.self_loops_dropped = rows.loops;
  counts.reversed_merged = std::ssize(rows.neighbors) / 2;
  counts.opposite_differ = differ;
  return counts;
}

Graph graph_of_arcs(const OwnRows& rows, const GraphBuilderOptions& options, int threads,
                    GraphBuilderCounts& counts) {
  const auto n = static_cast<VertexId>(rows.offsets.size() - 1);
  GraphBuilder builder(n, options);
  const auto walk = [&](auto&& visit) {
    for (VertexId u = 0; u < n; ++u)
      for (auto e = static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(u)]);
           e < static_cast<std::size_t>(rows.offsets[static_cast<std::size_t>(u) + 1]); ++e)
        visit(u, rows.neighbors[e], rows.weights[e]);
  };
  walk([&](VertexId u, VertexId v, double) { builder.count(u, v); });
  builder.begin_placing(true);
  walk([&](VertexId u, VertexId v, double weight) { builder.place(u, v, weight); });
  Graph graph = std::move(builder).finish(threads);
  counts = builder.counts();  // NOLINT(bugprone-use-after-move): they are valid after finish()
  counts.edges_given += rows.loops;
  counts.self_loops_dropped += rows.loops;
  return graph;
}

// The graph of a square matrix of weights, 0 where there is no edge. Its memory is all that is taken,
// where both weights of each edge are one but for rounding.
py::tuple from_matrix(const Array<double>& matrix, const std::string& opposite,
                      const py::tuple& asked) {
  const OppositeArcs arcs = parse_opposite_arcs(opposite);
  GraphBuilderCounts counts;
  Graph graph = Call(asked)([&](const RunContext& run) {
    OwnRows rows = rows_of_matrix(view(matrix), static_cast<VertexId>(matrix.shape(0)));
    const auto differ = take_means(rows.offsets, rows.neighbors, rows.weights);
    if (!differ || (*differ > 0 && arcs != OppositeArcs::error)) {
      rows = OwnRows();
      rows = rows_of_matrix(view(matrix), static_cast<VertexId>(matrix.shape(0)));
      return graph_of_arcs(rows, {.opposite = arcs}, run.thread_count(), counts);
    }
    counts = counts_of_rows(rows, *differ);
    if (std::ranges::all_of(rows.weights, [](double w) { return w == 1.0; }))
      rows.weights = std::vector<double>();
    return TrustedGraph::make(std::move(rows.offsets), std::move(rows.neighbors),
                              std::move(rows.weights));
  });
  return py::make_tuple(unnamed(std::move(graph)), counts_of(counts));
}

py::tuple read(const std::string& path, const py::dict& options, const py::tuple& asked) {
  const auto text = [&](const char* name) { return options[name].cast<std::string>(); };
  ReadOptions reading;
  reading.format = parse_graph_format(text("input_format"));
  reading.duplicates = parse_duplicate_policy(text("duplicates"));
  if (const std::string arcs = text("directed"); !arcs.empty())
    reading.opposite = parse_opposite_arcs(arcs);
  reading.bipartite = options["bipartite"].cast<bool>();
  if (options.contains("columns")) {
    if (!text("layer_weights").empty()) reading.layers = parse_layer_weights(text("layer_weights"));
    if (!text("delimiter").empty()) reading.table.delimiter = parse_delimiter(text("delimiter"));
    if (!text("decimal").empty()) reading.table.decimal = parse_decimal_mark(text("decimal"));
    reading.table.skip_lines = options["skip"].cast<std::int64_t>();
    reading.table.columns = options["columns"].cast<std::vector<int>>();
    reading.table.validate();
  }
  GraphFile file =
      Call(asked)([&](const RunContext& run) { return read_graph(path, reading, run); });
  Summary summary;
  summary.add_input(file.stats);
  summary.set("names_given", file.stats.names_given);
  summary.set("notes", file.stats.notes);
  return py::make_tuple(NamedGraph{std::make_shared<const Graph>(std::move(file.graph)),
                                   std::make_shared<const VertexNames>(std::move(file.names))},
                        summary.json());
}

py::tuple rows_of(const py::object& self) {
  const Graph& graph = *self.cast<NamedGraph&>().graph;
  py::object weights = py::none();
  if (!graph.has_unit_weights()) weights = shown(graph.weight_array(), self);
  return py::make_tuple(shown(graph.offset_array(), self), shown(graph.neighbor_array(), self),
                        weights);
}

py::object names_of(const NamedGraph& named) {
  if (!named.names) return py::none();
  py::list list;
  for (VertexId v = 0; v < named.graph->vertex_count(); ++v) list.append(named.names->name(v));
  return list;
}

py::array_t<VertexId> find(const NamedGraph& named, const std::vector<std::string>& names) {
  std::vector<VertexId> found;
  found.reserve(names.size());
  for (const std::string& name : names)
    found.push_back(named.names ? named.names->find(name) : no_vertex);
  return to_array(std::move(found));
}

NamedGraph with_names(const NamedGraph& named, const std::vector<std::string>& names) {
  auto taken = std::make_shared<VertexNames>();
  for (const std::string& name : names) taken->insert(name);
  if (taken->size() != named.graph->vertex_count() ||
      names.size() != static_cast<std::size_t>(taken->size()))
    throw Error(ErrorCode::bad_data, "names: " + std::to_string(names.size()) + ", of which " +
                                         std::to_string(taken->size()) +
                                         " differ: must be one for each of " +
                                         std::to_string(named.graph->vertex_count()) + " vertices");
  return {named.graph, std::move(taken)};
}

}  // namespace

void bind_graph(py::module_& module) {
  py::class_<NamedGraph>(module, "NamedGraph")
      .def_property_readonly("vertex_count",
                             [](const NamedGraph& g) { return g.graph->vertex_count(); })
      .def_property_readonly("edge_count",
                             [](const NamedGraph& g) { return g.graph->edge_count(); })
      .def_property_readonly("memory_bytes",
                             [](const NamedGraph& g) { return g.graph->memory_bytes(); })
      .def_property_readonly("is_named", [](const NamedGraph& g) { return g.names != nullptr; })
      .def("name", [](const NamedGraph& g, VertexId v) { return g.names->name(v); })
      .def("names", &names_of)
      .def("find", &find)
      .def("with_names", &with_names)
      .def("components", [](const NamedGraph& g, const py::tuple& asked) {
        return to_array(
            Call(asked)([&](const RunContext&) { return connected_components(*g.graph); }).of);
      });
  module.def("rows", &rows_of);
  module.def("graph_from_edges", &from_edges);
  module.def("graph_from_rows", &from_rows);
  module.def("graph_from_rounded_rows", &from_rounded_rows);
  module.def("graph_from_matrix", &from_matrix);
  module.def("read_graph", &read);
}

}  // namespace gssl::python
