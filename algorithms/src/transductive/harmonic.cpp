#include "gssl/transductive/harmonic.hpp"

#include <algorithm>

#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/reported_solve.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/class_columns.hpp"
#include "transductive/support/class_solves.hpp"
#include "transductive/support/harmonic_columns.hpp"
#include "transductive/support/implied_class.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/rescale_mass.hpp"
#include "transductive/support/shared_fits.hpp"
#include "transductive/support/uneven_labels.hpp"

namespace gssl {

namespace {

// (L + c·diag(labeled)) X = c·Y. Components without a label have no ground and no right-hand side;
// LinearSolver returns zero there.
Fit fit_soft(const Graph& graph, const LabeledSet& labeled, const HarmonicOptions& options,
             const detail::ColumnPlan& plan) {
  Report report;
  const Stopwatch setup;
  const VertexId n = graph.vertex_count();
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (const VertexId v : labeled.vertices()) ground[static_cast<std::size_t>(v)] = options.soft;
  GroundedLaplacian system(std::make_shared<const Graph>(graph), std::move(ground));
  std::vector<VertexId> unreached = detail::unreached_vertices(system.components(), labeled);
  const auto right_hand_side = [&, every = labeled.target_block()](int first, int count) {
    Block b(n, count);
    for (std::size_t i = 0; i < labeled.size(); ++i)
      for (int c = 0; c < count; ++c)
        b(labeled.vertices()[i], c) =
            options.soft * every(static_cast<std::int64_t>(i), std::int64_t{first} + c);
    return b;
  };
  report.setup_seconds = setup.seconds();

  std::vector<Block> x;
  if (labeled.is_regression())
    x.push_back(
        detail::solve(std::move(system), right_hand_side(0, 1), plan.options, plan.run, report));
  else
    x = detail::solve_classes({.system = std::move(system),
                               .classes = labeled.class_count(),
                               .right_hand_side = right_hand_side},
                              plan.options, plan.run, report);
  Block scores = detail::scores_from_columns(std::move(x), {}, detail::reduced_targets(labeled),
                                             labeled, n, plan.run.thread_count());
  return detail::finish_fit(std::move(scores), detail::vertex_status(n, labeled, unreached),
                            labeled, detail::GivenLabels::soft, std::move(report),
                            plan.run.thread_count());
}

const OptionBinding<HarmonicOptions>& harmonic_binding() {
  static const auto options =
      OptionBinding<HarmonicOptions>("harmonic")
          .real(&HarmonicOptions::soft, "soft", detail::not_negative,
                "c of the penalty c(u-y)^2 on given labels; 0 keeps them exactly")
          .with(detail::rescaling_group)
          .with(detail::solver_group);
  return options;
}

}  // namespace

void HarmonicOptions::validate() const { harmonic_binding().validate(*this); }

HarmonicLearner::HarmonicLearner(HarmonicOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit HarmonicLearner::fit(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true, 0, nullptr);
}

Fit HarmonicLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                        const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false, 0, nullptr);
}

Fit HarmonicLearner::fit_top(const Graph& graph, const LabeledSet& labeled, int count,
                             TopClasses& best, const RunContext& run) const {
  Fit fit = fit_keeping(graph, labeled, run, false, count, &best);
  keep_top(fit, count, best);
  return fit;
}

std::optional<Fit> HarmonicLearner::fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                                           const RunContext& run) const {
  detail::check_problem("harmonic", shared.graph(), labeled, detail::Regression::supported);
  detail::check_mass("harmonic", options_.mass, options_.priors, labeled);
  const SolverOptions options = detail::solver_options(options_);
  if (!detail::goes_together(shared.graph(), labeled, run) || shared.potentials() == nullptr ||
      !detail::may_share(*shared.potentials(), labeled, options))
    return std::nullopt;
  const bool soft = options_.soft > 0.0;
  const detail::LabelGroups groups(shared.graph(), labeled, run.thread_count());
  const detail::LabelNetwork network(*shared.potentials(), groups, labeled,
                                     soft ? 1.0 / options_.soft : 0.0);
  std::optional<Fit> fit =
      soft ? detail::soft_dirichlet_on(shared, groups, network, labeled, options_.soft,
                                       options.tolerance, run)
           : detail::dirichlet_on(shared, groups, network, labeled, options.tolerance, run);
  if (fit) detail::rescale_mass(*fit, labeled, options_.mass, options_.priors, run);
  return fit;
}

Fit HarmonicLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                 const RunContext& run, bool keep_scores, int top,
                                 TopClasses* best) const {
  detail::check_problem("harmonic", graph, labeled, detail::Regression::supported);
  detail::check_mass("harmonic", options_.mass, options_.priors, labeled);
  const SolverOptions solver = detail::solver_options(options_);
  // Decisions that meet shares are taken over all scores together.
  const detail::ColumnPlan plan = detail::plan_columns(
      {.learner = "harmonic",
       .graph = graph,
       .classes = detail::column_count(labeled),
       .keep_scores = keep_scores,
       .top = top,
       .rescaled = options_.mass != MassRule::none,
       .shares_graph = options_.soft > 0.0 || detail::shares_graph(graph, labeled),
       .on_graph = options_.soft == 0.0 && detail::goes_on_graph(graph, labeled, solver),
       .blocks = options_.mass != MassRule::shares && !labeled.is_regression()},
      solver, run);
  if (!plan.together) {
    Fit fit = detail::fit_harmonic_columns(
        options_.soft > 0.0                    ? detail::soft_columns(graph, labeled, options_.soft)
        : detail::shares_graph(graph, labeled) ? detail::shared_columns(graph, labeled)
                                               : detail::hard_columns(graph, labeled),
        graph.vertex_count(), labeled,
        detail::mass_target(detail::mass_proportions(labeled, options_.mass, options_.priors)),
        {.scores = keep_scores, .best = best, .top = top}, plan);
    detail::warn_of_uneven_labels(labeled, options_.mass, fit.report);
    return fit;
  }
  Fit fit = options_.soft > 0.0 ? fit_soft(graph, labeled, options_, plan)
                                : detail::fit_dirichlet(graph, labeled, plan.options, plan.run);
  detail::rescale_mass(fit, labeled, options_.mass, options_.priors, run);
  return fit;
}

LearnerEntry harmonic_entry() {
  LearnerEntry entry;
  entry.name = "harmonic";
  entry.summary = "every vertex is the mean of its neighbors: the smoothest fit to the labels";
  entry.reference =
      "X. Zhu, Z. Ghahramani, J. Lafferty. Semi-supervised learning using Gaussian fields and "
      "harmonic functions. ICML 2003, 912-919; soft labels: M. Belkin, I. Matveeva, P. Niyogi. "
      "COLT 2004, doi:10.1007/978-3-540-27819-1_43";
  entry.options = harmonic_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<HarmonicLearner>(harmonic_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
