#include "label_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/knn_lists.hpp"

namespace gssl::tool {
namespace {

// Labels of --extend that say there is none: -1 means there what it means in the points.
MissingMarks marks_beside(const Session& session, const LabelOptions& options,
                          const PointsFile& points) {
  using MinusOne = MissingMarks::MinusOne;
  MissingMarks marks = missing_marks(session, options.regression);
  if (marks.minus_one != MinusOne::by_rule || points.labels.empty()) return marks;
  const bool is_label = std::ranges::find(points.labels, "-1") != points.labels.end();
  if (points.missing.minus_one_by_rule) marks.minus_one = MinusOne::is_missing;
  if (is_label) marks.minus_one = MinusOne::is_label;
  return marks;
}

// The points of --extend: the columns of the others in their order, a column of labels or none, and
// names that cannot be mistaken for theirs.
void read_others(Session& session, const LabelOptions& options, const PointsFile& points,
                 LabelInput& problem) {
  PointsFile others =
      read_points_file(session, options.extend, options.build,
                       marks_beside(session, options, points), points.points.columns());
  const bool by_index =
      points.stats.format == std::string("libsvm") && others.stats.format == std::string("libsvm");
  if (by_index && !others.points.is_sparse()) others.points = as_sparse(others.points);
  if (!by_index && others.points.columns() != points.points.columns()) {
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: {} columns; expected {}, as {} has", options.extend,
                            others.points.columns(), points.points.columns(), options.points));
  }
  const std::vector<std::string>&here = others.column_names, &there = points.column_names;
  for (std::size_t i = 0; i < std::min(here.size(), there.size()); ++i) {
    if (here[i] == there[i]) continue;
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: feature {} is named '{}'; expected '{}', as {} has; give both "
                            "files the same columns in the same order",
                            options.extend, i + 1, here[i], there[i], options.points));
  }
  if (options.extend_output.empty()) {
    for (VertexId v = 0; v < others.names.size(); ++v) {
      if (points.names.find(new_prefix + others.names.name(v)) == no_vertex) continue;
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: a point is named {}{}, as one of {} will be; give the latter a "
                              "file of their own with --extend-output",
                              options.points, new_prefix, others.names.name(v), options.extend));
    }
  }
  problem.others = std::move(others);
}

}  // namespace

LabelOptions resolved(LabelOptions options) {
  const PointsGraphOptions& build = options.build;
  if (options.without_graph && options.points.empty()) {
    throw Error(ErrorCode::usage,
                "--method " + options.method + " learns from points: give --points");
  }
  if (options.points.empty()) {
    if (options.labels.empty()) {
      throw Error(ErrorCode::usage,
                  "GRAPH and LABELS are required, or --points; see gssl label "
                  "--help");
    }
    if (!options.extend.empty()) {
      throw Error(ErrorCode::usage, "--extend finds the nearest of --points, and a graph is given");
    }
    if (const CLI::Option* given = first_given(build)) {
      throw Error(ErrorCode::usage, given->get_name() +
                                        " is for a graph that is built from --points, and a "
                                        "graph is given");
    }
    return options;
  }
  if (!options.labels.empty()) {
    throw Error(ErrorCode::usage, "--points makes the graph: give LABELS alone, not GRAPH too");
  }
  if (!options.without_graph) {
    check_points_options(build);
  } else if (const CLI::Option* given = first_given(build, "Graph")) {
    throw Error(ErrorCode::usage, given->get_name() + " is for building a graph, and --method " +
                                      options.method + " uses none");
  } else if (!options.extend.empty()) {
    throw Error(ErrorCode::usage,
                "--extend reads the graph, and --method " + options.method + " uses none");
  }
  options.labels = std::exchange(options.graph, std::string());
  return options;
}

LabelFile read_from_points(Session& session, const LabelOptions& options, PointsFile& points,
                           LabelInput& problem) {
  const MissingMarks marks = missing_marks(session, options.regression);
  points = session.timed(
      "read", [&] { return read_points_file(session, options.points, options.build, marks); });
  if (!options.extend.empty())
    session.timed("read", [&] { read_others(session, options, points, problem); });
  LabelFile labels;
  if (!options.labels.empty()) {
    const UnknownLabels unknown = parse_unknown_labels(session.options().unknown_labels);
    labels = session.timed("read", [&] {
      return read_labels(options.labels, points.names,
                         {.unknown = unknown,
                          .missing = marks,
                          .point_rows = points.points.rows(),
                          .columns = session.options().columns_of_labels(),
                          .remedy = unknown_labels_remedy,
                          .threads = session.run.thread_count(),
                          .memory_limit = session.run.memory_limit});
    });
    session.summary.add_input(labels.stats);
    warn_of_notes(session, labels.stats);
  } else if (!points.labels.empty() || points.points.rows() == 0) {
    labels = labels_of_rows(points.labels, points.missing, points.stats);
    if (labels.vertices.empty() && !points.labels.empty()) {
      throw Error(ErrorCode::bad_data,
                  fmt::format("{}: no row has a label ({}); give LABELS, or say with --missing "
                              "which words are no label",
                              options.points, points.missing.sentence()));
    }
  } else {
    throw Error(ErrorCode::usage,
                "no labels: give LABELS, or --label-column if they are among "
                "the points");
  }
  to_labeled_set(labels, options.regression, &points.names);  // throws on what is no target
  session.check_cancelled();
  return labels;
}

void build_from_points(Session& session, const LabelOptions& options, PointsFile points,
                       LabelInput& problem) {
  PointGraph built;
  if (options.without_graph) {
    problem.file.graph = with_isolated(Graph(), points.points.rows());
    session.summary.set("n", static_cast<std::int64_t>(points.points.rows()));
  } else {
    built = session.timed("build", [&] { return build_graph(session, points, options.build); });
    problem.file.graph = std::move(built.graph);
  }
  problem.file.names = std::move(points.names);
  if (options.without_graph || !options.extend.empty()) problem.points = std::move(points.points);
  if (!options.extend.empty()) {
    problem.weights = {built.weights.kind, built.weights.scale, std::move(built.local_scale)};
  }
}

std::array<std::int64_t, 5> count_status(const Fit& fit) {
  std::array<std::int64_t, 5> counts{};
  for (const VertexStatus status : fit.scores.status) ++counts[static_cast<std::size_t>(status)];
  return counts;
}

Fit extend_to_others(Session& session, const LabelOptions& options, const LabelInput& problem,
                     const Fit& fit) {
  const KnnLists nearest = nearest_points(problem.points, problem.others.points, options.build.knn,
                                          metric_named(options.build.metric), session.run);
  Fit found = extend(fit, nearest, problem.weights, session.run);
  const auto [given, inferred, unreached, tied, unfinished] = count_status(found);
  session.summary.set("extend.points", static_cast<std::int64_t>(nearest.count));
  session.summary.set("extend.inferred", inferred);
  session.summary.set("extend.unreached", unreached);
  if (unfinished > 0) session.summary.set("extend.unfinished", unfinished);
  session.say(fmt::format("{}: {}; {} inferred, {} unreached{}", options.extend,
                          nearest.report.sentence, inferred, unreached,
                          unfinished > 0 ? fmt::format(", {} unfinished", unfinished) : ""));
  const LabelFile truth =
      labels_of_rows(problem.others.labels, problem.others.missing, problem.others.stats);
  if (truth.vertices.empty()) return found;
  const Agreement agreement = compare_with_truth(found, problem.labeled, truth);
  session.summary.set("extend.measured", agreement.measured);
  if (options.regression) {
    session.summary.set("extend.rmse", agreement.errors.rmse);
  } else {
    session.summary.set("extend.accuracy", agreement.accuracy);
    session.say(fmt::format("accuracy {:.2f}% on {} points that are not in the graph",
                            100.0 * agreement.accuracy, agreement.measured));
  }
  return found;
}

}  // namespace gssl::tool
