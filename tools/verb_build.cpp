// gssl build: feature vectors in, the graph that `gssl label` reads out; or the trees of a graph.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "estimate.hpp"
#include "graph_input.hpp"
#include "graph_results.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/graph_union.hpp"
#include "gssl/graph/shortest_paths.hpp"
#include "gssl/graph/spanning_tree.hpp"
#include "gssl/io/graph_writer.hpp"
#include "points_graph.hpp"

namespace gssl::tool {
namespace {

struct BuildOptions {
  std::string points;
  std::string given;  // a graph, whose trees are wanted
  std::string length = "inverse";
  std::string labels_out;
  std::string to;
  PointsGraphOptions graph;
  const CLI::Option* format = nullptr;
};

GraphOutput output_of(const Session& session, const BuildOptions& options) {
  return graph_output(session.options().output, options.to, session.options().format,
                      options.format->count() > 0);
}

// Rows without a label are left out: they are for `gssl label` to find.
std::int64_t write_row_labels(OutputFile& out, TableFormat format, const PointsFile& file) {
  TableWriter table(out, format, {"node", "label"});
  std::int64_t written = 0;
  for (std::size_t row = 0; row < file.labels.size(); ++row) {
    if (file.labels[row].empty()) continue;
    table.text(file.names.name(static_cast<VertexId>(row)));
    table.text(file.labels[row]);
    table.end_row();
    ++written;
  }
  return written;
}

// The spanning forest or shortest-path tree of a graph, or their union.
int build_trees(Session& session, const BuildOptions& options) {
  session.prepare({options.given}, {session.options().output});
  if (!options.points.empty() || !options.labels_out.empty()) {
    throw Error(ErrorCode::usage, "--graph: there are no points beside it, nor labels of them");
  }
  if (const CLI::Option* other = first_given(options.graph, "", {"--mst", "--spt"})) {
    throw Error(ErrorCode::usage, other->get_name() + " is for points, and --graph is given");
  }
  if (!options.graph.mst && options.graph.spt.empty()) {
    throw Error(ErrorCode::usage, "--graph: say which of its trees with --mst or --spt ROOT");
  }
  const auto length = names_of<EdgeLength>.value(options.length);
  const GraphOutput output = output_of(session, options);
  OutputFile out(session.options().output);
  GraphFile file = read_graph_file(session, options.given);
  const VertexId root =
      options.graph.spt.empty() ? no_vertex : vertex_named(file, options.graph.spt, "--spt");
  const auto made = [&](const RunContext& run) {
    std::vector<Graph> trees;
    if (options.graph.mst) trees.push_back(minimum_spanning_forest(file.graph, length));
    if (root != no_vertex) trees.push_back(shortest_path_tree(file.graph, root, length, run));
    return trees.size() == 1 ? std::move(trees[0]) : unite(trees[0], trees[1]);
  };
  if (const auto status = estimated(session, file.graph, tree_work(file.graph), made))
    return *status;
  session.timed("build", [&] {
    file.graph = made(session.run);
    report_graph(session, file.graph, true);
  });
  session.timed("write", [&] {
    session.summary.set("isolated",
                        write_plain_graph(session, out, file.graph, file.names, output));
    session.check_cancelled();
    out.commit();
  });
  session.say_time();
  return 0;
}

int build(Session& session, const BuildOptions& options) {
  if (!options.given.empty()) return build_trees(session, options);
  if (options.points.empty()) {
    throw Error(ErrorCode::usage, "POINTS is required, or --graph; see gssl build --help");
  }
  session.prepare({points_file_path(options.points)},
                  {session.options().output, options.labels_out});
  check_points_options(options.graph);
  const GraphOutput output = output_of(session, options);
  OutputFile out(session.options().output);
  std::optional<OutputFile> labels_out;
  if (!options.labels_out.empty()) labels_out.emplace(options.labels_out);
  const PointsFile file = session.timed("read", [&] {
    return read_points_file(session, options.points, options.graph, missing_marks(session, false));
  });
  if (!file.labels.empty())
    report_missing(session, file.stats.path, file.missing, "labels_missing");
  if (labels_out && file.labels.empty() && file.points.rows() > 0) {
    throw Error(ErrorCode::usage,
                fmt::format("--labels-out: {} has no labels; tell which column with --label-column",
                            options.points));
  }
  session.check_cancelled();
  if (const auto status =
          estimated(session, points_work(file, options.graph),
                    [&](const RunContext& run) { joined_points(file, options.graph, run); }))
    return *status;
  const Graph graph =
      session.timed("build", [&] { return build_graph(session, file, options.graph).graph; });
  session.timed("write", [&] {
    session.summary.set("isolated", write_plain_graph(session, out, graph, file.names, output));
    if (labels_out) {
      session.summary.set("labelled",
                          write_row_labels(*labels_out, session.options().table_format(), file));
      labels_out->commit();
    }
    session.check_cancelled();
    out.commit();
  });
  session.say_time();
  return 0;
}

}  // namespace

Verb add_build(CLI::App& app, CommonOptions& common) {
  const std::string iris = "gssl build datasets/iris/points.csv --label-column class";
  CLI::App& verb = add_verb(
      app, "build", "Joins points to a graph by how near they are.",
      {iris + " --knn 10 -o iris.tsv",
       iris + " --knn 5 --mutual --mst --weights self-tuning --labels-out truth.tsv -o iris.tsv",
       "gzip -c datasets/wine/points.csv | gssl build - --label-column 14 --epsilon 60 --mst",
       "gssl build --graph datasets/digits/edges.tsv --mst -o tree.tsv"});
  const auto options = std::make_shared<BuildOptions>();
  verb.add_option("POINTS", options->points,
                  "table, .npy, .npz (or FILE.npz:NAME), libsvm or idx file ('-': standard input)")
      ->type_name("FILE");
  add_points_options(verb, options->graph, "--input-format");
  add_table_options(verb, common);
  add_missing_option(verb, common, "Points");
  CLI::Option* given =
      verb.add_option(
              "--graph", options->given,
              "instead of POINTS: the tree --mst or --spt of this graph, or the union of both; "
              "edges keep their weights")
          ->type_name("FILE")
          ->group("Trees of a graph");
  verb.add_option(
          "--length", options->length,
          "of an edge of --graph: inverse (1/weight: strong ties are short), weight or unit")
      ->type_name("KIND")
      ->check(one_of(names_of<EdgeLength>.all()))
      ->capture_default_str()
      ->needs(given)
      ->group("Trees of a graph");
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  verb.add_option("--output-format", options->to,
                  "edge-list, matrix-market, metis, binary, graphml, gexf, gml or dot (default: by "
                  "the extension of -o)")
      ->check(one_of(written_graph_formats()))
      ->type_name("FORMAT")
      ->group("Output");
  options->format = verb.add_option("--format", common.format,
                                    "tsv or csv (default: csv for -o FILE.csv, else tsv)")
                        ->type_name("FORMAT")
                        ->check(one_of({"tsv", "csv"}))
                        ->group("Output");
  verb.add_option("--labels-out", options->labels_out,
                  "also write 'node label' of the rows that have a label")
      ->type_name("FILE")
      ->group("Output");
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return build(session, *options); };
}

}  // namespace gssl::tool
