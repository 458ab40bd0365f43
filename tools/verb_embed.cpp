// gssl embed: kernel principal components of the rows of a table, or of the vertices of a graph.

#include "verb_embed.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "estimate.hpp"
#include "feature_input.hpp"
#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/data/column_encoding.hpp"
#include "gssl/kernel/kernel_pca.hpp"

namespace gssl::tool {
namespace {

struct EmbedOptions {
  std::string points;
  std::string graph;
  std::string others;
  std::string kernel = "auto";
  int dimensions = 2;
  bool standardize = false;
  FeatureOptions input;
};

void write_coordinates(Session& session, OutputFile& out, const VertexNames& names,
                       const Block& coordinates) {
  std::vector<std::string> header = {"node"};
  for (std::int64_t d = 0; d < coordinates.columns(); ++d)
    header.push_back(fmt::format("x{}", d + 1));
  TableWriter table(out, session.options().table_format(), header);
  for (std::int64_t r = 0; r < coordinates.rows(); ++r) {
    if (r % 65536 == 0) session.check_cancelled();
    table.text(names.name(static_cast<VertexId>(r)));
    for (const double x : coordinates.row(r)) table.number(x);
    table.end_row();
  }
  out.commit();
}

int report(Session& session, const KernelPca& pca) {
  session.record_report(pca.report);
  session.summary.set("eigenvalues", pca.eigenvalues);
  session.say(pca.report.sentence);
  if (pca.total > 0.0) {
    double held = 0.0;
    for (const double value : pca.eigenvalues) held += value;
    session.summary.set("variance_held", held / pca.total);
    session.say(fmt::format("they hold {:.2f}% of the variance in the space of the kernel",
                            100.0 * held / pca.total));
  }
  for (const std::string& warning : pca.report.warnings) session.warn(warning);
  session.say_time();
  if (pca.report.converged()) return 0;
  session.warn(fmt::format("stopped before tolerance ({}): what was written is not final",
                           to_string(pca.report.outcome)));
  return 1;
}

int embed_graph(Session& session, const EmbedOptions& options) {
  session.prepare({options.graph}, {session.options().output});
  OutputFile out(session.options().output);
  const GraphFile file = read_graph_file(session, options.graph);
  const auto found = [&](const RunContext& run) {
    return kernel_pca_of_graph(options.kernel, file.graph, {.dimensions = options.dimensions}, run);
  };
  if (const auto status =
          estimated(session, file.graph, spectrum_work(file.graph, options.dimensions), found))
    return *status;
  const KernelPca pca = found(session.run);
  session.check_cancelled();
  session.timed("write", [&] { write_coordinates(session, out, file.names, pca.coordinates); });
  return report(session, pca);
}

// Words and gaps become numbers as gssl fit makes them.
int embed_points(Session& session, const EmbedOptions& options) {
  session.prepare({options.points, options.others}, {session.options().output});
  OutputFile out(session.options().output);
  const FeatureReadOptions reading = feature_read_options(session, options.input, false);
  const FeaturesFile file = read_features_file(session, options.points, reading);
  std::optional<FeaturesFile> others;
  if (!options.others.empty()) {
    FeatureReadOptions alike = reading;
    alike.points.label_optional = true;
    others = read_features_file(session, options.others, alike);
  }
  const ColumnEncoding encoding =
      ColumnEncoding::fit(file.table, {.standardize = options.standardize});
  const Points points = encoding.encode(file.table);
  const auto found = [&](const RunContext& run) {
    return kernel_pca_of_points(options.kernel, points, {.dimensions = options.dimensions}, run);
  };
  const auto rehearsal = [&](const RunContext& run) {
    const KernelPca pca = found(run);
    if (others && !run.should_stop()) pca.project(encoding.encode(others->table), run);
  };
  const Work work =
      table_work(static_cast<double>(points.rows()), static_cast<double>(points.columns()), true);
  if (const auto status = estimated(session, work, rehearsal)) return *status;
  const KernelPca pca = session.timed("solve", [&] { return found(session.run); });
  session.summary.set("kernel", pca.kernel->spec());
  session.say("kernel: " + pca.kernel->spec());
  const Block coordinates =
      others
          ? session.timed("solve",
                          [&] { return pca.project(encoding.encode(others->table), session.run); })
          : pca.coordinates;
  session.check_cancelled();
  session.timed("write", [&] {
    write_coordinates(session, out, others ? others->names : file.names, coordinates);
  });
  return report(session, pca);
}

int embed(Session& session, const EmbedOptions& options) {
  if (options.points.empty() == options.graph.empty())
    throw Error(ErrorCode::usage, "give POINTS, or --graph GRAPH");
  if (options.graph.empty()) return embed_points(session, options);
  if (!options.others.empty() || options.standardize)
    throw Error(ErrorCode::usage, "--graph: not with --rows or --standardize, which are of points");
  return embed_graph(session, options);
}

}  // namespace

Verb add_embed(CLI::App& app, CommonOptions& common) {
  CLI::App& verb = add_verb(
      app, "embed", "Coordinates of rows or vertices: kernel principal components.",
      {"gssl embed datasets/iris/points.csv --label-column class --kernel 'gaussian(beta=0.5)'",
       "gssl embed datasets/wine/points.csv --label-column 14 --standardize --kernel linear -n 3",
       "gssl embed --graph datasets/lesmis/lesmis.graph --kernel 'diffusion(time=1)'"});
  const auto options = std::make_shared<EmbedOptions>();
  verb.add_option(
          "POINTS", options->points,
          "table, .npy, .npz, libsvm or idx file ('-': standard input); none beside --graph")
      ->type_name("FILE");
  verb.add_option("--graph", options->graph, "of the vertices of this graph instead")
      ->type_name("GRAPH");
  verb.add_option("--kernel", options->kernel,
                  "an expression such as gaussian(beta=0.5)+0.1*linear, a kernel of gssl kernel "
                  "with its options in brackets, or auto")
      ->type_name("KERNEL")
      ->capture_default_str();
  verb.add_option("-n,--dimensions", options->dimensions, "how many")
      ->type_name("N")
      ->check(CLI::Validator(at_least_one_error, ""))
      ->capture_default_str();
  verb.add_option("--rows", options->others,
                  "write the coordinates of these rows in the directions of POINTS")
      ->type_name("FILE");
  verb.add_flag("--standardize", options->standardize,
                "columns of numbers to mean 0 and standard deviation 1 first");
  add_points_input(verb, options->input, "--points-format");
  add_graph_options(verb, common);
  add_missing_option(verb, common, "Points");
  add_output_options(verb, common);
  add_time_limit(verb, common);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return embed(session, *options); };
}

}  // namespace gssl::tool
