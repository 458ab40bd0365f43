#include "gssl/transductive/poisson.hpp"

#include <algorithm>

#include "gssl/core/stopwatch.hpp"
#include "support/check_problem.hpp"
#include "support/finish_fit.hpp"
#include "support/reported_solve.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"
#include "transductive/partition/threshold_dynamics.hpp"
#include "transductive/support/class_columns.hpp"
#include "transductive/support/class_shares.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/poisson_columns.hpp"
#include "transductive/support/poisson_source.hpp"
#include "transductive/support/shared_fits.hpp"

namespace gssl {

namespace detail {

Block poisson_source(const LabelGroups& groups, const LabeledSet& labeled, VertexId vertex_count) {
  Block source(vertex_count, labeled.class_count());
  const Block current = poisson_currents(groups, labeled);
  for (std::size_t i = 0; i < labeled.size(); ++i)
    std::ranges::copy(current.row(static_cast<std::int64_t>(i)),
                      source.row(labeled.vertices()[i]).begin());
  return source;
}

Block poisson_currents(const LabelGroups& groups, const LabeledSet& labeled) {
  Block current(std::ssize(labeled.vertices()), labeled.class_count());
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const int g = groups.of(labeled.vertices()[i]);
    for (int k = 0; k < labeled.class_count(); ++k)
      current(static_cast<std::int64_t>(i), k) = (labeled.class_of()[i] == k ? 1.0 : 0.0) -
                                                 groups.label_count(g, k) / groups.label_count(g);
  }
  return current;
}

Block poisson_potentials(std::string_view learner, const Graph& graph, const LabelGroups& groups,
                         const LabeledSet& labeled, const SolverOptions& options,
                         const RunContext& run, Report& report) {
  const auto look_at_clock = [&] { run.throw_if_stopped(learner, "before it began"); };
  const Block source = poisson_source(groups, labeled, graph.vertex_count());
  look_at_clock();
  Block b(source.rows(), source.columns() - 1);  // rows sum to zero: the last follows
  for (const VertexId v : labeled.vertices())
    for (std::int64_t k = 0; k < b.columns(); ++k) b(v, k) = source(v, k);
  look_at_clock();
  const Block x =
      solve(GroundedLaplacian(std::make_shared<const Graph>(graph), {}), b, options, run, report);
  look_at_clock();
  return centered_potentials(groups, x, run.thread_count());
}

Block centered_potentials(const LabelGroups& groups, const Block& x, int threads) {
  const std::int64_t last = x.columns();
  Block mean(groups.count(), last);
  for (int g = 0; g < groups.count(); ++g) {
    const std::vector<double> moment =
        class_volumes(x, groups.members(g), threads, groups.degrees());
    const double volume = groups.mean_degree(g) * static_cast<double>(groups.members(g).size());
    for (std::int64_t k = 0; k < last; ++k)
      mean(g, k) = moment[static_cast<std::size_t>(k)] / volume;
  }
  Block potentials(x.rows(), last + 1);
  groups.for_members(threads, [&](VertexId v) {
    double sum = 0.0;
    for (std::int64_t k = 0; k < last; ++k) {
      potentials(v, k) = x(v, k) - mean(groups.of(v), k);
      sum += potentials(v, k);
    }
    potentials(v, last) = -sum;
  });
  return potentials;
}

}  // namespace detail

namespace {

// Scores from potentials, by class proportions where they are asked for.
Fit fit_potentials(const PoissonOptions& options, Block scores, const detail::LabelGroups& groups,
                   const LabeledSet& labeled, Report report, const RunContext& run) {
  const int threads = run.thread_count();
  if (options.mass == MassRule::priors) {
    const Block q = groups.proportions(options.mass, options.priors);
    groups.for_members(threads, [&](VertexId v) {
      const int g = groups.of(v);
      for (int k = 0; k < labeled.class_count(); ++k)
        if (groups.has_class(g, k))
          scores(v, k) *= q(g, k) * groups.label_count(g) / groups.label_count(g, k);
    });
  }
  detail::positive_shares(groups, scores, threads);
  const auto vertex_count = static_cast<VertexId>(scores.rows());
  Fit fit = detail::finish_fit(
      std::move(scores), detail::vertex_status(vertex_count, labeled, groups.unreached()), labeled,
      detail::GivenLabels::soft, std::move(report), run.thread_count());
  if (options.mass == MassRule::shares) detail::meet_shares(fit, labeled, options.priors, run);
  return fit;
}

const OptionBinding<PoissonOptions>& poisson_binding() {
  static const auto options =
      OptionBinding<PoissonOptions>("poisson")
          .with(detail::mass_group("weigh classes by given proportions (priors); shares: decisions "
                                   "meet them; cmn changes nothing",
                                   true))
          .with(detail::solver_group);
  return options;
}

}  // namespace

void PoissonOptions::validate() const { poisson_binding().validate(*this); }

PoissonLearner::PoissonLearner(PoissonOptions options) : options_(std::move(options)) {
  options_.validate();
}

Fit PoissonLearner::fit(const Graph& graph, const LabeledSet& labeled,
                        const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true, 0, nullptr);
}

Fit PoissonLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                       const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false, 0, nullptr);
}

Fit PoissonLearner::fit_top(const Graph& graph, const LabeledSet& labeled, int count,
                            TopClasses& best, const RunContext& run) const {
  Fit fit = fit_keeping(graph, labeled, run, false, count, &best);
  keep_top(fit, count, best);
  return fit;
}

Fit PoissonLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                const RunContext& run, bool keep_scores, int top,
                                TopClasses* best) const {
  detail::check_problem("poisson", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("poisson", options_.mass, options_.priors, labeled);
  Report report;
  const Stopwatch setup;
  const int threads = run.thread_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  report.setup_seconds = setup.seconds();
  const detail::ColumnPlan plan =
      detail::plan_columns({.learner = "poisson",
                            .graph = graph,
                            .classes = detail::column_count(labeled),
                            .keep_scores = keep_scores,
                            .top = top,
                            .blocks = options_.mass != MassRule::shares},
                           detail::solver_options(options_), run);
  if (!plan.together)
    return detail::fit_poisson_columns(graph, groups, labeled, options_,
                                       {.scores = keep_scores, .best = best, .top = top},
                                       std::move(report), plan);
  Block potentials =
      detail::poisson_potentials("poisson", graph, groups, labeled, plan.options, plan.run, report);
  return fit_potentials(options_, std::move(potentials), groups, labeled, std::move(report), run);
}

// The currents are known, and the system does not depend on the labels.
std::optional<Fit> PoissonLearner::fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                                          const RunContext& run) const {
  const Graph& graph = shared.graph();
  detail::check_problem("poisson", graph, labeled, detail::Regression::unsupported);
  detail::check_mass("poisson", options_.mass, options_.priors, labeled);
  const SolverOptions options = detail::solver_options(options_);
  if (!detail::goes_together(graph, labeled, run)) return std::nullopt;
  const int threads = run.thread_count();
  const detail::LabelGroups groups(graph, labeled, threads);
  const Block all = detail::poisson_currents(groups, labeled);
  Block current(all.rows(), all.columns() - 1);  // rows sum to zero
  for (std::int64_t i = 0; i < current.rows(); ++i)
    std::ranges::copy_n(all.row(i).begin(), current.columns(), current.row(i).begin());
  Report report;
  const Stopwatch watch;
  const Block x = shared.solve(labeled, current, options, run, report);
  report.score_error = detail::estimated_score_error(report);
  report.solve_seconds = watch.seconds();
  return fit_potentials(options_, detail::centered_potentials(groups, x, threads), groups, labeled,
                        std::move(report), run);
}

LearnerEntry poisson_entry() {
  LearnerEntry entry;
  entry.name = "poisson";
  entry.summary = "labels are sources of a flow that balances: for very few labels per class";
  entry.reference =
      "J. Calder, B. Cook, M. Thorpe, D. Slepcev. Poisson learning: graph based semi-supervised "
      "learning at very low label rates. ICML 2020, PMLR 119:1306-1316, "
      "doi:10.48550/arXiv.2006.11184";
  entry.options = poisson_binding().table();
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<PoissonLearner>(poisson_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
