// gssl build: feature vectors in, the graph that `gssl label` reads out.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "gssl/core/error.hpp"
#include "gssl/io/graph_writer.hpp"
#include "points_graph.hpp"

namespace gssl::tool {
namespace {

struct BuildOptions {
  std::string points;
  std::string labels_out;
  PointsGraphOptions graph;
};

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

int build(Session& session, const BuildOptions& options) {
  session.prepare({points_file_path(options.points)},
                  {session.options().output, options.labels_out});
  check_points_options(options.graph);
  OutputFile out(session.options().output);
  std::optional<OutputFile> labels_out;
  if (!options.labels_out.empty()) labels_out.emplace(options.labels_out);
  const PointsFile file = session.timed(
      "read", [&] { return read_points_file(session, options.points, options.graph); });
  if (labels_out && file.labels.empty() && file.points.rows() > 0) {
    throw Error(ErrorCode::usage,
                fmt::format("--labels-out: {} has no labels; tell which column with --label-column",
                            options.points));
  }
  session.check_cancelled();
  const Graph graph =
      session.timed("build", [&] { return build_graph(session, file, options.graph).graph; });
  session.timed("write", [&] {
    const TableFormat table = session.options().table_format();
    session.summary.set("isolated",
                        write_graph(out, graph, file.names, GraphFormat::edge_list, table));
    if (labels_out) {
      session.summary.set("labelled", write_row_labels(*labels_out, table, file));
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
       "gzip -c datasets/wine/points.csv | gssl build - --label-column 14 --epsilon 60 --mst"});
  const auto options = std::make_shared<BuildOptions>();
  verb.add_option("POINTS", options->points,
                  "table, .npy, .npz (or FILE.npz:NAME), libsvm or idx file ('-': standard input)")
      ->required()
      ->type_name("FILE");
  add_points_options(verb, options->graph, "--input-format");
  verb.add_option("-o,--output", common.output, "write to FILE ('-': standard output)")
      ->type_name("FILE")
      ->capture_default_str()
      ->group("Output");
  verb.add_option("--format", common.format, "tsv or csv")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"tsv", "csv"}).description(""))
      ->capture_default_str()
      ->group("Output");
  verb.add_option("--labels-out", options->labels_out,
                  "also write 'node label' of the rows that have a label")
      ->type_name("FILE")
      ->group("Output");
  add_run_options(verb, common);
  return [options](Session& session) { return build(session, *options); };
}

}  // namespace gssl::tool
