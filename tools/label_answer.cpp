#include "label_answer.hpp"

#include <fmt/format.h>

#include "gssl/evaluate/graph_calibration.hpp"

namespace gssl::tool {

bool wants_scores(const LabelOptions& options) {
  const bool all = options.top == 0 || !options.checkpoint.file.empty();
  return options.regression || (!options.scores.empty() && all) || !options.extend.empty() ||
         !options.calibrate.empty() || !options.warm.scores.empty();
}

namespace {

bool keeps_scores(const Session& session, const LabelOptions& options) {
  return wants_scores(options) || !session.options().graph_output.empty();
}

// From nothing.
Fit plain_fit(const Session& session, const LabelOptions& options, const LabelInput& problem,
              const MadeLearner& learner, const RunContext& run, TopClasses& best) {
  if (options.without_graph)
    return learner.points_learner->fit(problem.points, problem.labeled, run);
  const TransductiveLearner& on_graph = learner.transductive();
  const Graph& graph = problem.file.graph;
  const bool wanted = keeps_scores(session, options);
  if (options.top > 0 && !wanted)
    return fit_with_top(on_graph, graph, problem.labeled, options.top, best, run);
  return wanted ? on_graph.fit(graph, problem.labeled, run)
                : on_graph.fit_without_scores(graph, problem.labeled, run);
}

Fit fit_problem(Session& session, const LabelOptions& options, LabelInput& problem,
                const MadeLearner& learner, TopClasses& best) {
  const Graph& graph = problem.file.graph;
  const bool wanted = keeps_scores(session, options);
  const auto fit = [&](const RunContext& run) {
    return problem.before
               ? fit_from_previous(session, learner, graph, problem.labeled, *problem.before, run)
               : plain_fit(session, options, problem, learner, run, best);
  };
  if (options.checkpoint.file.empty()) return fit(session.run);
  CheckpointAbout about =
      about_run(session, learner, graph, problem.file.names, problem.labeled, wanted);
  if (problem.before) about.add("warm start", scores_fact(*problem.before));
  return fit_with_checkpoint(session, options.checkpoint, about, fit);
}

}  // namespace

LabelAnswer fit_labels(Session& session, const LabelOptions& options, LabelInput& problem,
                       const MadeLearner& learner) {
  LabelAnswer answer;
  answer.fit = fit_problem(session, options, problem, learner, answer.best);
  session.record_report(answer.fit.report);
  return answer;
}

void rehearse_fit(const Session& session, const LabelOptions& options, const LabelInput& problem,
                  const MadeLearner& learner, const RunContext& run) {
  TopClasses best;
  plain_fit(session, options, problem, learner, run, best);
}

void calibrate(Session& session, const LabelOptions& options, const LabelInput& problem,
               const MadeLearner& learner, Fit& fit) {
  if (options.calibrate.empty()) return;
  const GraphCalibration calibration = session.timed("solve", [&] {
    GraphCalibration learned =
        calibrate_on_graph(learner.transductive(), problem.file.graph, problem.labeled, fit,
                           calibration_method_named(options.calibrate), session.run);
    apply_calibration(learned, problem.file.graph, fit, session.run.thread_count());
    return learned;
  });
  const LeftOutCalibration& found = calibration.left_out;
  session.summary.set("calibration.method", options.calibrate);
  session.summary.set("calibration.left_out", found.left_out);
  session.summary.set("calibration.error_before", found.before.expected_error);
  session.summary.set("calibration.error_after", found.after.expected_error);
  session.say(
      fmt::format("confidence by {}, from {} given labels left out in turn: off by {:.3f} "
                  "before, {:.3f} after",
                  found.calibration.sentence(), found.left_out, found.before.expected_error,
                  found.after.expected_error));
  if (!calibration.asks_neighbors()) return;
  session.summary.set("calibration.redrawn_differ", calibration.redrawn_differ);
  session.summary.set("calibration.share_right", calibration.share_right);
  session.say(
      fmt::format("fits to labels drawn from the answers differ on {:.1f} % of the vertices; by "
                  "that and the labels left out, {:.1f} % of the answers are right",
                  100.0 * calibration.redrawn_differ, 100.0 * calibration.share_right));
}

void drop_uncertain(Session& session, const LabelOptions& options, Fit& fit) {
  if (options.min_confidence <= 0.0) return;
  std::int64_t dropped = 0;
  for (std::size_t v = 0; v < fit.decision.size(); ++v) {
    VertexStatus& status = fit.scores.status[v];
    if (status != VertexStatus::inferred && status != VertexStatus::tied) continue;
    if (fit.confidence[v] >= options.min_confidence) continue;
    status = VertexStatus::inferred;  // without a class: uncertain, whether it is tied or not
    fit.decision[v] = no_answer;
    ++dropped;
  }
  if (dropped > 0)
    session.say(fmt::format("{} vertices are uncertain: their confidence is below {:g}", dropped,
                            options.min_confidence));
}

}  // namespace gssl::tool
