// gssl info: what a graph file holds, and what reading it dropped or merged; or what a model is.

#include <algorithm>
#include <memory>
#include <numeric>

#include "graph_input.hpp"
#include "gssl/graph/components.hpp"
#include "model_file.hpp"
#include "property_table.hpp"
#include "session.hpp"

namespace gssl::tool {
namespace {

struct Degrees {
  EdgeIndex min = 0;
  double median = 0.0;
  double mean = 0.0;
  EdgeIndex max = 0;
  std::int64_t isolated = 0;
};

Degrees degrees_of(const Graph& graph) {
  Degrees found;
  const VertexId n = graph.vertex_count();
  if (n == 0) return found;
  std::vector<EdgeIndex> degrees(static_cast<std::size_t>(n));
  for (VertexId v = 0; v < n; ++v) degrees[static_cast<std::size_t>(v)] = graph.degree(v);
  const auto middle = degrees.begin() + n / 2;
  std::nth_element(degrees.begin(), middle, degrees.end());
  found.median = static_cast<double>(*middle);
  if (n % 2 == 0) {
    const EdgeIndex below = *std::max_element(degrees.begin(), middle);
    found.median = (found.median + static_cast<double>(below)) / 2.0;
  }
  const auto [low, high] = std::minmax_element(degrees.begin(), degrees.end());
  found.min = *low;
  found.max = *high;
  found.mean = 2.0 * static_cast<double>(graph.edge_count()) / static_cast<double>(n);
  found.isolated = std::count(degrees.begin(), degrees.end(), EdgeIndex{0});
  return found;
}

struct Weights {
  double min = 1.0;
  double median = 1.0;
  double max = 1.0;
  double total = 0.0;
};

Weights weights_of(const Graph& graph) {
  Weights found;
  if (graph.has_unit_weights()) {
    found.total = static_cast<double>(graph.edge_count());
    return found;
  }
  // Every edge is stored twice, which changes neither the extremes nor the order statistic below.
  std::vector<double> weights(graph.weight_array().begin(), graph.weight_array().end());
  found.total = std::accumulate(weights.begin(), weights.end(), 0.0) / 2.0;
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  found.min = *low;
  found.max = *high;
  const auto middle = weights.begin() + static_cast<std::ptrdiff_t>(weights.size() / 2);
  std::nth_element(weights.begin(), middle, weights.end());
  found.median = std::midpoint(*middle, *std::max_element(weights.begin(), middle));
  return found;
}

void write_info(Session& session, OutputFile& out, const GraphFile& file) {
  const Graph& graph = file.graph;
  const auto n = static_cast<std::int64_t>(graph.vertex_count());
  const auto m = static_cast<std::int64_t>(graph.edge_count());
  const Components components = connected_components(graph);
  const Degrees degrees = degrees_of(graph);
  const Weights weights = weights_of(graph);

  PropertyTable table(session, out);
  table.row("format", std::string_view(file.stats.format));
  table.row("compression", std::string_view(file.stats.compression));
  table.row("vertices", n);
  table.row("edges", m);
  table.row("density", n < 2 ? 0.0
                             : 2.0 * static_cast<double>(m) /
                                   (static_cast<double>(n) * static_cast<double>(n - 1)));
  table.row("components", static_cast<std::int64_t>(components.count));
  table.row("largest_component", static_cast<std::int64_t>(components.largest_size()));
  table.row("isolated", degrees.isolated);
  table.row("degree_min", degrees.min);
  table.row("degree_median", degrees.median);
  table.row("degree_mean", degrees.mean);
  table.row("degree_max", degrees.max);
  table.row("weights", std::string_view(graph.has_unit_weights() ? "unit" : "real"));
  table.row("weight_min", weights.min);
  table.row("weight_median", weights.median);
  table.row("weight_max", weights.max);
  table.row("weight_total", weights.total);
  table.row("edges_given", file.stats.edges_given);
  table.row("self_loops_dropped", file.stats.self_loops_dropped);
  table.row("duplicates_merged", file.stats.duplicates_merged);
  table.row("reversed_merged", file.stats.reversed_merged);
  table.row("opposite_differ", file.stats.opposite_differ);
  table.row("zero_weights_dropped", file.stats.zero_weights_dropped);
  table.row("graph_bytes", static_cast<std::int64_t>(graph.memory_bytes()));
  table.row("name_bytes", static_cast<std::int64_t>(file.names.memory_bytes()));
}

}  // namespace

Verb add_info(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(app, "info", "What is in a graph file, or in a model of gssl fit.",
                            {"gssl info datasets/digits/edges.tsv",
                             "gssl info datasets/lesmis/lesmis.graph --format jsonl",
                             "gzip -c datasets/digits/edges.tsv | gssl info - -o digits.info.tsv"});
  const auto graph = std::make_shared<std::string>();
  verb.add_option("GRAPH", *graph, "graph file ('-': standard input), or a model")
      ->required()
      ->type_name("FILE");
  add_graph_options(verb, common);
  add_output_options(verb, common);
  add_run_options(verb, common);
  return [graph](Session& session) {
    session.prepare({*graph}, {session.options().output});
    OutputFile out(session.options().output);
    if (is_record_file(*graph)) {
      write_record_info(session, out, *graph);
      out.commit();
      return 0;
    }
    const GraphFile file = session.timed(
        "read", [&] { return read_graph(*graph, session.options().read_options(), session.run); });
    session.summary.add_input(file.stats);
    session.record_graph(file);
    warn_of_input(session, file.stats);
    session.check_cancelled();
    session.timed("write", [&] {
      write_info(session, out, file);
      session.check_cancelled();
      out.commit();
    });
    return 0;
  };
}

}  // namespace gssl::tool
