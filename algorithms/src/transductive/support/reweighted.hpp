#pragma once
// Harmonic labels under other weights: what wnll, properly-weighted and poisson-reweighted share.
// Internal: not installed.

#include <limits>

#include "class_solves.hpp"
#include "gssl/core/stopwatch.hpp"
#include "harmonic_columns.hpp"
#include "label_groups.hpp"
#include "learner_options.hpp"
#include "rescale_mass.hpp"
#include "support/check_problem.hpp"
#include "uneven_labels.hpp"

namespace gssl::detail {

// The same edges with weight factor(γ_u, γ_v)·w, kept within normal doubles; `factor` must be
// symmetric to the last bit and > 0.
template <class Factor>
Graph reweighted(const Graph& graph, const std::vector<double>& gamma, int threads,
                 Factor&& factor) {
  std::vector<double> weights(graph.neighbor_array().size());
  const auto of = [&](VertexId v) { return gamma[static_cast<std::size_t>(v)]; };
  parallel_blocks(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto u = static_cast<VertexId>(begin); u < end; ++u)
      for (EdgeIndex e = graph.row_begin(u); e < graph.row_end(u); ++e)
        weights[static_cast<std::size_t>(e)] =
            std::clamp(factor(of(u), of(graph.neighbor_at(e))) * graph.weight_at(e),
                       std::numeric_limits<double>::min(), 1e300);
  });
  return graph.with_weights(std::move(weights));
}

inline double mean_of(double a, double b) { return 0.5 * (a + b); }
inline double product_of(double a, double b) { return a * b; }

// Checks; γ = growth(groups); harmonic labels under the new weights, by together(grown, plan) or,
// for many classes, of columns(grown), a few at a time; scores rescaled as `options.mass` says.
// Set-up time has all that is before the solve.
template <class Options, class Growth, class Factor, class Together, class Columns>
Fit fit_reweighted(std::string_view learner, const Options& options, const Graph& graph,
                   const LabeledSet& labeled, const RunContext& run, bool keep_scores,
                   Growth&& growth, Factor&& factor, Together&& together, Columns&& columns) {
  check_problem(learner, graph, labeled, Regression::supported);
  check_mass(learner, options.mass, options.priors, labeled);
  const Stopwatch setup;
  const LabelGroups groups(graph, labeled, run.thread_count());
  const Graph grown = reweighted(graph, growth(groups), run.thread_count(), factor);
  const double seconds = setup.seconds();
  // Decisions that meet shares are taken over all scores together.
  const ColumnPlan plan =
      plan_columns({.learner = learner,
                    .graph = grown,
                    .classes = column_count(labeled),
                    .keep_scores = keep_scores,
                    .rescaled = options.mass != MassRule::none,
                    .blocks = options.mass != MassRule::shares && !labeled.is_regression()},
                   solver_options(options), with_taken(run, graph_bytes(grown)));
  Fit fit;
  if (plan.together) {
    fit = together(grown, plan);
    rescale_mass(fit, labeled, options.mass, options.priors, run);
  } else {
    fit = fit_harmonic_columns(columns(grown), graph.vertex_count(), labeled,
                               mass_target(mass_proportions(labeled, options.mass, options.priors)),
                               {.scores = keep_scores}, plan);
    warn_of_uneven_labels(labeled, options.mass, fit.report);
  }
  fit.report.setup_seconds += seconds;
  return fit;
}

// With γ_u and γ_v weighing alike and labels held.
template <class Options, class Growth>
Fit fit_reweighted(std::string_view learner, const Options& options, const Graph& graph,
                   const LabeledSet& labeled, const RunContext& run, bool keep_scores,
                   Growth&& growth) {
  return fit_reweighted(
      learner, options, graph, labeled, run, keep_scores, growth, mean_of,
      [&](const Graph& grown, const ColumnPlan& plan) {
        return fit_dirichlet(grown, labeled, plan.options, plan.run);
      },
      [&](const Graph& grown) { return hard_columns(grown, labeled); });
}

}  // namespace gssl::detail
