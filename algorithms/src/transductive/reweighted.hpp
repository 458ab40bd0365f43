#pragma once
// Harmonic labels under other weights: what wnll, properly-weighted and poisson-reweighted share.
// Internal: not installed.

#include <limits>

#include "gssl/core/error.hpp"
#include "transductive/fit_support.hpp"
#include "transductive/label_groups.hpp"
#include "transductive/learner_options.hpp"

namespace gssl::detail {

// The same edges with weight factor(u, v)·w, kept within normal doubles; `factor` must be symmetric
// to the last bit and > 0.
template <class Factor>
Graph reweighted(const Graph& graph, int threads, Factor&& factor) {
  const auto offsets = graph.offset_array();
  const auto neighbors = graph.neighbor_array();
  std::vector<double> weights(neighbors.size());
  parallel_blocks(graph.vertex_count(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto u = static_cast<VertexId>(begin); u < end; ++u)
      for (EdgeIndex e = graph.row_begin(u); e < graph.row_end(u); ++e)
        weights[static_cast<std::size_t>(e)] =
            std::clamp(factor(u, graph.neighbor_at(e)) * graph.weight_at(e),
                       std::numeric_limits<double>::min(), 1e300);
  });
  return Graph({offsets.begin(), offsets.end()}, {neighbors.begin(), neighbors.end()},
               std::move(weights));
}

// Checks what is common, before any work.
template <class Options>
void check_reweighted(std::string_view learner, const Options& options, const Graph& graph,
                      const LabeledSet& labeled) {
  check_problem(learner, graph, labeled, Regression::supported);
  if (labeled.is_regression() && options.mass != MassRule::none)
    throw Error(ErrorCode::usage,
                std::string(learner) + ": option mass: must be none for real targets");
  check_prior_count(learner, options.mass, options.priors, labeled);
}

// Rescales the scores as `options.mass` says and adds the seconds spent before the solve.
template <class Options>
Fit finish_reweighted(Fit fit, const LabeledSet& labeled, const Options& options, double seconds) {
  fit.report.setup_seconds += seconds;
  if (options.mass == MassRule::cmn) rescale_mass(fit, labeled, label_frequencies(labeled));
  if (options.mass == MassRule::priors) rescale_mass(fit, labeled, options.priors);
  return fit;
}

}  // namespace gssl::detail
