// gssl label: a graph and some labels in, a label for every vertex out.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "estimate.hpp"
#include "explain_page.hpp"
#include "fit_report.hpp"
#include "graph_results.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/evaluate/left_out_calibration.hpp"
#include "gssl/evaluate/stray_shares.hpp"
#include "label_compressed.hpp"
#include "label_points.hpp"
#include "report_page.hpp"

namespace gssl::tool {
namespace {

const OptionSpec* find_option(const LearnerEntry& entry, std::string_view name) {
  const auto found = std::ranges::find(entry.options.specs(), name, &OptionSpec::name);
  return found == entry.options.specs().end() ? nullptr : &*found;
}

// Throws ErrorCode::usage before anything is read if the method takes no class priors.
void check_takes_priors(const LearnerRegistry& registry, const LearnerEntry& entry) {
  if (find_option(entry, "priors") != nullptr) return;
  std::string able;
  for (const auto* other : registry.labelers())
    if (find_option(*other, "priors") != nullptr) able += (able.empty() ? "" : ", ") + other->name;
  throw Error(
      ErrorCode::usage,
      fmt::format("--classes-prior: {} takes no class priors; use one of {}", entry.name, able));
}

// The SPEC with these priors. Where it does not say what to do with them, they are met: exactly by
// learners with scores, as volumes by those that make a partition.
std::string with_priors(const LearnerEntry& entry, const std::string& spec,
                        const std::vector<double>& priors) {
  std::string list;
  for (const double prior : priors) list += (list.empty() ? "" : ";") + to_text(prior);
  std::string longer = spec + (spec.find(':') == std::string::npos ? ":" : ",");
  const OptionSpec* mass = find_option(entry, "mass");
  if (mass != nullptr && spec.find("mass=") == std::string::npos)
    longer += std::ranges::count(mass->choices, "shares") > 0 ? "mass=shares," : "mass=priors,";
  return longer + "priors=" + list;
}

// Precision and recall of each class, and how far confidence is from the share right.
void say_classes(Session& session, const Agreement& found) {
  constexpr int most_shown = 20;
  session.summary.set("balanced_accuracy", found.classes.balanced_accuracy());
  session.summary.set("f1_macro", found.classes.macro().f1);
  session.summary.set("calibration_error", found.calibration.expected_error);
  std::vector<double> precision, recall;
  for (int k = 0; k < found.classes.classes(); ++k) {
    const ClassMeasures one = found.classes.of_class(k);
    const std::string& name = found.class_names[static_cast<std::size_t>(k)];
    precision.push_back(one.precision);
    recall.push_back(one.recall);
    if (k < most_shown)
      session.say(fmt::format("  {}: precision {:.3f}, recall {:.3f} of {}", name, one.precision,
                              one.recall, one.support));
  }
  session.summary.set("truth_classes", found.class_names);
  session.summary.set("class_precision", precision);
  session.summary.set("class_recall", recall);
  if (found.reached > 0)
    session.say(fmt::format("confidence is off by {:.3f} on average (expected calibration error)",
                            found.calibration.expected_error));
}

void report_truth(Session& session, const LabelOptions& options, const LabelInput& problem,
                  const Fit& fit) {
  const Agreement found = compare_with_truth(fit, problem.labeled, *problem.truth);
  session.summary.set("measured", found.measured);
  if (options.regression) {
    session.summary.set("rmse", found.errors.rmse);
    session.summary.set("mae", found.errors.mae);
    session.summary.set("r2", found.errors.r2);
    session.say(fmt::format("root mean squared error {:.6g} on {} vertices not given",
                            found.errors.rmse, found.reached));
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
  say_classes(session, found);
}

// Shares that no one expects, and what to do about them. Shares that were asked for are met, or the
// fit says why not.
void warn_of_stray_shares(Session& session, const LabelOptions& options, const LabelInput& problem,
                          const MadeLearner& learner, const Fit& fit) {
  if (!options.priors.empty()) return;
  const std::optional<StrayShares> stray = find_stray_shares(fit, problem.labeled);
  if (!stray) return;
  const std::string cure =
      learner.entry->name == "auto"
          ? "label more vertices, or give the shares of the classes with --classes-prior"
          : "use --method auto, or give the shares of the classes with --classes-prior";
  session.warn(
      fmt::format("class '{}' has {:.3g}% of the labels and got {:.3g}% of the other "
                  "vertices, which often means that labels are too few for {}; {}",
                  problem.labeled.class_names()[static_cast<std::size_t>(stray->class_of)],
                  100.0 * stray->labeled, 100.0 * stray->decided, learner.entry->name, cure));
}

// What was found, to a person and to the summary; returns the exit status.
int report_fit(Session& session, const LabelOptions& options, const LabelInput& problem,
               const MadeLearner& learner, const Fit& fit) {
  const auto [given, inferred, unreached, tied, unfinished] = count_status(fit);
  session.summary.set("given", given);
  session.summary.set("inferred", inferred);
  session.summary.set("unreached", unreached);
  if (tied > 0) session.summary.set("tied", tied);
  if (unfinished > 0) session.summary.set("unfinished", unfinished);
  session.say(fmt::format("{}: {}", learner.entry->name, fit.report.solver.sentence));
  std::string counts =
      fmt::format("{} given, {} inferred, {} unreached", given, inferred, unreached);
  if (tied > 0) counts += fmt::format(", {} tied", tied);
  if (unfinished > 0) counts += fmt::format(", {} unfinished", unfinished);
  if (!options.regression) counts += fmt::format("; {} classes", problem.labeled.class_count());
  session.say(counts);
  for (const std::string& warning : fit.report.warnings) session.warn(warning);
  if (problem.truth) report_truth(session, options, problem, fit);
  if (!fit.report.converged()) {
    std::string text =
        fmt::format("stopped before tolerance ({}): the labels written are not final",
                    to_string(fit.report.solver.outcome));
    if (unfinished > 0)
      text += fmt::format("; {} vertices are unfinished: what was reached does not decide them",
                          unfinished);
    session.warn(text);
    return 1;
  }
  if (unreached > 0 && session.options().strict) {
    session.warn(fmt::format("--strict: {} vertices have no label in their component", unreached));
    return 1;
  }
  return 0;
}

// All scores are kept where someone looks at them: many classes take much memory. What goes on from
// before finds the best classes among them.
bool wants_scores(const LabelOptions& options) {
  const bool all = options.top == 0 || !options.checkpoint.file.empty();
  return options.regression || (!options.scores.empty() && all) || !options.extend.empty() ||
         !options.calibrate.empty() || !options.warm.scores.empty();
}

Fit fit_problem(Session& session, const LabelOptions& options, const LabelInput& problem,
                const MadeLearner& learner, TopClasses& best) {
  if (options.without_graph)
    return learner.points_learner->fit(problem.points, problem.labeled, session.run);
  const TransductiveLearner& on_graph = learner.transductive();
  const Graph& graph = problem.file.graph;
  const bool wanted = wants_scores(options) || !session.options().graph_output.empty();
  if (options.top > 0 && !wanted)
    return fit_with_top(on_graph, graph, problem.labeled, options.top, best, session.run);
  const auto fit = [&](const RunContext& run) {
    if (problem.before)
      return fit_from_previous(session, learner, graph, problem.labeled, *problem.before, run);
    return wanted ? on_graph.fit(graph, problem.labeled, run)
                  : on_graph.fit_without_scores(graph, problem.labeled, run);
  };
  if (options.checkpoint.file.empty()) return fit(session.run);
  CheckpointAbout about =
      about_run(session, learner, graph, problem.file.names, problem.labeled, wanted);
  if (problem.before) about.add("warm start", scores_fact(*problem.before));
  return fit_with_checkpoint(session, options.checkpoint, about, fit);
}

// Confidence becomes a probability, by given labels that are left out.
void calibrate(Session& session, const LabelOptions& options, const LabelInput& problem,
               const MadeLearner& learner, Fit& fit) {
  if (options.calibrate.empty()) return;
  const LeftOutCalibration found = session.timed("solve", [&] {
    return calibrate_on_left_out(learner.transductive(), problem.file.graph, problem.labeled,
                                 calibration_method_named(options.calibrate), session.run);
  });
  apply_calibration(found.calibration, fit);
  session.summary.set("calibration.method", options.calibrate);
  session.summary.set("calibration.left_out", found.left_out);
  session.summary.set("calibration.error_before", found.before.expected_error);
  session.summary.set("calibration.error_after", found.after.expected_error);
  session.say(
      fmt::format("confidence by {}, from {} given labels left out in turn: off by {:.3f} "
                  "before, {:.3f} after",
                  found.calibration.sentence(), found.left_out, found.before.expected_error,
                  found.after.expected_error));
}

// Takes back the answers that are not sure enough.
void drop_uncertain(Session& session, const LabelOptions& options, Fit& fit) {
  if (options.min_confidence <= 0.0) return;
  std::int64_t dropped = 0;
  for (std::size_t v = 0; v < fit.decision.size(); ++v) {
    if (fit.scores.status[v] != VertexStatus::inferred) continue;
    if (fit.confidence[v] >= options.min_confidence) continue;
    fit.decision[v] = no_answer;
    ++dropped;
  }
  session.summary.set("uncertain", dropped);
  session.say(fmt::format("{} vertices are uncertain: their confidence is below {:g}", dropped,
                          options.min_confidence));
}

// The scores of all classes, or of the best; those of --extend follow.
void write_score_file(const Session& session, const LabelOptions& options,
                      const LabelInput& problem, const Fit& fit, const Fit* others,
                      TopClasses& best, OutputFile& out) {
  const TableFormat format = session.options().table_format();
  const LabeledSet& labeled = problem.labeled;
  const int top = std::min(options.top, labeled.class_count());
  if (top > 0) {
    if (best.count() == 0) best = top_classes(fit.scores, top);
    TableWriter table(out, format, top_columns(top));
    write_top(table, problem.file.names, labeled, best, session.run);
    if (others != nullptr)
      write_top(table, problem.others.names, labeled, top_classes(others->scores, top), session.run,
                new_prefix);
  } else {
    TableWriter table(out, format, score_columns(labeled));
    write_scores(table, problem.file.names, fit, session.run);
    if (others != nullptr)
      write_scores(table, problem.others.names, *others, session.run, new_prefix);
  }
  out.commit();
}

// What the work would take, of a graph that is given or of one that is still to be built.
Work work_of(const Session& session, const LabelOptions& options, const LabelInput& problem,
             const MadeLearner& learner, const NetworkSize& size) {
  if (options.without_graph) return listing_work(size);
  return label_work(session, learner.entry->name, size, problem.labeled, wants_scores(options),
                    options.top);
}

void check_confidence_options(const LabelOptions& options) {
  if (options.calibrate.empty() && options.min_confidence <= 0.0) return;
  if (options.regression)
    throw Error(ErrorCode::usage, "--calibrate and --min-confidence: real targets have no classes");
  if (options.min_confidence > 1.0)
    throw Error(ErrorCode::usage, "--min-confidence: must be in [0, 1]");
  if (!options.calibrate.empty() && options.without_graph)
    throw Error(ErrorCode::usage, "--calibrate: " + options.method + " uses no graph");
}

void write_report(Session& session, const LabelOptions& options, const LabelInput& problem,
                  const MadeLearner& learner, const Fit& fit, OutputFile& out) {
  std::optional<Agreement> agreement;
  if (problem.truth) agreement = compare_with_truth(fit, problem.labeled, *problem.truth);
  Json page =
      fit_document(session, {.graph = problem.file.graph,
                             .names = problem.file.names,
                             .classes = problem.labeled.class_names(),
                             .labels = drawn_labels(fit),
                             .report = fit.report,
                             .method = learner.entry->name,
                             .data = options.points.empty() ? options.graph : options.points,
                             .agreement = std::move(agreement)});
  const Json suspects =
      found_suspects_table(problem.file.graph, problem.labeled, problem.file.names, session.run);
  if (!suspects.empty()) page["tables"].insert(page["tables"].begin(), suspects);
  out.write(report_page(page));
  out.commit();
}

int label(Session& session, const LabelOptions& asked) {
  session.prepare(
      {asked.graph, asked.labels, points_file_path(asked.points), asked.truth, asked.priors,
       points_file_path(asked.extend), asked.warm.scores, asked.warm.changes},
      {session.options().output, asked.scores, asked.extend_output, asked.report,
       asked.checkpoint.file, asked.warm.flips});
  // A SPEC that waits for --classes-prior is whole when the classes are known.
  MadeLearner learner = session.registry.make(
      asked.priors.empty() ? asked.method : asked.method.substr(0, asked.method.find(':')));
  LabelOptions with_method = asked;
  with_method.without_graph = learner.points_learner != nullptr;
  const LabelOptions options = resolved(std::move(with_method));
  if (options.without_graph && session.options().unknown_labels == "add") {
    throw Error(ErrorCode::usage, "--unknown-labels add: " + options.method +
                                      " cannot label what has no point; use ignore");
  }
  if (!options.priors.empty()) {
    if (options.regression) throw Error(ErrorCode::usage, "--classes-prior: not with --regression");
    check_takes_priors(session.registry, *learner.entry);
  }
  check_confidence_options(options);
  check_checkpoint_options(options.checkpoint, learner);
  check_warm_start(options.warm, learner, !options.points.empty());
  if (options.regression && options.top > 0)
    throw Error(ErrorCode::usage, "--top: real targets have no classes");
  if (!session.options().estimate && sweeps_compressed(options, session, learner))
    return label_compressed(session, options, learner);
  if (options.regression && !options.report.empty())
    throw Error(ErrorCode::usage, "--report draws classes: not with --regression");
  if (options.regression && !options.warm.flips.empty())
    throw Error(ErrorCode::usage, "--flips lists classes: not with --regression");
  OutputFile out(session.options().output);
  GraphResults graph_out(session);
  if (graph_out.wanted() && options.without_graph)
    throw Error(ErrorCode::usage, "--graph-output: " + options.method + " uses no graph");
  std::optional<OutputFile> report_out;
  if (!options.report.empty()) report_out.emplace(options.report);
  std::optional<OutputFile> scores_out;
  if (!options.scores.empty()) scores_out.emplace(options.scores);
  std::optional<OutputFile> flips_out;
  if (!options.warm.flips.empty()) flips_out.emplace(options.warm.flips);
  std::optional<OutputFile> others_out;
  if (!options.extend_output.empty()) others_out.emplace(options.extend_output);

  const auto take_priors = [&](const std::vector<std::string>& classes) {
    if (options.priors.empty()) return;
    const std::vector<double> priors = read_class_priors(options.priors, classes);
    learner = session.registry.make(with_priors(*learner.entry, options.method, priors));
  };
  LabelInput problem;
  const auto take_truth = [&](VertexNames& names, const LabeledSet& labeled, VertexId rows) {
    if (options.truth.empty()) return;
    problem.truth = read_truth(session, options.truth, names, missing_marks(session, labeled), rows,
                               LabelPart::test);
    // Throws on what is no number.
    if (options.regression) to_labeled_set(*problem.truth, true, &names);
  };
  // All is read before the graph is built.
  if (options.points.empty()) {
    problem.file = read_graph_file(session, options.graph);
    const ChangeFile changes = change_graph(session, options.warm, problem.file);
    session.timed("read", [&] {
      problem.labeled = with_label_changes(
          read_given_labels(session, options.labels, options.regression, problem.file), changes,
          problem.file.names);
      take_truth(problem.file.names, problem.labeled, -1);
      take_priors(problem.labeled.class_names());
    });
  } else {
    PointsFile points;
    const LabelFile given = read_from_points(session, options, points, problem);
    session.timed("read", [&] {
      const LabeledSet labeled = to_labeled_set(given, options.regression);
      take_truth(points.names, labeled, points.points.rows());
      take_priors(labeled.class_names());
    });
    build_from_points(session, options, std::move(points), problem);
    problem.labeled = take_given_labels(session, given, options.regression, problem.file);
  }
  session.summary.set("method", learner.spec);
  if (!options.warm.scores.empty())
    problem.before =
        read_previous(session, options.warm, learner, problem.file.names, problem.labeled);

  const Graph& graph = problem.file.graph;
  if (const auto told =
          estimated(session, graph, work_of(session, options, problem, learner, graph)))
    return *told;
  TopClasses best;
  Fit fit = fit_problem(session, options, problem, learner, best);
  session.record_report(fit.report);
  if (problem.before)
    report_changes(session, *problem.before, fit, problem.file.names,
                   flips_out ? &*flips_out : nullptr);
  calibrate(session, options, problem, learner, fit);

  std::optional<Fit> others;
  if (!options.extend.empty()) {
    others =
        session.timed("solve", [&] { return extend_to_others(session, options, problem, fit); });
  }

  // What was expected of the shares is told of all decisions, also those that are taken back.
  warn_of_stray_shares(session, options, problem, learner, fit);
  drop_uncertain(session, options, fit);
  session.timed("write", [&] {
    const TableFormat format = session.options().table_format();
    const std::vector<std::string> columns = {"node", "label", "confidence", "status"};
    TableWriter labels(out, format, columns);
    write_labels(labels, problem.file.names, problem.labeled, fit, session.run);
    if (others_out) {
      TableWriter table(*others_out, format, columns);
      write_labels(table, problem.others.names, problem.labeled, *others, session.run);
      others_out->commit();
    } else if (others) {
      write_labels(labels, problem.others.names, problem.labeled, *others, session.run, new_prefix);
    }
    if (scores_out) {
      write_score_file(session, options, problem, fit, others ? &*others : nullptr, best,
                       *scores_out);
    }
    if (report_out) write_report(session, options, problem, learner, fit, *report_out);
    if (graph_out.wanted())
      graph_out.write(session, problem.file.graph, problem.file.names,
                      fit_columns(problem.labeled, fit));
    out.commit();
  });
  const int status = report_fit(session, options, problem, learner, fit);
  session.say_time();
  return status;
}

}  // namespace

Verb add_label(CLI::App& app, CommonOptions& common) {
  const std::string digits = "gssl label datasets/digits/edges.tsv datasets/digits/labels.tsv";
  const std::string points = "gssl label --points datasets/";
  CLI::App& verb = add_verb(
      app, "label", "Labels every vertex of a graph from a few given labels.",
      {digits + " --truth datasets/digits/truth.tsv -o digits.tsv",
       digits + " --method local-global:alpha=0.95 --scores scores.tsv --summary run.json",
       "gzip -c datasets/digits/edges.tsv | gssl label - datasets/digits/labels.tsv --format csv",
       points + "iris/points.csv --label-column class --knn 10 --mst "
                "datasets/iris/labels.tsv",
       points + "wine/points.csv --label-column 14 --knn 10 --extend "
                "datasets/wine/points.csv --extend-output new.tsv"});
  const auto options = std::make_shared<LabelOptions>();
  verb.add_option("GRAPH", options->graph, "graph file ('-': standard input); none beside --points")
      ->type_name("FILE");
  verb.add_option(
          "LABELS", options->labels,
          "lines 'node label', .npy, .npz, idx, or what gssl label wrote ('-': standard input)")
      ->type_name("FILE");
  verb.add_option("--method", options->method, "NAME[:key=value,…]; see gssl learners")
      ->type_name("SPEC")
      ->capture_default_str();
  verb.add_flag("--regression", options->regression, "labels are real numbers, not classes");
  verb.add_option("--classes-prior", options->priors, "lines 'class share' the answer should meet")
      ->type_name("FILE");
  verb.add_option("--truth", options->truth, "measure against labels like LABELS")
      ->type_name("FILE");
  verb.add_option("--scores", options->scores, "also write the score of every class")
      ->type_name("FILE")
      ->group("Output");
  verb.add_option("--top", options->top,
                  "with --scores: the N best classes of a vertex and their scores, not all")
      ->type_name("N")
      ->check(CLI::Validator(at_least_one_error, ""))
      ->needs("--scores")
      ->group("Output");
  verb.add_option("--report", options->report, "also write a page to look at")
      ->type_name("FILE.html")
      ->group("Output");
  const std::string confidence = "Confidence";
  verb.add_option("--calibrate", options->calibrate,
                  "make confidence the chance to be right, by given labels that are left out: "
                  "temperature, isotonic or platt")
      ->type_name("NAME")
      ->check(one_of({"temperature", "isotonic", "platt"}))
      ->group(confidence);
  verb.add_option("--min-confidence", options->min_confidence,
                  "answer '?', status uncertain, where confidence is below P")
      ->type_name("P")
      ->check(CLI::Validator(distance_error, ""))
      ->group(confidence);
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
                      "nearest that are; they follow in the output as new:NAME. Columns as in "
                      "--points; that of labels may be missing")
          ->type_name("FILE")
          ->needs("--knn")
          ->group("Points");
  verb.add_option("--extend-output", options->extend_output,
                  "write these to a file of their own, as NAME")
      ->type_name("FILE")
      ->needs(extend)
      ->group("Output");
  add_output_options(verb, common);
  add_graph_output(verb, common);
  add_solve_options(verb, common);
  add_checkpoint_options(verb, options->checkpoint);
  add_warm_start_options(verb, options->warm);
  add_estimate(verb, common);
  add_run_options(verb, common);
  return [options](Session& session) { return label(session, *options); };
}

}  // namespace gssl::tool
