#pragma once
// Harmonic labels under other weights: what wnll, properly-weighted and poisson-reweighted share.
// Internal: not installed.

#include <limits>

#include "gssl/core/stopwatch.hpp"
#include "label_groups.hpp"
#include "learner_options.hpp"
#include "support/fit_support.hpp"

namespace gssl::detail {

// The same edges with weight factor(γ_u, γ_v)·w, kept within normal doubles; `factor` must be
// symmetric to the last bit and > 0.
template <class Factor>
Graph reweighted(const Graph& graph, const std::vector<double>& gamma, int threads,
                 Factor&& factor) {
  const auto offsets = graph.offset_array();
  const auto neighbors = graph.neighbor_array();
  std::vector<double> weights(neighbors.size());
  const auto of = [&](VertexId v) { return gamma[static_cast<std::size_t>(v)]; };
  parallel_blocks(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto u = static_cast<VertexId>(begin); u < end; ++u)
      for (EdgeIndex e = graph.row_begin(u); e < graph.row_end(u); ++e)
        weights[static_cast<std::size_t>(e)] =
            std::clamp(factor(of(u), of(graph.neighbor_at(e))) * graph.weight_at(e),
                       std::numeric_limits<double>::min(), 1e300);
  });
  return Graph({offsets.begin(), offsets.end()}, {neighbors.begin(), neighbors.end()},
               std::move(weights));
}

inline double mean_of(double a, double b) { return 0.5 * (a + b); }
inline double product_of(double a, double b) { return a * b; }

// Checks; γ = growth(groups); harmonic labels under the new weights, by solve(graph); scores
// rescaled as `options.mass` says. Set-up time has all that is before the solve.
template <class Options, class Growth, class Factor, class Solve>
Fit fit_reweighted(std::string_view learner, const Options& options, const Graph& graph,
                   const LabeledSet& labeled, const RunContext& run, Growth&& growth,
                   Factor&& factor, Solve&& solve) {
  check_problem(learner, graph, labeled, Regression::supported);
  check_mass(learner, options.mass, options.priors, labeled);
  const Stopwatch setup;
  const LabelGroups groups(graph, labeled, run.thread_count());
  const Graph grown = reweighted(graph, growth(groups), run.thread_count(), factor);
  const double seconds = setup.seconds();
  Fit fit = solve(grown);
  fit.report.setup_seconds += seconds;
  rescale_mass(fit, labeled, options.mass, options.priors, run);
  return fit;
}

// With γ_u and γ_v weighing alike and labels held.
template <class Options, class Growth>
Fit fit_reweighted(std::string_view learner, const Options& options, const Graph& graph,
                   const LabeledSet& labeled, const RunContext& run, Growth&& growth) {
  return fit_reweighted(learner, options, graph, labeled, run, growth, mean_of,
                        [&](const Graph& grown) {
                          return fit_dirichlet(grown, labeled, solver_options(options), run);
                        });
}

}  // namespace gssl::detail
