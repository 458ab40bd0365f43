// gssl label: a graph and some labels in, a label for every vertex out.

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "graph_input.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/transductive/extend.hpp"
#include "label_tables.hpp"
#include "points_graph.hpp"
#include "session.hpp"
#include "truth.hpp"

namespace gssl::tool {
namespace {

struct LabelOptions {
  std::string graph;
  std::string labels;
  std::string points;
  PointsGraphOptions build;
  std::string method = "harmonic";
  std::string truth;
  std::string priors;
  std::string scores;
  std::string extend;         // points that are not in the graph
  std::string extend_output;  // empty: they follow in the output
  bool regression = false;
  bool without_graph = false;  // the method learns from points
};

// Before the names of points that are not in the graph, where they follow those that are.
constexpr const char* new_prefix = "new:";

// Everything that is read.
struct Problem {
  GraphFile file;
  LabeledSet labeled;
  std::optional<LabelFile> truth;
  Points points;  // of a learner that builds no graph, or to which others are compared
  ExtensionWeights weights;
  PointsFile others;  // of --extend
};

// Labels of the rows of a table that have one.
LabelFile labels_of_rows(const PointsFile& points) {
  LabelFile file;
  file.stats = points.stats;
  for (std::size_t row = 0; row < points.labels.size(); ++row) {
    if (points.labels[row].empty()) continue;
    file.vertices.push_back(static_cast<VertexId>(row));
    file.labels.push_back(points.labels[row]);
    file.line_of.push_back(static_cast<std::int64_t>(row) + 1);
  }
  return file;
}

// The points of --extend: the columns of the others, and names that cannot be mistaken for theirs.
void read_others(Session& session, const LabelOptions& options, const PointsFile& points,
                 Problem& problem) {
  PointsFile others = read_points_file(session, options.extend, options.build);
  const bool by_index =
      points.stats.format == std::string("libsvm") && others.stats.format == std::string("libsvm");
  if (by_index && !others.points.is_sparse()) others.points = as_sparse(others.points);
  if (!by_index && others.points.columns() != points.points.columns()) {
    throw Error(ErrorCode::bad_data,
                fmt::format("{}: {} columns; expected {}, as {} has", options.extend,
                            others.points.columns(), points.points.columns(), options.points));
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

// Returns the labels that the points came with, if they are to be used.
std::optional<LabelFile> build_from_points(Session& session, const LabelOptions& options,
                                           Problem& problem) {
  PointsFile points = session.timed(
      "read", [&] { return read_points_file(session, options.points, options.build); });
  if (!options.extend.empty())
    session.timed("read", [&] { read_others(session, options, points, problem); });
  PointsGraph built;
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
  if (!options.labels.empty()) return std::nullopt;
  if (points.labels.empty() && problem.file.graph.vertex_count() > 0) {
    throw Error(ErrorCode::usage,
                "no labels: give LABELS, or --label-column if they are among "
                "the points");
  }
  return labels_of_rows(points);
}

void read_labels_of(Session& session, const LabelOptions& options,
                    const std::optional<LabelFile>& given, Problem& problem) {
  problem.labeled =
      given ? take_given_labels(session, options.labels, *given, options.regression, problem.file)
            : read_given_labels(session, options.labels, options.regression, problem.file);
  if (!options.truth.empty()) {
    problem.truth = read_truth(session, options.truth, problem.file.names);
  }
}

// GRAPH and LABELS as they were meant: beside --points, the one file given is LABELS.
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
    if (build.knn > 0 || build.epsilon >= 0.0 || build.mst) {
      throw Error(ErrorCode::usage,
                  "--knn, --epsilon and --mst build a graph from --points, and a graph is given");
    }
    return options;
  }
  if (!options.labels.empty()) {
    throw Error(ErrorCode::usage, "--points makes the graph: give LABELS alone, not GRAPH too");
  }
  if (!options.without_graph) {
    check_points_options(build);
  } else if (build.knn > 0 || build.epsilon >= 0.0 || build.mst || !build.spt.empty()) {
    throw Error(ErrorCode::usage, "--knn, --epsilon, --mst and --spt build a graph, and --method " +
                                      options.method + " uses none");
  } else if (!options.extend.empty()) {
    throw Error(ErrorCode::usage,
                "--extend reads the graph, and --method " + options.method + " uses none");
  }
  options.labels = std::exchange(options.graph, std::string());
  return options;
}

// Throws ErrorCode::usage before anything is read if the method takes no class priors.
void check_takes_priors(const LearnerEntry& entry) {
  for (const OptionSpec& spec : entry.options.specs()) {
    if (spec.name == "priors") return;
  }
  throw Error(
      ErrorCode::usage,
      fmt::format("--classes-prior: {} takes no class priors; use --method harmonic", entry.name));
}

std::string with_priors(const std::string& spec, const std::vector<double>& priors) {
  std::string list;
  for (const double prior : priors) list += (list.empty() ? "" : ";") + to_text(prior);
  std::string longer = spec + (spec.find(':') == std::string::npos ? ":" : ",");
  if (spec.find("mass=priors") == std::string::npos) longer += "mass=priors,";
  return longer + "priors=" + list;
}

std::array<std::int64_t, 4> count_status(const Fit& fit) {
  std::array<std::int64_t, 4> counts{};
  for (const VertexStatus status : fit.scores.status) ++counts[static_cast<std::size_t>(status)];
  return counts;
}

void report_truth(Session& session, const LabelOptions& options, const Problem& problem,
                  const Fit& fit) {
  const Agreement found = compare_with_truth(fit, problem.labeled, *problem.truth);
  session.summary.set("measured", found.measured);
  if (options.regression) {
    session.summary.set("rmse", found.rmse);
    session.say(fmt::format("root mean squared error {:.6g} on {} vertices not given", found.rmse,
                            found.reached));
    return;
  }
  session.summary.set("accuracy", found.accuracy);
  session.summary.set("accuracy_reached", found.accuracy_reached);
  if (found.measured == 0) {
    session.say("accuracy: no vertex with a truth was left to infer");
    return;
  }
  std::string text = fmt::format("accuracy {:.2f}% on {} vertices not given",
                                 100.0 * found.accuracy, found.measured);
  if (found.reached > 0 && found.reached < found.measured) {
    text +=
        fmt::format(" ({:.2f}% on the {} reached)", 100.0 * found.accuracy_reached, found.reached);
  }
  session.say(text);
}

// What was found, to a person and to the summary; returns the exit status.
int report_fit(Session& session, const LabelOptions& options, const Problem& problem,
               const MadeLearner& learner, const Fit& fit) {
  const auto [given, inferred, unreached, tied] = count_status(fit);
  session.summary.set("given", given);
  session.summary.set("inferred", inferred);
  session.summary.set("unreached", unreached);
  if (tied > 0) session.summary.set("tied", tied);
  session.say(fmt::format("{}: {}", learner.entry->name, fit.report.solver.sentence));
  std::string counts =
      fmt::format("{} given, {} inferred, {} unreached", given, inferred, unreached);
  if (tied > 0) counts += fmt::format(", {} tied", tied);
  if (!options.regression) counts += fmt::format("; {} classes", problem.labeled.class_count());
  session.say(counts);
  for (const std::string& warning : fit.report.warnings) session.warn(warning);
  if (problem.truth) report_truth(session, options, problem, fit);
  if (!fit.report.converged()) {
    session.warn(fmt::format("stopped before tolerance ({}): the labels written are not final",
                             to_string(fit.report.solver.outcome)));
    return 1;
  }
  if (unreached > 0 && session.options().strict) {
    session.warn(fmt::format("--strict: {} vertices have no label in their component", unreached));
    return 1;
  }
  return 0;
}

// Labels of the points that are not in the graph.
Fit extend_to_others(Session& session, const LabelOptions& options, const Problem& problem,
                     const Fit& fit) {
  const KnnLists nearest = nearest_points(problem.points, problem.others.points, options.build.knn,
                                          metric_named(options.build.metric), session.run);
  Fit found = extend(fit, nearest, problem.weights, session.run);
  const auto [given, inferred, unreached, tied] = count_status(found);
  session.summary.set("extend.points", static_cast<std::int64_t>(nearest.count));
  session.summary.set("extend.inferred", inferred);
  session.summary.set("extend.unreached", unreached);
  session.say(fmt::format("{}: {}; {} inferred, {} unreached", options.extend,
                          nearest.report.sentence, inferred, unreached));
  const LabelFile truth = labels_of_rows(problem.others);
  if (truth.vertices.empty()) return found;
  const Agreement agreement = compare_with_truth(found, problem.labeled, truth);
  session.summary.set("extend.measured", agreement.measured);
  if (options.regression) {
    session.summary.set("extend.rmse", agreement.rmse);
  } else {
    session.summary.set("extend.accuracy", agreement.accuracy);
    session.say(fmt::format("accuracy {:.2f}% on {} points that are not in the graph",
                            100.0 * agreement.accuracy, agreement.measured));
  }
  return found;
}

int label(Session& session, const LabelOptions& asked) {
  session.prepare({asked.graph, asked.labels, points_file_path(asked.points), asked.truth,
                   asked.priors, points_file_path(asked.extend)},
                  {session.options().output, asked.scores, asked.extend_output});
  MadeLearner learner = session.registry.make(asked.method);
  LabelOptions with_method = asked;
  with_method.without_graph = learner.points_learner != nullptr;
  const LabelOptions options = resolved(std::move(with_method));
  if (options.without_graph && session.options().unknown_labels == "add") {
    throw Error(ErrorCode::usage, "--unknown-labels add: " + options.method +
                                      " cannot label what has no point; use ignore");
  }
  if (!options.priors.empty()) {
    if (options.regression) throw Error(ErrorCode::usage, "--classes-prior: not with --regression");
    check_takes_priors(*learner.entry);
  }
  OutputFile out(session.options().output);
  std::optional<OutputFile> scores_out;
  if (!options.scores.empty()) scores_out.emplace(options.scores);
  std::optional<OutputFile> others_out;
  if (!options.extend_output.empty()) others_out.emplace(options.extend_output);

  Problem problem;
  std::optional<LabelFile> given;
  if (options.points.empty()) {
    problem.file = read_graph_file(session, options.graph);
  } else {
    given = build_from_points(session, options, problem);
  }
  session.timed("read", [&] { read_labels_of(session, options, given, problem); });
  if (!options.priors.empty()) {
    const auto priors = read_class_priors(options.priors, problem.labeled.class_names());
    learner = session.registry.make(with_priors(options.method, priors));
  }
  session.summary.set("method", learner.spec);

  const Fit fit =
      options.without_graph
          ? learner.points_learner->fit(problem.points, problem.labeled, session.run)
          : learner.transductive().fit(problem.file.graph, problem.labeled, session.run);
  session.record_report(fit.report);

  std::optional<Fit> others;
  if (!options.extend.empty()) {
    others =
        session.timed("solve", [&] { return extend_to_others(session, options, problem, fit); });
  }

  session.timed("write", [&] {
    const TableFormat format = session.options().table_format();
    const std::vector<std::string> columns = {"node", "label", "confidence", "status"};
    TableWriter labels(out, format, columns);
    write_labels(labels, problem.file.names, problem.labeled, fit, session);
    if (others_out) {
      TableWriter table(*others_out, format, columns);
      write_labels(table, problem.others.names, problem.labeled, *others, session);
      others_out->commit();
    } else if (others) {
      write_labels(labels, problem.others.names, problem.labeled, *others, session, new_prefix);
    }
    if (scores_out) {
      TableWriter scores(*scores_out, format, score_columns(problem.labeled));
      write_scores(scores, problem.file.names, fit, session);
      if (others) write_scores(scores, problem.others.names, *others, session, new_prefix);
      scores_out->commit();
    }
    out.commit();
  });
  const int status = report_fit(session, options, problem, learner, fit);
  session.say_time();
  return status;
}

}  // namespace

Verb add_label(CLI::App& app, CommonOptions& common) {
  const std::string digits = "gssl label datasets/digits/edges.tsv datasets/digits/labels.tsv";
  CLI::App& verb = add_verb(
      app, "label", "Labels every vertex of a graph from a few given labels.",
      {digits + " --truth datasets/digits/truth.tsv -o digits.tsv",
       digits + " --method local-global:alpha=0.95 --scores scores.tsv --summary run.json",
       "gzip -c datasets/digits/edges.tsv | gssl label - datasets/digits/labels.tsv --format csv",
       "gssl label --points datasets/iris/points.csv --label-column class --knn 10 --mst "
       "datasets/iris/labels.tsv",
       "gssl label --points datasets/wine/points.csv --label-column 14 --knn 10 --extend "
       "datasets/wine/points.csv --extend-output new.tsv"});
  const auto options = std::make_shared<LabelOptions>();
  verb.add_option("GRAPH", options->graph, "graph file ('-': standard input); none beside --points")
      ->type_name("FILE");
  verb.add_option("LABELS", options->labels, "lines 'node label' ('-': standard input)")
      ->type_name("FILE");
  verb.add_option("--method", options->method, "NAME[:key=value,…]; see gssl learners")
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_flag("--regression", options->regression, "labels are real numbers, not classes");
  verb.add_option("--classes-prior", options->priors, "lines 'class share' the answer should meet")
      ->type_name("FILE");
  verb.add_option("--truth", options->truth, "measure against lines 'node label'")
      ->type_name("FILE");
  verb.add_option("--scores", options->scores, "also write the score of every class")
      ->type_name("FILE")
      ->group("Output");
  add_graph_options(verb, common);
  add_label_options(verb, common);
  verb.add_option("--points", options->points,
                  "build the graph from points, as gssl build does with the options below; without "
                  "LABELS, those of the label column are given")
      ->type_name("FILE")
      ->group("Points");
  add_points_options(verb, options->build, "--points-format");
  CLI::Option* extend =
      verb.add_option("--extend", options->extend,
                      "also label the points of this file, which are not in the graph, by their K "
                      "nearest that are; they follow in the output as new:NAME")
          ->type_name("FILE")
          ->needs("--knn")
          ->group("Points");
  verb.add_option("--extend-output", options->extend_output,
                  "write these to a file of their own, as NAME")
      ->type_name("FILE")
      ->needs(extend)
      ->group("Output");
  add_output_options(verb, common);
  add_solve_options(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return label(session, *options); };
}

}  // namespace gssl::tool
