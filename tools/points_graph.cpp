#include "points_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/graph/metric.hpp"
#include "gssl/io/points_reader.hpp"

namespace gssl::tool {
namespace {

// Of a value: "" or what is wrong.
std::string positive_error(std::string& text) {
  const auto value = parse_number<double>(text);
  if (value && *value > 0.0 && std::isfinite(*value)) return {};
  return "'" + text + "' is not a finite number above 0";
}

// Throws ErrorCode::usage.
KnnOptions search_options(const PointsGraphOptions& options) {
  KnnOptions search{.metric = metric_named(options.metric),
                    .method = knn_method_named(options.search)};
  if (!options.approximate.empty()) search.recall = *parse_number<double>(options.approximate);
  search.validate();
  return search;
}

// The point of --spt. Throws ErrorCode::usage.
VertexId root_of(const PointsFile& file, const std::string& name) {
  if (name.empty()) return no_vertex;
  const VertexId root = file.names.find(name);
  // Names after those of the points are labels of --unknown-labels add.
  if (root == no_vertex || root >= file.points.rows()) {
    throw Error(ErrorCode::usage,
                fmt::format("--spt {}: no point has this name; give a row number from 0, or an "
                            "id of --id-column",
                            name));
  }
  return root;
}

void report_knn(Session& session, const KnnReport& report, VertexId points) {
  session.summary.set("knn.k", report.k);
  session.summary.set("knn.used", to_string(report.used));
  session.summary.set("knn.distances", report.distances);
  session.summary.set("knn.sentence", report.sentence);
  if (report.recall_requested < 1.0) {
    session.summary.set("recall", report.recall);
    session.summary.set("knn.recall_requested", report.recall_requested);
    session.summary.set("knn.recall_error", report.recall_error);
    session.summary.set("knn.recall_sample", static_cast<std::int64_t>(report.recall_sample));
  }
  session.say(report.sentence);
  if (report.k < report.k_requested && points > 1) {
    session.warn(fmt::format("--knn {}: there are {} points, so each has {} neighbors",
                             report.k_requested, points, report.k));
  }
}

void report_parts(Session& session, const PointGraph& built, VertexId points) {
  if (built.knn) report_knn(session, *built.knn, points);
  if (built.epsilon) {
    session.summary.set("epsilon.edges", built.epsilon->edges);
    session.summary.set("epsilon.sentence", built.epsilon->sentence);
    session.say(built.epsilon->sentence);
  }
  if (built.spanning_tree) {
    session.summary.set("mst.length", built.spanning_tree->length);
    session.summary.set("mst.sentence", built.spanning_tree->sentence);
    session.say(built.spanning_tree->sentence);
  }
}

void report_weights(Session& session, const EdgeWeightReport& report) {
  session.summary.set("weights.kind", to_string(report.kind));
  session.summary.set("weights.scale", report.scale);
  session.summary.set("weights.rule", report.rule);
  session.summary.set("weights.underflowed", report.underflowed);
  session.summary.set("weights.overflowed", report.overflowed);
  session.summary.set("weights.zero_distances", report.zero_distances);
  session.summary.set("weights.zero_scales", report.zero_scales);
  if (report.kind != WeightKind::unit) {
    session.say(fmt::format("weights {}, scale {} ({})", to_string(report.kind),
                            to_text(report.scale), report.rule));
  }
  if (report.underflowed > 0) {
    session.warn(
        fmt::format("{} edges are so long that their weight is 0 but for the smallest "
                    "number, which many methods cannot use; make --scale smaller, or take "
                    "--weights self-tuning or unit",
                    report.underflowed));
  }
  if (report.overflowed > 0) {
    session.warn(
        fmt::format("{} weights were lowered to the largest number used; make --scale "
                    "smaller",
                    report.overflowed));
  }
}

}  // namespace

void report_graph(Session& session, const Graph& graph, bool has_mst) {
  const Components components = connected_components(graph);
  session.summary.set("n", static_cast<std::int64_t>(graph.vertex_count()));
  session.summary.set("m", static_cast<std::int64_t>(graph.edge_count()));
  session.summary.set("components", static_cast<std::int64_t>(components.count));
  session.say(fmt::format("{} vertices, {} edges, {} components", graph.vertex_count(),
                          graph.edge_count(), components.count));
  if (components.count > 1) {
    session.warn(fmt::format(
        "the graph falls into {} components, the largest of {} vertices, and labels do not spread "
        "from one to another; {}",
        components.count, components.largest_size(),
        has_mst ? "the tree asked for does not reach them"
                : "join them with --mst, or raise --knn or --epsilon"));
  }
}

void add_points_input(CLI::App& verb, PointsInputOptions& options,
                      const std::string& format_option) {
  const std::string input = "Points";
  verb.add_option(format_option, options.format,
                  "automatic (by content), table, npy, npz, libsvm or idx")
      ->type_name("FORMAT")
      ->check(one_of(names_of<PointsFormat>.all()))
      ->capture_default_str()
      ->group(input);
  verb.add_option("--header", options.header, "the first line of a table: automatic, yes or no")
      ->type_name("WHEN")
      ->check(one_of(names_of<TableHeader>.all()))
      ->capture_default_str()
      ->group(input);
  verb.add_option("--id-column", options.id_column,
                  "column that names the points, by its name or number from 1")
      ->type_name("COLUMN")
      ->group(input);
  verb.add_option("--label-column", options.label_column,
                  "column that holds labels, likewise; of a .npz, the name of an array")
      ->type_name("COLUMN")
      ->group(input);
}

namespace {

// How near points are, and how the nearest are found.
void add_search_options(CLI::App& verb, PointsGraphOptions& options, CLI::Option* knn,
                        const std::string& group) {
  verb.add_option("--metric", options.metric, "euclidean, cosine, correlation or manhattan")
      ->type_name("NAME")
      ->check(one_of(names_of<Metric>.all()))
      ->capture_default_str()
      ->group(group);
  // A flag, so that what follows it is not taken for its value.
  verb.add_flag("--approximate{0.98}", options.approximate,
                "find only this share of the neighbors of --knn, =0.98 if not told, where that is "
                "faster; the share is estimated from a sample and reported")
      ->type_name("=RECALL")
      ->check(CLI::Validator(distance_error, ""))
      ->needs(knn)
      ->group(group);
  verb.add_option(
          "--search", options.search,
          "how neighbors are found: automatic, tree, blocks, projection, inverted, or, with "
          "--approximate, descent")
      ->type_name("NAME")
      ->check(one_of(names_of<KnnMethod>.all()))
      ->capture_default_str()
      ->group(group);
}

void add_weight_options(CLI::App& verb, PointsGraphOptions& options, const std::string& group) {
  verb.add_option("--weights", options.weights,
                  "of an edge of length d: unit, gaussian exp(-C d^2), exponential exp(-C d), "
                  "inverse C/d or self-tuning exp(-C d^2/(s t)), s and t the distances of its ends "
                  "to their K-th neighbors")
      ->type_name("KIND")
      ->check(one_of(names_of<WeightKind>.all()))
      ->capture_default_str()
      ->group(group);
  verb.add_option("--scale", options.scale,
                  "C above (default: 1/mean s^2, 1/mean s, or 1 for the last two)")
      ->type_name("C")
      ->check(CLI::Validator(positive_error, ""))
      ->group(group);
}

}  // namespace

void add_points_options(CLI::App& verb, PointsGraphOptions& options,
                        const std::string& format_option) {
  const std::size_t before = verb.get_options().size();
  add_points_input(verb, options, format_option);
  const std::string group = "Graph";
  CLI::Option* knn = verb.add_option("--knn", options.knn, "join each point to its K nearest")
                         ->type_name("K")
                         ->check(CLI::Validator(decimal_error, ""))
                         ->check(CLI::Range(1, std::numeric_limits<int>::max()).description(""))
                         ->group(group);
  verb.add_flag("--mutual", options.mutual, "only where each is among the K nearest of the other")
      ->needs(knn)
      ->group(group);
  CLI::Option* epsilon =
      verb.add_option("--epsilon", options.epsilon, "join points at distance R or less")
          ->type_name("R")
          ->check(CLI::Validator(distance_error, ""))
          ->group(group);
  verb.add_option("--max-edges", options.max_edges,
                  "refuse an --epsilon that gives more edges (default: what memory holds)")
      ->type_name("N")
      ->check(CLI::Validator(decimal_error, ""))
      ->check(CLI::Range(std::int64_t{1}, std::numeric_limits<std::int64_t>::max()).description(""))
      ->needs(epsilon)
      ->group(group);
  verb.add_flag("--mst", options.mst, "add the minimum spanning tree of all points")->group(group);
  verb.add_option("--spt", options.spt,
                  "keep of all that only the shortest-path tree from the point ROOT")
      ->type_name("ROOT")
      ->group(group);
  add_search_options(verb, options, knn, group);
  add_weight_options(verb, options, group);
  const std::vector<CLI::Option*> all = verb.get_options();
  options.declared.assign(all.begin() + static_cast<std::ptrdiff_t>(before), all.end());
}

const CLI::Option* first_given(const PointsGraphOptions& options, const std::string& group,
                               const std::vector<std::string>& allowed) {
  for (const CLI::Option* option : options.declared) {
    const bool meant = group.empty() || option->get_group() == group;
    const bool is_allowed =
        std::find(allowed.begin(), allowed.end(), option->get_name()) != allowed.end();
    if (option->count() > 0 && meant && !is_allowed) return option;
  }
  return nullptr;
}

void check_points_options(const PointsGraphOptions& options) {
  if (options.knn == 0 && options.epsilon < 0.0 && !options.mst) {
    throw Error(ErrorCode::usage,
                "nothing says how points are joined: give --knn K, --epsilon R or --mst");
  }
  search_options(options);
  if (options.search != "automatic" && options.knn == 0 && !options.mst) {
    throw Error(ErrorCode::usage, "--search says how --knn and --mst find neighbors: give one");
  }
  if (options.weights == "unit" && options.scale > 0.0) {
    throw Error(ErrorCode::usage, "--scale: weights of --weights unit are 1; drop one of the two");
  }
}

PointsFile read_points_file(Session& session, const std::string& path,
                            const PointsGraphOptions& options, const MissingMarks& missing,
                            std::int64_t feature_columns) {
  session.check_inputs();
  PointsFile file = read_points(path,
                                {.format = parse_points_format(options.format),
                                 .header = parse_table_header(options.header),
                                 .label_column = options.label_column,
                                 .id_column = options.id_column,
                                 .missing = missing,
                                 .feature_columns = feature_columns,
                                 .table = session.options().table_options()},
                                session.run);
  session.summary.add_input(file.stats);
  session.say(fmt::format("{}: {} points of {} columns ({}, {}{})", path, file.points.rows(),
                          file.points.columns(), file.stats.format,
                          file.points.is_sparse() ? "sparse " : "",
                          file.points.is_float() ? "float" : "double"));
  warn_of_input(session, file.stats);
  return file;
}

PointGraph joined_points(const PointsFile& file, const PointsGraphOptions& options,
                         const RunContext& run) {
  return point_graph(
      file.points,
      {.knn = options.knn,
       .mutual = options.mutual,
       .epsilon = options.epsilon,
       .spanning_tree = options.mst,
       .root = root_of(file, options.spt),
       .search = search_options(options),
       .max_edges = options.max_edges,
       .weights = {.kind = weight_kind_named(options.weights), .scale = options.scale}},
      run);
}

PointGraph build_graph(Session& session, const PointsFile& file,
                       const PointsGraphOptions& options) {
  session.summary.set("metric", options.metric);
  session.summary.set("columns", file.points.columns());
  PointGraph built = joined_points(file, options, session.run);
  report_parts(session, built, file.points.rows());
  report_weights(session, built.weights);
  report_graph(session, built.graph, options.mst);
  return built;
}

}  // namespace gssl::tool
