#include "gssl/transductive/poisson.hpp"

#include "gssl/core/stopwatch.hpp"
#include "transductive/support/class_columns.hpp"
#include "transductive/support/class_shares.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/poisson_columns.hpp"
#include "transductive/support/poisson_source.hpp"

namespace gssl {

namespace detail {

Block poisson_source(const LabelGroups& groups, const LabeledSet& labeled, VertexId vertex_count) {
  Block source(vertex_count, labeled.class_count());
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    const int g = groups.of(v);
    for (int k = 0; k < labeled.class_count(); ++k)
      source(v, k) = (labeled.class_of()[i] == k ? 1.0 : 0.0) -
                     groups.label_count(g, k) / groups.label_count(g);
  }
  return source;
}

Block poisson_potentials(const Graph& graph, const LabelGroups& groups, const LabeledSet& labeled,
                         const SolverOptions& options, const RunContext& run, Report& report) {
  const int threads = run.thread_count();
  const Block source = poisson_source(groups, labeled, graph.vertex_count());
  const std::int64_t last = source.columns() - 1;  // rows sum to zero: it follows from the others
  Block b(source.rows(), last);
  for (const VertexId v : labeled.vertices())
    for (std::int64_t k = 0; k < last; ++k) b(v, k) = source(v, k);
  const Block x =
      solve(GroundedLaplacian(std::make_shared<const Graph>(graph), {}), b, options, run, report);

  Block mean(groups.count(), last);
  for (int g = 0; g < groups.count(); ++g)
    for (std::int64_t k = 0; k < last; ++k) {
      const double moment = groups.sum_over(g, threads, [&](VertexId v) {
        return groups.degrees()[static_cast<std::size_t>(v)] * x(v, k);
      });
      mean(g, k) = moment / (groups.mean_degree(g) * static_cast<double>(groups.members(g).size()));
    }
  Block potentials(source.rows(), source.columns());
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

void PoissonOptions::validate() const {
  detail::check_priors("poisson", mass, priors);
  detail::solver_options(*this).validate();
}

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
  Block scores = detail::poisson_potentials(graph, groups, labeled, plan.options, plan.run, report);
  if (options_.mass == MassRule::priors) {
    const Block q = groups.proportions(options_.mass, options_.priors);
    groups.for_members(threads, [&](VertexId v) {
      const int g = groups.of(v);
      for (int k = 0; k < labeled.class_count(); ++k)
        if (groups.has_class(g, k))
          scores(v, k) *= q(g, k) * groups.label_count(g) / groups.label_count(g, k);
    });
  }
  detail::positive_shares(groups, scores, threads);
  Fit fit = detail::finish_fit(
      std::move(scores), detail::vertex_status(graph.vertex_count(), labeled, groups.unreached()),
      labeled, detail::GivenLabels::soft, std::move(report));
  if (options_.mass == MassRule::shares) detail::meet_shares(fit, labeled, options_.priors, run);
  return fit;
}

LearnerEntry poisson_entry() {
  LearnerEntry entry;
  entry.name = "poisson";
  entry.summary = "labels are sources of a flow that balances: for very few labels per class";
  entry.reference =
      "J. Calder, B. Cook, M. Thorpe, D. Slepcev. Poisson learning: graph based semi-supervised "
      "learning at very low label rates. ICML 2020, PMLR 119:1306-1316, "
      "doi:10.48550/arXiv.2006.11184";
  detail::add_score_mass_options(entry.options,
                                 "weigh classes by given proportions (priors); shares: decisions "
                                 "meet them; cmn changes nothing");
  detail::add_solver_options(entry.options);
  entry.traits.keeps_given = false;
  entry.make_transductive = [](const OptionValues& values) {
    PoissonOptions options;
    detail::read_mass_options("poisson", values, options);
    detail::read_solver_options(values, options);
    return std::make_unique<PoissonLearner>(options);
  };
  return entry;
}

}  // namespace gssl
