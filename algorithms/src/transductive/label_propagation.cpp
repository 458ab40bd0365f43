#include "gssl/transductive/label_propagation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/data/checkpoint.hpp"
#include "gssl/linalg/residual.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/largest.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/harmonic_columns.hpp"
#include "transductive/support/learner_options.hpp"

namespace gssl {

namespace {

// A step may be as small as is asked for because labels are too far or edges too weak to move
// anything; then as much of the residual is left.
constexpr double most_residual = 0.01;

// One step X ← X + diag⁻¹(B − AX), which on the free vertices is F ← D⁻¹W F. `product` holds AX.
// Returns the largest change.
double step(const std::vector<double>& diagonal, const Block& b, const Block& product, Block& x,
            int threads) {
  return blocked_sum(x.rows(), threads,
                     [&](std::int64_t begin, std::int64_t end) {
                       detail::Largest change;
                       for (std::int64_t r = begin; r < end; ++r) {
                         const double d = diagonal[static_cast<std::size_t>(r)];
                         for (std::int64_t c = 0; c < x.columns(); ++c) {
                           const double delta = (b(r, c) - product(r, c)) / d;
                           x(r, c) += delta;
                           change.value = std::max(change.value, std::abs(delta));
                         }
                       }
                       return change;
                     })
      .value;
}

std::string sentence(const SolveReport& report, double change, double threshold) {
  return std::string(to_string(report.outcome)) + " after " + std::to_string(report.iterations) +
         " steps, last change " + to_text(change) + " (stops at " + to_text(threshold) +
         "), relative residual " + to_text(*report.relative_residual);
}

// Where all labels agree, so does the answer, and averaging from zero would take thousands of steps
// to find it.
void start_at_common_target(const Block& targets, Block& x) {
  for (std::int64_t c = 0; c < targets.columns(); ++c) {
    bool common = true;
    for (std::int64_t i = 1; i < targets.rows(); ++i)
      common = common && targets(i, c) == targets(0, c);
    for (std::int64_t r = 0; common && r < x.rows(); ++r) x(r, c) = targets(0, c);
  }
}

SolveReport propagate(const GroundedLaplacian& system, const Block& b, Block& x, double threshold,
                      std::int64_t max_iterations, const RunContext& run) {
  const int threads = run.thread_count();
  SolveReport report;
  report.requested = report.used = "label-propagation";
  report.outcome = Outcome::iteration_limit;
  Block product;
  const std::vector<double> targets = column_norms(b, threads);
  const auto left = [&] { return worst_ratio(residual_norms(b, product, threads), targets); };
  double change = 0.0, first = 0.0;  // of one step; the first over what is allowed
  CheckpointStep kept(
      run.checkpoint, "label propagation",
      run.checkpoint == nullptr
          ? 0
          : Fingerprint().add(b.values()).add(x.values()).add(std::span(&threshold, 1)).value());
  if (const Record* state = kept.state()) {
    x = state->block("x");
    report.iterations = state->integer("iterations");
    change = state->real("change");
    first = state->real("first");
  }
  const auto save = [&] {
    Record state;
    state.put("x", x);
    state.put("iterations", report.iterations);
    state.put("change", change);
    state.put("first", first);
    kept.save(std::move(state));
  };
  system.apply(x, product, threads);
  while (report.iterations < max_iterations) {
    if (const auto why = run.stop()) {
      report.outcome = *why;
      if (kept.kept()) save();
      break;
    }
    if (kept.due()) save();
    change = step(system.diagonal(), b, product, x, threads);
    system.apply(x, product, threads);
    ++report.iterations;
    if (report.iterations == 1) first = change / threshold;
    run.report_progress(
        "label propagation, change " + to_brief_text(change),
        std::max(1.0 - std::log(std::max(change / threshold, 1.0)) / std::log(std::max(first, 2.0)),
                 static_cast<double>(report.iterations) / static_cast<double>(max_iterations)));
    if (change <= threshold && left() <= most_residual) {
      report.outcome = Outcome::converged;
      break;
    }
  }
  report.relative_residual = left();
  report.sentence = sentence(report, change, threshold);
  return report;
}

const OptionBinding<LabelPropagationOptions>& label_propagation_binding() {
  static const auto options =
      OptionBinding<LabelPropagationOptions>("label-propagation")
          .real(&LabelPropagationOptions::tolerance, "tolerance", detail::open_unit,
                "largest change of one step, relative to the largest target")
          .integer(&LabelPropagationOptions::max_iterations, "max_iterations", {.low = 1},
                   "step limit");
  return options;
}

}  // namespace

void LabelPropagationOptions::validate() const { label_propagation_binding().validate(*this); }

LabelPropagationLearner::LabelPropagationLearner(LabelPropagationOptions options)
    : options_(options) {
  options_.validate();
}

namespace {

// A block of classes at a time.
Fit propagate_blocks(const Graph& graph, const LabeledSet& labeled,
                     const LabelPropagationOptions& options, const detail::KeptScores& keep,
                     const detail::ColumnPlan& plan) {
  detail::HarmonicColumns columns = detail::hard_columns(graph, labeled);
  columns.shares = false;
  columns.solve = [&options, &run = plan.run](const GroundedLaplacian& system, const Block& b,
                                              Block& x) {
    return propagate(system, b, x, options.tolerance, options.max_iterations, run);
  };
  return detail::fit_harmonic_columns(std::move(columns), graph.vertex_count(), labeled, {}, keep,
                                      plan);
}

}  // namespace

Fit LabelPropagationLearner::fit(const Graph& graph, const LabeledSet& labeled,
                                 const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true, 0, nullptr);
}

Fit LabelPropagationLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                                const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false, 0, nullptr);
}

Fit LabelPropagationLearner::fit_top(const Graph& graph, const LabeledSet& labeled, int count,
                                     TopClasses& best, const RunContext& run) const {
  Fit fit = fit_keeping(graph, labeled, run, false, count, &best);
  keep_top(fit, count, best);
  return fit;
}

Fit LabelPropagationLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                         const RunContext& run, bool keep_scores, int top,
                                         TopClasses* best) const {
  detail::check_problem("label-propagation", graph, labeled, detail::Regression::supported);
  // A sweep takes no more than conjugate gradients with the diagonal.
  const detail::ColumnPlan plan =
      detail::plan_columns({.learner = "label-propagation",
                            .graph = graph,
                            .classes = detail::column_count(labeled),
                            .keep_scores = keep_scores,
                            .top = top,
                            .blocks = !labeled.is_regression()},
                           {.kind = SolverKind::conjugate_gradient, .eliminate = false}, run);
  if (!plan.together)
    return propagate_blocks(graph, labeled, options_,
                            {.scores = keep_scores, .best = best, .top = top}, plan);
  Report report;
  const Stopwatch setup;
  const Block targets = labeled.target_block();
  const DirichletProblem problem = make_dirichlet_problem(graph, labeled.vertices());
  const Block b = problem.right_hand_side(targets);
  double scale = 0.0;
  for (const double target : targets.values()) scale = std::max(scale, std::abs(target));
  report.setup_seconds = setup.seconds();

  const Stopwatch solving;
  Block x(b.rows(), b.columns());
  start_at_common_target(targets, x);
  take_solve(report, propagate(problem.system, b, x, options_.tolerance * scale,
                               options_.max_iterations, run));
  report.solve_seconds = solving.seconds();

  Block scores(graph.vertex_count(), targets.columns());
  for (std::int64_t r = 0; r < x.rows(); ++r)
    std::ranges::copy(x.row(r),
                      scores.row(problem.free_vertices[static_cast<std::size_t>(r)]).begin());
  detail::set_given_rows(scores, labeled, run.thread_count());
  return detail::finish_fit(
      std::move(scores), detail::vertex_status(graph.vertex_count(), labeled, problem.unreached),
      labeled, detail::GivenLabels::hard, std::move(report), run.thread_count());
}

LearnerEntry label_propagation_entry() {
  LearnerEntry entry;
  entry.name = "label-propagation";
  entry.summary = "repeated averaging over neighbors with given labels held fixed";
  entry.reference =
      "X. Zhu, Z. Ghahramani. Learning from labeled and unlabeled data with label propagation. "
      "CMU-CALD-02-107, 2002";
  entry.options = label_propagation_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<LabelPropagationLearner>(label_propagation_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
