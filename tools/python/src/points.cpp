#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "gssl/core/error.hpp"
#include "gssl/evaluate/bounds.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/graph/point_graph.hpp"
#include "gssl/io/points_reader.hpp"
#include "gssl/io/summary.hpp"

namespace gssl::python {
namespace {

template <class T>
Points dense_points(const py::handle& array) {
  const auto values = array.cast<Array<T>>();
  return Points::dense_view(values.shape(0), values.shape(1), view(values), keep(values));
}

template <class T>
Points sparse_points(std::int64_t rows, std::int64_t columns, const py::tuple& parts) {
  return Points::sparse(rows, columns, copy(parts[2].cast<Array<std::int64_t>>()),
                        copy(parts[3].cast<Array<std::int32_t>>()),
                        copy(parts[4].cast<Array<T>>()));
}

bool holds_floats(const py::handle& array) { return py::isinstance<py::array_t<float>>(array); }

PointGraphOptions graph_options(const py::dict& asked) {
  PointGraphOptions options;
  const auto text = [&](const char* name) { return asked[name].cast<std::string>(); };
  options.knn = asked["knn"].cast<int>();
  options.mutual = asked["mutual"].cast<bool>();
  options.epsilon = asked["epsilon"].cast<double>();
  options.spanning_tree = asked["spanning_tree"].cast<bool>();
  options.root = asked["root"].cast<VertexId>();
  options.max_edges = asked["max_edges"].cast<std::int64_t>();
  options.search = {.metric = metric_named(text("metric")),
                    .method = knn_method_named(text("search")),
                    .recall = asked["recall"].cast<double>()};
  options.weights = {.kind = weight_kind_named(text("weights")),
                     .scale = asked["scale"].cast<double>()};
  return options;
}

// As --summary of gssl build has it.
std::string report_of(const PointGraph& built) {
  Summary summary;
  if (built.knn) {
    summary.set("knn.k", built.knn->k);
    summary.set("knn.used", to_string(built.knn->used));
    summary.set("knn.distances", built.knn->distances);
    summary.set("knn.recall", built.knn->recall);
    summary.set("knn.sentence", built.knn->sentence);
  }
  if (built.epsilon) summary.set("epsilon.sentence", built.epsilon->sentence);
  if (built.spanning_tree) {
    summary.set("mst.length", built.spanning_tree->length);
    summary.set("mst.sentence", built.spanning_tree->sentence);
  }
  summary.set("weights.kind", to_string(built.weights.kind));
  summary.set("weights.scale", built.weights.scale);
  summary.set("weights.rule", built.weights.rule);
  summary.set("weights.underflowed", built.weights.underflowed);
  summary.set("weights.overflowed", built.weights.overflowed);
  summary.set("weights.zero_distances", built.weights.zero_distances);
  return summary.json();
}

// (graph, local scales or None, report)
py::tuple build(const py::tuple& points, const py::dict& asked_options, const py::tuple& asked) {
  const PointGraphOptions options = graph_options(asked_options);
  options.validate();
  const Points rows = points_of(points);
  PointGraph built =
      Call(asked)([&](const RunContext& run) { return point_graph(rows, options, run); });
  const std::string report = report_of(built);
  py::object local_scale = py::none();
  if (!built.local_scale.empty()) local_scale = to_array(std::move(built.local_scale));
  return py::make_tuple(NamedGraph{std::make_shared<const Graph>(std::move(built.graph)), nullptr},
                        local_scale, report);
}

// The graph of lists that are finished: (graph, local scales, report).
py::tuple graph_of_lists(const Array<VertexId>& neighbor_lists, const Array<double>& distances,
                         bool mutual, const std::string& weights, double scale,
                         const py::tuple& asked) {
  const KnnLists lists = lists_of(neighbor_lists, distances);
  const EdgeWeightOptions options{.kind = weight_kind_named(weights), .scale = scale};
  PointGraph built;
  built.graph = Call(asked)([&](const RunContext& run) {
    DistanceGraph near = neighbor_graph(lists, mutual, run);
    built.local_scale = near.local_scale;
    WeightedGraph weighted = weigh(std::move(near), options);
    built.weights = weighted.report;
    return std::move(weighted.graph);
  });
  return py::make_tuple(NamedGraph{std::make_shared<const Graph>(std::move(built.graph)), nullptr},
                        to_array(std::move(built.local_scale)), report_of(built));
}

// (neighbors, distances) of rows among themselves, or of others to them.
py::tuple neighbors(const py::tuple& points, const py::object& others, int k,
                    const std::string& metric, double recall, const py::tuple& asked) {
  const Points rows = points_of(points);
  const Points queries = others.is_none() ? Points() : points_of(others.cast<py::tuple>());
  const KnnOptions options{.metric = metric_named(metric), .recall = recall};
  KnnLists lists = Call(asked)([&](const RunContext& run) {
    return others.is_none() ? knn_lists(rows, k, options, run)
                            : nearest_points(rows, queries, k, options.metric, run);
  });
  const std::vector<py::ssize_t> shape = {lists.count, lists.k};
  return py::make_tuple(to_array(std::move(lists.neighbors), shape),
                        to_array(std::move(lists.distances), shape), lists.report.sentence);
}

// A dense table as float32 or float64, as it is in the file; labels; names of columns.
py::tuple read_points_file(const std::string& path, const std::string& label_column,
                           const std::string& id_column, const py::tuple& asked) {
  PointsFile file = Call(asked)([&](const RunContext& run) {
    return read_points(path, {.label_column = label_column, .id_column = id_column}, run);
  });
  const Points& points = file.points;
  if (points.is_sparse())
    throw Error(ErrorCode::usage, path + ": holds sparse rows; read them with SciPy");
  const std::vector<py::ssize_t> shape = {points.rows(), points.columns()};
  const auto floats = points.floats();
  const auto doubles = points.doubles();
  const py::object values =
      points.is_float()
          ? py::object(to_array(std::vector<float>(floats.begin(), floats.end()), shape))
          : py::object(to_array(std::vector<double>(doubles.begin(), doubles.end()), shape));
  return py::make_tuple(values, file.labels, file.column_names);
}

py::dict bound_of(const Bound& bound) {
  py::dict described;
  described["name"] = bound.name;
  described["statement"] = bound.statement;
  described["formula"] = bound.formula;
  described["reference"] = bound.reference;
  py::dict quantities;
  for (const BoundQuantity& quantity : bound.quantities)
    quantities[py::str(quantity.name)] = quantity.meaning;
  described["quantities"] = quantities;
  return described;
}

py::list list_bounds() {
  py::list all;
  for (const Bound& bound : bounds()) all.append(bound_of(bound));
  return all;
}

py::tuple solve(const std::string& name, const std::map<std::string, double>& given) {
  const Bound& bound = bound_named(name);
  const BoundSolution found = solve_bound(bound, {given.begin(), given.end()});
  py::dict values;
  for (const auto& [key, value] : found.values) values[py::str(key)] = value;
  return py::make_tuple(found.unknown, values, bound_of(bound));
}

}  // namespace

Points points_of(const py::tuple& parts) {
  if (parts.size() == 1)
    return holds_floats(parts[0]) ? dense_points<float>(parts[0]) : dense_points<double>(parts[0]);
  const auto rows = parts[0].cast<std::int64_t>(), columns = parts[1].cast<std::int64_t>();
  return holds_floats(parts[4]) ? sparse_points<float>(rows, columns, parts)
                                : sparse_points<double>(rows, columns, parts);
}

KnnLists lists_of(const Array<VertexId>& neighbors, const Array<double>& distances) {
  if (neighbors.ndim() != 2 || distances.ndim() != 2 || neighbors.shape(0) != distances.shape(0) ||
      neighbors.shape(1) != distances.shape(1))
    throw Error(ErrorCode::bad_data,
                "neighbors and distances: must have a row for each point, and equal shapes");
  KnnLists lists;
  lists.count = static_cast<VertexId>(neighbors.shape(0));
  lists.k = static_cast<int>(neighbors.shape(1));
  lists.neighbors = copy(neighbors);
  lists.distances = copy(distances);
  return lists;
}

void bind_points(py::module_& module) {
  module.def("build", &build);
  module.def("graph_of_lists", &graph_of_lists);
  module.def("neighbors", &neighbors);
  module.def("read_points", &read_points_file);
  module.def("bounds", &list_bounds);
  module.def("solve_bound", &solve);
}

}  // namespace gssl::python
