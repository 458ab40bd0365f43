#include "graph_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"
#include "spectral_layout.hpp"

namespace gssl::tool {

void add_places(Session& session, const Graph& graph, ResultColumns& columns) {
  const VertexId n = graph.vertex_count();
  if (n == 0) return;
  if (n > most_placed_vertices) {
    session.say(fmt::format("places x and y are left out: {} vertices; up to {} are drawn", n,
                            most_placed_vertices));
    return;
  }
  const std::vector<Place> places = spectral_layout(graph, session.run);
  std::vector<double> x, y;
  for (const Place& place : places) {
    x.push_back(std::round(10000.0 * place.x) / 10.0);
    y.push_back(std::round(10000.0 * place.y) / 10.0);
  }
  columns.add_numbers("x", std::move(x));
  columns.add_numbers("y", std::move(y));
}

void write_with_columns(Session& session, OutputFile& out, const Graph& graph,
                        const VertexNames& names, const ResultColumns& columns, GraphFormat format,
                        TableFormat table) {
  if (holds_columns(format)) {
    const std::int64_t replaced = write_graph_with_columns(out, graph, names, columns, format);
    if (replaced > 0)
      session.warn(fmt::format("{}: {} characters of names that {} cannot hold are U+FFFD instead",
                               out.path(), replaced, to_string(format)));
  } else {
    write_graph(out, graph, names, format, table);
  }
  for (const std::string& lost : losses(graph, names, columns, format))
    session.warn(fmt::format("{}: {}", out.path(), lost));
}

std::int64_t write_plain_graph(Session& session, OutputFile& out, const Graph& graph,
                               const VertexNames& names, const GraphOutput& output) {
  if (!holds_columns(output.format))
    return write_graph(out, graph, names, output.format, output.table);
  ResultColumns columns(graph.vertex_count());
  add_places(session, graph, columns);
  write_with_columns(session, out, graph, names, columns, output.format, output.table);
  std::int64_t isolated = 0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) isolated += graph.degree(v) == 0 ? 1 : 0;
  return isolated;
}

GraphResults::GraphResults(const Session& session) {
  const std::string& path = session.options().graph_output;
  if (path.empty()) return;
  format_ = graph_output(path, "", "tsv", false).format;
  out_.emplace(path);
}

void GraphResults::write(Session& session, const Graph& graph, const VertexNames& names,
                         ResultColumns columns) {
  GSSL_ASSERT(out_.has_value());
  if (holds_columns(format_)) add_places(session, graph, columns);
  write_with_columns(session, *out_, graph, names, columns, format_, TableFormat::tsv);
  session.check_cancelled();
  out_->commit();
}

ResultColumns fit_columns(const LabeledSet& labeled, const Fit& fit) {
  const std::size_t n = fit.scores.status.size();
  ResultColumns columns(static_cast<VertexId>(n));
  const bool has_scores = fit.scores.values.rows() == static_cast<std::int64_t>(n);
  const auto score = [&](std::int64_t k) {
    std::vector<double> values(n);
    for (std::size_t v = 0; v < n; ++v)
      values[v] = fit.scores.values(static_cast<std::int64_t>(v), k);
    return values;
  };
  if (labeled.is_regression()) {
    columns.add_numbers("value", score(0));
  } else {
    columns.add_choice("class", labeled.class_names(), fit.decision);
  }
  columns.add_numbers("confidence", fit.confidence);
  std::vector<std::string> words;
  std::vector<int> status(n);
  std::vector<bool> given(n);
  for (std::size_t v = 0; v < n; ++v) {
    const VertexStatus now = fit.scores.status[v];
    const bool uncertain =
        now == VertexStatus::inferred && !labeled.is_regression() && fit.decision[v] < 0;
    const std::string word(uncertain ? "uncertain" : to_string(now));
    const auto found = std::ranges::find(words, word);
    status[v] = static_cast<int>(found - words.begin());
    if (found == words.end()) words.push_back(word);
    given[v] = now == VertexStatus::given;
  }
  columns.add_choice("status", std::move(words), std::move(status));
  columns.add_flags("given", std::move(given));
  if (has_scores && !labeled.is_regression()) {
    for (int k = 0; k < labeled.class_count(); ++k)
      columns.add_numbers("score_" + labeled.class_names()[static_cast<std::size_t>(k)], score(k));
  }
  return columns;
}

ResultColumns cluster_columns(const std::vector<int>& cluster_of, int count) {
  ResultColumns columns(static_cast<VertexId>(cluster_of.size()));
  std::vector<std::string> words;
  for (int k = 1; k <= count; ++k) words.push_back(std::to_string(k));
  columns.add_choice("cluster", std::move(words), cluster_of);
  return columns;
}

}  // namespace gssl::tool
