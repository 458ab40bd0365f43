// gssl info: what a graph file holds, and what reading it dropped or merged; or what a model is.

#include <algorithm>
#include <memory>
#include <numeric>
#include <optional>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/compressed_graph.hpp"
#include "gssl/io/binary_graph.hpp"
#include "gssl/io/graph_or_record.hpp"
#include "gssl/network/wide_diameter.hpp"
#include "model_file.hpp"
#include "property_table.hpp"
#include "read_room.hpp"
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

template <class AnyGraph>
Degrees degrees_of(const AnyGraph& graph) {
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

void visit_rows(const Graph& graph, auto&& body) {
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    graph.visit_row(v, [&](VertexId u, double w) { body(v, u, w); });
}

void visit_rows(const CompressedGraph& graph, auto&& body) {
  graph.sweep(0, graph.vertex_count(), [&](VertexId v, auto&& visit) {
    visit([&](VertexId u, double w) { body(v, u, w); });
  });
}

template <class AnyGraph>
Weights weights_of(const AnyGraph& graph) {
  Weights found;
  if (graph.has_unit_weights()) {
    found.total = static_cast<double>(graph.edge_count());
    return found;
  }
  std::vector<double> weights;  // of each edge once
  weights.reserve(static_cast<std::size_t>(graph.edge_count()));
  visit_rows(graph, [&](VertexId v, VertexId u, double w) {
    if (u > v) weights.push_back(w);
  });
  found.total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto [low, high] = std::minmax_element(weights.begin(), weights.end());
  found.min = *low;
  found.max = *high;
  const auto middle = weights.begin() + static_cast<std::ptrdiff_t>(weights.size() / 2);
  std::nth_element(weights.begin(), middle, weights.end());
  found.median = weights.size() % 2 == 1
                     ? *middle
                     : std::midpoint(*middle, *std::max_element(weights.begin(), middle));
  return found;
}

Components components_of(const Graph& graph, const RunContext&) {
  return connected_components(graph);
}

Components components_of(const CompressedGraph& graph, const RunContext& run) {
  return connected_components(graph, run);
}

template <class AnyGraph>
void write_info(Session& session, OutputFile& out, const AnyGraph& graph, const VertexNames& names,
                const InputStats& stats, const BinaryGraph* binary, bool verified,
                const std::optional<WideDiameter>& wide = {}) {
  const auto n = static_cast<std::int64_t>(graph.vertex_count());
  const auto m = static_cast<std::int64_t>(graph.edge_count());
  const Components components = components_of(graph, session.run);
  const Degrees degrees = degrees_of(graph);
  const Weights weights = weights_of(graph);

  PropertyTable table(session, out);
  table.row("format", std::string_view(stats.format));
  table.row("compression", std::string_view(stats.compression));
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
  table.row("edges_given", stats.edges_given);
  table.row("self_loops_dropped", stats.self_loops_dropped);
  table.row("duplicates_merged", stats.duplicates_merged);
  table.row("reversed_merged", stats.reversed_merged);
  table.row("opposite_differ", stats.opposite_differ);
  table.row("zero_weights_dropped", stats.zero_weights_dropped);
  table.row("graph_bytes", static_cast<std::int64_t>(graph.memory_bytes()));
  table.row("name_bytes", static_cast<std::int64_t>(names.memory_bytes()));
  if (wide) {
    table.row("wide_paths", wide->paths);
    table.row("wide_length", wide->length);
  }
  if (binary == nullptr) return;
  const BinaryGraphFacts& facts = binary->facts();
  table.row("rows", std::string_view(facts.compressed ? "compressed" : "plain"));
  table.row("weights_stored", std::string_view(facts.weights));
  table.row("names_stored", std::string_view(facts.names));
  table.row("binary_version", std::string_view(facts.version));
  table.row("written_by", std::string_view(facts.writer));
  table.row("verified", std::string_view(verified ? "yes" : "no"));
}

struct InfoOptions {
  std::string graph;
  bool verify = false;
  std::string show;  // a part of a model
  bool wide_diameter = false;

  void write_record(Session& session, OutputFile& out, const RecordFile& record,
                    const std::string& path) const {
    if (show.empty())
      write_record_info(session, out, record, path);
    else
      write_model_part(session, out, record, path, show);
  }
  void refuse_show() const {
    if (!show.empty())
      throw Error(ErrorCode::usage,
                  "--show: " + graph + ": is a graph; models of gssl fit have " + show);
  }
};

// The counts, once the rows were read, to a person and to the summary.
void tell_sizes(Session& session, const InputStats& stats, VertexId vertices, EdgeIndex edges) {
  session.summary.add_input(stats);
  session.record_sizes(stats, vertices, edges);
  warn_of_input(session, stats);
  session.check_cancelled();
}

// False where only an estimate was asked for.
bool write_text_info(Session& session, OutputFile& out, const InfoOptions& options) {
  if (options.verify)
    throw Error(ErrorCode::usage,
                "--verify: only binary graphs (.gssl) have checksums; every text file is checked "
                "as it is read");
  refuse_too_large(session, options.graph);
  const GraphOrRecord read = session.timed("read", [&] {
    return read_graph_or_record(options.graph, session.options().read_options(), session.run);
  });
  if (const auto* record = std::get_if<RecordFile>(&read)) {
    options.write_record(session, out, *record, "standard input");
    return true;
  }
  options.refuse_show();
  const GraphFile& file = std::get<GraphFile>(read);
  tell_sizes(session, file.stats, file.graph.vertex_count(), file.graph.edge_count());
  session.take_room();
  if (estimated(session, file.graph, listing_work(file.graph))) return false;
  std::optional<WideDiameter> wide;
  if (options.wide_diameter)
    wide = session.timed("solve", [&] { return wide_diameter(file.graph, session.run); });
  session.timed("write", [&] {
    write_info(session, out, file.graph, file.names, file.stats, nullptr, false, wide);
  });
  return true;
}

// Compressed rows are walked as they are. False where only an estimate was asked for.
bool write_binary_info(Session& session, OutputFile& out, const InfoOptions& options) {
  options.refuse_show();
  if (options.wide_diameter)
    throw Error(ErrorCode::usage,
                "--wide-diameter: is of graphs of at most 300 vertices: write this one as text "
                "(gssl convert)");
  const BinaryGraph file = BinaryGraph::open(options.graph);
  if (options.verify) session.timed("read", [&] { file.verify(session.run); });
  tell_sizes(session, file.stats(), file.facts().vertices, file.facts().edges);
  const auto write = [&](const auto& graph) {
    const NetworkSize size(graph.vertex_count(), static_cast<double>(graph.edge_count()),
                           graph.has_unit_weights());
    if (estimated(session, graph, listing_work(size))) return false;
    session.timed("write", [&] {
      write_info(session, out, graph, file.names(), file.stats(), &file, options.verify);
    });
    return true;
  };
  if (file.facts().compressed)
    return write(session.timed("read", [&] { return *file.compressed(session.run); }));
  return write(session.timed("read", [&] { return file.graph(session.run); }));
}

}  // namespace

Verb add_info(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(
      app, "info", "What is in a graph file, or in a model of gssl fit.",
      {"gssl info datasets/digits/edges.tsv",
       "gssl info datasets/lesmis/lesmis.graph --format jsonl",
       "gzip -c datasets/digits/edges.tsv | gssl info - -o digits.info.tsv",
       std::string("gssl fit datasets/iris/points.csv --label-column class ") +
           "--method tree:depth=2 -o t.model && gssl info t.model --show rules",
       "gssl convert datasets/digits/edges.tsv digits.gssl && gssl info digits.gssl --verify"});
  const auto options = std::make_shared<InfoOptions>();
  verb.add_option("GRAPH", options->graph, "graph file or model ('-': standard input)")
      ->required()
      ->type_name("FILE");
  verb.add_flag("--verify", options->verify,
                "of a binary graph, also compare every rule of rows, edges and names");
  verb.add_option("--show", options->show,
                  "of a model, a table of what it learned: coefficients, rules, importances, "
                  "support-vectors or means, as far as it has them ('parts' of gssl info MODEL)")
      ->type_name("PART");
  verb.add_flag("--wide-diameter", options->wide_diameter,
                "also wide_paths, k paths without a common edge that join any two vertices of a "
                "connected graph of at most 300, and wide_length, the edges of the longest of "
                "them: what gssl bound wide-diameter asks for");
  add_graph_options(verb, common);
  add_output_options(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) {
    session.prepare({options->graph}, {session.options().output});
    OutputFile out(session.options().output);
    if (is_record_file(options->graph)) {
      const RecordFile record =
          session.timed("read", [&] { return read_record(options->graph, ""); });
      options->write_record(session, out, record, options->graph);
      out.commit();
      return 0;
    }
    const bool written = is_binary_graph(options->graph, session.options().read_options())
                             ? write_binary_info(session, out, *options)
                             : write_text_info(session, out, *options);
    if (written) out.commit();
    return 0;
  };
}

}  // namespace gssl::tool
