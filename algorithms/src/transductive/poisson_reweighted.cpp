#include "gssl/transductive/poisson_reweighted.hpp"

#include "support/finish_fit.hpp"
#include "support/given_rows.hpp"
#include "support/reported_solve.hpp"
#include "support/unfinished.hpp"
#include "support/vertex_status.hpp"
#include "transductive/support/class_solves.hpp"
#include "transductive/support/learner_options.hpp"
#include "transductive/support/reweighted.hpp"
#include "transductive/support/uneven_labels.hpp"

namespace gssl {

namespace {

// Of one label; those of a group add up to their number.
double source_of(const detail::LabelGroups& groups, const LabeledSet& labeled, std::size_t label,
                 PoissonSources sources) {
  if (sources == PoissonSources::labels || labeled.is_regression()) return 1.0;
  const int g = groups.of(labeled.vertices()[label]);
  int classes = 0;
  for (int k = 0; k < labeled.class_count(); ++k) classes += groups.has_class(g, k);
  return groups.label_count(g) / (classes * groups.label_count(g, labeled.class_of()[label]));
}

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
  for (std::size_t i = 0; i < labeled.size(); ++i)
    b(labeled.vertices()[i], 0) += source_of(groups, labeled, i, options.sources);
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

// τ·mean degree of these vertices.
std::vector<double> decay_of(const Graph& graph, const LabeledSet& labeled,
                             const std::vector<VertexId>& vertices, double tau, int threads) {
  const detail::LabelGroups groups(graph, labeled, threads);
  std::vector<double> decay;
  decay.reserve(vertices.size());
  for (const VertexId v : vertices) decay.push_back(tau * groups.mean_degree(groups.of(v)));
  return decay;
}

// (L' + τ·mean degree) x = 0 off the labels. Rows do not sum to one, so all K columns are solved.
Fit fit_decaying(const Graph& graph, const LabeledSet& labeled,
                 const PoissonReweightedOptions& options, const detail::ColumnPlan& plan) {
  Report report;
  const Block targets = labeled.target_block();
  DirichletProblem problem = make_dirichlet_problem(graph, labeled.vertices());
  const Block x = detail::solve(
      problem.system.with_extra_ground(
          decay_of(graph, labeled, problem.free_vertices, options.tau, plan.run.thread_count())),
      problem.right_hand_side(targets), plan.options, plan.run, report);
  Block scores(graph.vertex_count(), targets.columns());
  for (std::int64_t r = 0; r < x.rows(); ++r)
    std::ranges::copy(x.row(r),
                      scores.row(problem.free_vertices[static_cast<std::size_t>(r)]).begin());
  if (!labeled.is_regression())  // exact ones are in [0, 1]; an early stop may stray
    for (VertexId v = 0; v < graph.vertex_count(); ++v)
      for (double& score : scores.row(v)) score = std::clamp(score, 0.0, 1.0);
  detail::set_given_rows(scores, labeled, plan.run.thread_count());
  return detail::finish_fit(std::move(scores),
                            detail::vertex_status(graph.vertex_count(), labeled, problem.unreached),
                            labeled, detail::GivenLabels::hard, std::move(report));
}

std::string uneven_labels_of(const LabeledSet& labeled, PoissonSources sources) {
  return sources == PoissonSources::classes ? std::string() : detail::uneven_labels(labeled);
}

const OptionBinding<PoissonReweightedOptions>& poisson_reweighted_binding() {
  static const auto options =
      OptionBinding<PoissonReweightedOptions>("poisson-reweighted")
          .real(&PoissonReweightedOptions::floor, "floor", detail::open_unit,
                "least of the factors gamma, as a share of the largest")
          .real(&PoissonReweightedOptions::tau, "tau", detail::not_negative,
                "decay of the scores away from labels, as a share of the mean degree")
          .choice(&PoissonReweightedOptions::sources, "sources",
                  {{PoissonSources::labels, "labels"}, {PoissonSources::classes, "classes"}},
                  "what counts alike as a source of the weights: labels, or classes")
          .with(detail::rescaling_group)
          .with(detail::solver_group);
  return options;
}

}  // namespace

void PoissonReweightedOptions::validate() const { poisson_reweighted_binding().validate(*this); }

PoissonReweightedLearner::PoissonReweightedLearner(PoissonReweightedOptions options)
    : options_(std::move(options)) {
  options_.validate();
}

Fit PoissonReweightedLearner::fit(const Graph& graph, const LabeledSet& labeled,
                                  const RunContext& run) const {
  return fit_keeping(graph, labeled, run, true);
}

Fit PoissonReweightedLearner::fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                                 const RunContext& run) const {
  return fit_keeping(graph, labeled, run, false);
}

Fit PoissonReweightedLearner::fit_keeping(const Graph& graph, const LabeledSet& labeled,
                                          const RunContext& run, bool keep_scores) const {
  Report first;
  Fit fit = detail::fit_reweighted(
      "poisson-reweighted", options_, graph, labeled, run, keep_scores,
      [&](const detail::LabelGroups& groups) {
        return growth(graph, groups, labeled, options_, run, first);
      },
      detail::product_of,
      [&](const Graph& grown, const detail::ColumnPlan& plan) {
        return options_.tau > 0.0 ? fit_decaying(grown, labeled, options_, plan)
                                  : detail::fit_dirichlet(grown, labeled, plan.options, plan.run);
      },
      [&](const Graph& grown) {
        detail::HarmonicColumns columns = detail::hard_columns(grown, labeled);
        if (options_.tau > 0.0) {
          columns.system = columns.system.with_extra_ground(
              decay_of(grown, labeled, columns.vertex_of, options_.tau, run.thread_count()));
          columns.shares = false;
        }
        return columns;
      });
  if (const std::string uneven = uneven_labels_of(labeled, options_.sources); !uneven.empty())
    fit.report.warnings.push_back(uneven +
                                  ", and its weights grow most: let classes count alike with "
                                  "sources=classes, or use auto");
  if (const auto residual = first.relative_residual())
    fit.report.certificates.push_back({"reweighting_residual", {*residual}});
  if (!first.converged() && fit.report.converged()) {
    fit.report.outcome = first.outcome;
    fit.report.sentence = "the solve for the weights: " + first.sentence;
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
  entry.options = poisson_reweighted_binding().table();
  entry.traits.regression = true;
  entry.make_transductive = [](const OptionValues& values) {
    return std::make_unique<PoissonReweightedLearner>(poisson_reweighted_binding().from(values));
  };
  return entry;
}

}  // namespace gssl
