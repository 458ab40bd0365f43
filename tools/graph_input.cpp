#include "graph_input.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gssl/core/error.hpp"
#include "gssl/graph/components.hpp"

namespace gssl::tool {

Graph with_isolated(const Graph& graph, VertexId vertex_count) {
  std::vector<EdgeIndex> offsets(graph.offset_array().begin(), graph.offset_array().end());
  offsets.resize(static_cast<std::size_t>(vertex_count) + 1, offsets.back());
  return Graph(std::move(offsets), {graph.neighbor_array().begin(), graph.neighbor_array().end()},
               {graph.weight_array().begin(), graph.weight_array().end()});
}

GraphFile read_graph_file(Session& session, const std::string& path) {
  session.check_inputs();
  GraphFile file = session.timed(
      "read", [&] { return read_graph(path, session.options().read_options(), session.run); });
  session.summary.add_input(file.stats);
  const std::string sizes = session.record_graph(file);
  session.say(fmt::format("gssl {}: {}: {}", session.command(), path, sizes));
  warn_of_input(session, file.stats);
  session.check_cancelled();
  return file;
}

void warn_of_input(Session& session, const InputStats& stats) {
  for (const std::string& note : stats.notes) session.warn(fmt::format("{}: {}", stats.path, note));
  if (stats.opposite_differ == 0 || !session.options().directed.empty()) return;
  session.warn(fmt::format(
      "{}: {} edges are given in both directions with different weights; the {} is taken (with "
      "--directed, their sum, max or mean)",
      stats.path, stats.opposite_differ,
      session.options().duplicates == "first" ? "first" : "larger"));
}

VertexId vertex_named(const GraphFile& file, const std::string& name, const char* option) {
  const VertexId v = file.names.find(name);
  if (v == no_vertex) {
    throw Error(ErrorCode::usage,
                fmt::format("{} {}: no such vertex in {}", option, name, file.stats.path));
  }
  return v;
}

std::vector<VertexId> vertices_named(const GraphFile& file, const std::vector<std::string>& names,
                                     const char* option) {
  std::vector<VertexId> vertices;
  for (const std::string& name : names) {
    const VertexId v = vertex_named(file, name, option);
    if (std::ranges::find(vertices, v) != vertices.end())
      throw Error(ErrorCode::usage, fmt::format("{} {}: is given twice", option, name));
    vertices.push_back(v);
  }
  return vertices;
}

LabeledSet take_given_labels(Session& session, const std::string& path, const LabelFile& labels,
                             bool regression, GraphFile& file) {
  session.summary.set("labels_unknown_ignored", labels.unknown_ignored);
  session.summary.set("labels_unknown_added", labels.unknown_added);
  session.summary.set("labels_duplicates_merged", labels.duplicates_merged);
  if (labels.unknown_ignored > 0) {
    session.warn(fmt::format("{}: ignored {} labels on vertices that are not in the graph", path,
                             labels.unknown_ignored));
  }
  if (labels.unknown_added > 0) {
    session.warn(
        fmt::format("{}: added {} vertices that are not in the graph", path, labels.unknown_added));
    session.timed("build", [&] { file.graph = with_isolated(file.graph, file.names.size()); });
    session.summary.set("n", static_cast<std::int64_t>(file.graph.vertex_count()));
  }
  LabeledSet labeled = to_labeled_set(labels, regression);
  session.summary.set("components",
                      static_cast<std::int64_t>(connected_components(file.graph).count));
  session.summary.set("classes", labeled.class_count());
  session.summary.set("labelled", static_cast<std::int64_t>(labeled.size()));
  session.check_cancelled();
  return labeled;
}

LabeledSet read_given_labels(Session& session, const std::string& path, bool regression,
                             GraphFile& file) {
  session.check_cancelled();
  const LabelFile labels =
      read_labels(path, file.names, parse_unknown_labels(session.options().unknown_labels));
  session.summary.add_input(labels.stats);
  return take_given_labels(session, path, labels, regression, file);
}

LabelFile read_truth(Session& session, const std::string& path, VertexNames& names) {
  LabelFile truth = read_labels(path, names, UnknownLabels::ignore);
  session.summary.add_input(truth.stats);
  session.summary.set("truth_unknown_ignored", truth.unknown_ignored);
  if (truth.unknown_ignored > 0) {
    session.warn(fmt::format("{}: ignored {} vertices that are not in the graph", path,
                             truth.unknown_ignored));
  }
  session.check_cancelled();
  return truth;
}

}  // namespace gssl::tool
