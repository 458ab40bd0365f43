#include "label_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "estimate.hpp"
#include "graph_results.hpp"
#include "gssl/core/error.hpp"
#include "label_answer.hpp"
#include "label_compressed.hpp"
#include "label_findings.hpp"

namespace gssl::tool {
namespace {

// Throws ErrorCode::usage before anything is read if the method takes no class priors.
void check_takes_priors(const LearnerRegistry& registry, const LearnerEntry& entry) {
  if (entry.takes_priors()) return;
  std::string able;
  for (const auto* other : registry.labelers())
    if (other->takes_priors()) able += (able.empty() ? "" : ", ") + other->name;
  throw Error(
      ErrorCode::usage,
      fmt::format("--classes-prior: {} takes no class priors; use one of {}", entry.name, able));
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

// GRAPH and LABELS as they were meant. Throws ErrorCode::usage, before anything is read, where
// options contradict one another or the learner.
LabelOptions checked(const Session& session, LabelOptions asked, const MadeLearner& learner) {
  asked.without_graph = learner.points_learner != nullptr;
  LabelOptions options = resolved(std::move(asked));
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
  return options;
}

void open_if_asked(std::optional<OutputFile>& file, const std::string& path) {
  if (!path.empty()) file.emplace(path);
}

class LabelJob {
 public:
  // Opens what will be written.
  LabelJob(Session& session, const LabelOptions& options, MadeLearner learner);

  void read();  // graph or points, labels, truth; the learner is whole then
  // The exit status of --estimate, or nothing.
  std::optional<int> estimate();
  void answer();
  void write();
  int tell() const;  // the exit status

 private:
  void read_graph();
  void read_points();
  void take_priors(const std::vector<std::string>& classes);
  void take_truth(VertexNames& names, const LabeledSet& labeled, VertexId rows);
  void write_labels_and_others();
  void write_score_file();

  Session& session_;
  const LabelOptions& options_;
  MadeLearner learner_;
  OutputFile out_;
  GraphResults graph_out_;
  std::optional<OutputFile> page_out_, scores_out_, flips_out_, others_out_;
  LabelInput problem_;
  LabelAnswer answer_;
};

LabelJob::LabelJob(Session& session, const LabelOptions& options, MadeLearner learner)
    : session_(session),
      options_(options),
      learner_(std::move(learner)),
      out_(session.options().output),
      graph_out_(session) {
  if (graph_out_.wanted() && options.without_graph)
    throw Error(ErrorCode::usage, "--graph-output: " + options.method + " uses no graph");
  open_if_asked(page_out_, options.report);
  open_if_asked(scores_out_, options.scores);
  open_if_asked(flips_out_, options.warm.flips);
  open_if_asked(others_out_, options.extend_output);
}

// A SPEC that waits for --classes-prior is whole when the classes are known.
void LabelJob::take_priors(const std::vector<std::string>& classes) {
  if (options_.priors.empty()) return;
  learner_ = session_.registry.make(options_.method, read_class_priors(options_.priors, classes));
}

void LabelJob::take_truth(VertexNames& names, const LabeledSet& labeled, VertexId rows) {
  if (options_.truth.empty()) return;
  problem_.truth = read_truth(session_, options_.truth, names, missing_marks(session_, labeled),
                              rows, LabelPart::test);
  // Throws on what is no number.
  if (options_.regression) to_labeled_set(*problem_.truth, true, &names);
}

void LabelJob::read_graph() {
  problem_.file = read_graph_file(session_, options_.graph);
  const ChangeFile changes = change_graph(session_, options_.warm, problem_.file);
  session_.timed("read", [&] {
    problem_.labeled =
        read_given_labels(session_, options_.labels, options_.regression, problem_.file);
    problem_.labeled = with_label_changes(problem_.labeled, changes, problem_.file.names,
                                          missing_marks(session_, problem_.labeled));
    session_.summary.set("labelled", static_cast<std::int64_t>(problem_.labeled.size()));
    take_truth(problem_.file.names, problem_.labeled, -1);
    take_priors(problem_.labeled.class_names());
  });
}

// All is read before the graph is built.
void LabelJob::read_points() {
  PointsFile points;
  const LabelFile given = read_from_points(session_, options_, points, problem_);
  session_.timed("read", [&] {
    const LabeledSet labeled = to_labeled_set(given, options_.regression);
    take_truth(points.names, labeled, points.points.rows());
    take_priors(labeled.class_names());
  });
  build_from_points(session_, options_, std::move(points), problem_);
  problem_.labeled = take_given_labels(session_, given, options_.regression, problem_.file);
}

void LabelJob::read() {
  if (options_.points.empty())
    read_graph();
  else
    read_points();
  session_.summary.set("method", learner_.spec);
  if (!options_.warm.scores.empty())
    problem_.before =
        read_previous(session_, options_.warm, learner_, problem_.file.names, problem_.labeled);
}

std::optional<int> LabelJob::estimate() {
  const Graph& graph = problem_.file.graph;
  const Work work = options_.without_graph ? listing_work(graph)
                                           : label_work(session_, learner_, graph, problem_.labeled,
                                                        wants_scores(options_), options_.top);
  // What comes behind the fit may take more than the fit.
  const bool more = problem_.before || !options_.calibrate.empty() || !options_.extend.empty() ||
                    page_out_ || graph_out_.wanted();
  if (more) return estimated(session_, graph, work);
  return estimated(session_, graph, work, [this](const RunContext& run) {
    rehearse_fit(session_, options_, problem_, learner_, run);
  });
}

void LabelJob::answer() {
  answer_ = fit_labels(session_, options_, problem_, learner_);
  if (problem_.before)
    report_changes(session_, *problem_.before, answer_.fit, problem_.file.names,
                   flips_out_ ? &*flips_out_ : nullptr);
  calibrate(session_, options_, problem_, learner_, answer_.fit);
  if (!options_.extend.empty())
    answer_.others = session_.timed(
        "solve", [&] { return extend_to_others(session_, options_, problem_, answer_.fit); });
  // What was expected of the shares is told of all decisions, also those that are taken back.
  warn_of_stray_shares(session_, options_, problem_, learner_, answer_.fit);
  drop_uncertain(session_, options_, answer_.fit);
}

void LabelJob::write_labels_and_others() {
  const TableFormat format = session_.options().table_format();
  const std::vector<std::string> columns = {"node", "label", "confidence", "status"};
  const VertexNames& other_names = problem_.others.names;
  TableWriter labels(out_, format, columns);
  write_labels(labels, problem_.file.names, problem_.labeled, answer_.fit, session_.run);
  if (others_out_) {
    TableWriter table(*others_out_, format, columns);
    write_labels(table, other_names, problem_.labeled, *answer_.others, session_.run);
    others_out_->commit();
  } else if (answer_.others) {
    write_labels(labels, other_names, problem_.labeled, *answer_.others, session_.run, new_prefix);
  }
}

// The scores of all classes, or of the best; those of --extend follow.
void LabelJob::write_score_file() {
  const TableFormat format = session_.options().table_format();
  const LabeledSet& labeled = problem_.labeled;
  const int top = std::min(options_.top, labeled.class_count());
  if (top > 0) {
    if (answer_.best.count() == 0) answer_.best = top_classes(answer_.fit.scores, top);
    TableWriter table(*scores_out_, format, top_columns(top));
    write_top(table, problem_.file.names, labeled, answer_.best, session_.run);
    if (answer_.others)
      write_top(table, problem_.others.names, labeled, top_classes(answer_.others->scores, top),
                session_.run, new_prefix);
  } else {
    TableWriter table(*scores_out_, format, score_columns(labeled));
    write_scores(table, problem_.file.names, answer_.fit, session_.run);
    if (answer_.others)
      write_scores(table, problem_.others.names, *answer_.others, session_.run, new_prefix);
  }
  scores_out_->commit();
}

void LabelJob::write() {
  session_.timed("write", [&] {
    write_labels_and_others();
    if (scores_out_) write_score_file();
    if (page_out_)
      write_label_page(session_, options_, problem_, learner_, answer_.fit, *page_out_);
    if (graph_out_.wanted())
      graph_out_.write(session_, problem_.file.graph, problem_.file.names,
                       fit_columns(problem_.labeled, answer_.fit));
    out_.commit();
  });
}

int LabelJob::tell() const {
  const int status = tell_findings(session_, options_, problem_, learner_, answer_.fit);
  session_.say_time();
  return status;
}

}  // namespace

int label(Session& session, const LabelOptions& asked) {
  session.prepare(
      {asked.graph, asked.labels, points_file_path(asked.points), asked.truth, asked.priors,
       points_file_path(asked.extend), asked.warm.scores, asked.warm.changes},
      {session.options().output, asked.scores, asked.extend_output, asked.report,
       asked.checkpoint.file, asked.warm.flips});
  // A SPEC that waits for --classes-prior is whole when the classes are known.
  MadeLearner learner = session.registry.make(asked.priors.empty() ? std::string_view(asked.method)
                                                                   : split_spec(asked.method).name);
  const LabelOptions options = checked(session, asked, learner);
  if (!session.options().estimate && sweeps_compressed(options, session, learner))
    return label_compressed(session, options, learner);
  if (options.regression && !options.report.empty())
    throw Error(ErrorCode::usage, "--report draws classes: not with --regression");
  if (options.regression && !options.warm.flips.empty())
    throw Error(ErrorCode::usage, "--flips lists classes: not with --regression");
  LabelJob job(session, options, std::move(learner));
  job.read();
  if (const auto told = job.estimate()) return *told;
  job.answer();
  job.write();
  return job.tell();
}

}  // namespace gssl::tool
