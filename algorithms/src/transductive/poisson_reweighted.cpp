#include "gssl/transductive/poisson_reweighted.hpp"

#include <cmath>

#include "transductive/support/reweighted.hpp"

namespace gssl {

namespace {

// γ of the header, scaled to a largest value of 1 + ε in each group, which harmonic labels do not
// see.
std::vector<double> growth(const Graph& graph, const detail::LabelGroups& groups,
                           const LabeledSet& labeled, const PoissonReweightedOptions& options,
                           const RunContext& run, Report& report) {
  const int threads = run.thread_count();
  Block b(graph.vertex_count(), 1);
  groups.for_members(threads, [&](VertexId v) {
    const int g = groups.of(v);
    b(v, 0) = -groups.label_count(g) / static_cast<double>(groups.members(g).size());
  });
  for (const VertexId v : labeled.vertices()) b(v, 0) += 1.0;
  const Block x = detail::solve(GroundedLaplacian(std::make_shared<const Graph>(graph), {}), b,
                                detail::solver_options(options), run, report);
  std::vector<double> gamma(static_cast<std::size_t>(graph.vertex_count()), 1.0);
  for (int g = 0; g < groups.count(); ++g) {
    double low = x(groups.members(g).front(), 0);
    double high = low;
    for (const VertexId v : groups.members(g)) {
      low = std::min(low, x(v, 0));
      high = std::max(high, x(v, 0));
    }
    // Every vertex given: no source, no weight that matters.
    if (static_cast<double>(groups.members(g).size()) == groups.label_count(g) || !(high > low))
      continue;
    for (const VertexId v : groups.members(g))
      gamma[static_cast<std::size_t>(v)] = (x(v, 0) - low) / (high - low) + options.floor;
  }
  return gamma;
}

// (L' + τ·mean degree) x = 0 off the labels. Rows do not sum to one, so all K columns are solved.
Fit fit_decaying(const Graph& graph, const LabeledSet& labeled,
                 const PoissonReweightedOptions& options, const RunContext& run) {
  Report report;
  const detail::LabelGroups groups(graph, labeled, run.thread_count());
  const Block targets = labeled.target_block();
  DirichletProblem problem = make_dirichlet_problem(graph, labeled.vertices());
  std::vector<double> decay;
  for (const VertexId v : problem.free_vertices)
    decay.push_back(options.tau * groups.mean_degree(groups.of(v)));
  const Block x =
      detail::solve(problem.system.with_extra_ground(decay), problem.right_hand_side(targets),
                    detail::solver_options(options), run, report);
  Block scores(graph.vertex_count(), targets.columns());
  for (std::int64_t r = 0; r < x.rows(); ++r)
    std::ranges::copy(x.row(r),
                      scores.row(problem.free_vertices[static_cast<std::size_t>(r)]).begin());
  if (!labeled.is_regression())  // exact ones are in [0, 1]; an early stop may stray
    for (VertexId v = 0; v < graph.vertex_count(); ++v)
      for (double& score : scores.row(v)) score = std::clamp(score, 0.0, 1.0);
  detail::set_given_rows(scores, labeled);
  return detail::finish_fit(std::move(scores),
                            detail::vertex_status(graph.vertex_count(), labeled, problem.unreached),
                            labeled, detail::GivenLabels::hard, std::move(report));
}

}  // namespace

void PoissonReweightedOptions::validate() const {
  const auto check = [](bool good, const char* name, double value, const char* rule) {
    detail::check_option(good, "poisson-reweighted", name, value, rule);
  };
  check(floor > 0.0 && floor < 1.0, "floor", floor, "a number in (0, 1)");
  check(tau >= 0.0 && std::isfinite(tau), "tau", tau, "a number ≥ 0");
  detail::check_priors("poisson-reweighted", mass, priors);
  detail::solver_options(*this).validate();
}

PoissonReweightedLearner::PoissonReweightedLearner(PoissonReweightedOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

Fit PoissonReweightedLearner::fit(const Graph& graph, const LabeledSet& labeled,
                                  const RunContext& run) const {
  Report first;
  Fit fit = detail::fit_reweighted(
      "poisson-reweighted", options_, graph, labeled, run,
      [&](const detail::LabelGroups& groups) {
        return growth(graph, groups, labeled, options_, run, first);
      },
      detail::product_of,
      [&](const Graph& grown) {
        return options_.tau > 0.0
                   ? fit_decaying(grown, labeled, options_, run)
                   : detail::fit_dirichlet(grown, labeled, detail::solver_options(options_), run);
      });
  fit.report.certificates.push_back({"reweighting_residual", {first.solver.relative_residual}});
  if (!first.converged() && fit.report.converged()) {
    fit.report.solver.outcome = first.solver.outcome;
    fit.report.solver.sentence = "the solve for the weights: " + first.solver.sentence;
    fit.report.score_error.reset();
    detail::mark_unfinished(fit, labeled, detail::GivenLabels::hard);
  }
  return fit;
}

LearnerEntry poisson_reweighted_entry() {
  LearnerEntry entry;
  entry.name = "poisson-reweighted";
  entry.summary = "harmonic labels with weights that a Poisson problem grows around the labels";
  entry.reference =
      "K. Miller, J. Calder. Poisson reweighted Laplacian uncertainty sampling for graph-based "
      "active learning. SIAM J. Math. Data Sci. 5(4), 2023, 1160-1190, doi:10.1137/22M1531981";
  entry.options
      .real("floor", 1e-5, {.low = 0.0, .high = 1.0, .low_open = true, .high_open = true},
            "least of the factors gamma, as a share of the largest")
      .real("tau", 0.0, {.low = 0.0, .high_open = true},
            "decay of the scores away from labels, as a share of the mean degree");
  detail::add_rescaling_and_solver_options(entry.options);
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    PoissonReweightedOptions options;
    options.floor = values.real("floor");
    options.tau = values.real("tau");
    detail::read_mass_options("poisson-reweighted", values, options);
    detail::read_solver_options(values, options);
    return std::make_unique<PoissonReweightedLearner>(options);
  };
  return entry;
}

}  // namespace gssl
