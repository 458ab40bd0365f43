#pragma once
// The harmonic fit of many classes, a few columns at a time (class_columns.hpp). Mass is rescaled
// without a second pass over the columns: with A x_c = b_c and A z = 1 at the inferred vertices,
//
//   Σ x_c(v) over the inferred v = zᵀ b_c,
//
// so one more column gives the masses of all classes before the first of them is solved.
//
//   HarmonicColumns problem = hard_columns(graph, labeled);
//   Fit fit = fit_harmonic_columns(std::move(problem), n, labeled, {}, true, options, run);
//
// Internal: not installed.

#include <functional>
#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "support/fit_support.hpp"

namespace gssl::detail {

struct HarmonicColumns {
  GroundedLaplacian system;
  std::vector<VertexId> vertex_of;  // row of the system → vertex
  std::vector<VertexId> unreached = {};
  GivenLabels given = GivenLabels::hard;
  // Adds the right-hand sides of the classes first, first + 1, … to the columns of b.
  std::function<void(int first, Block& b)> add_right_hand_side = {};
  double setup_seconds = 0.0;
};

// L_uu X = W_uℓ Y. `labeled` must outlive it.
HarmonicColumns hard_columns(const Graph& graph, const LabeledSet& labeled);
// (L + c·diag(labeled)) X = c·Y, c > 0. Both must outlive it.
HarmonicColumns soft_columns(const Graph& graph, const LabeledSet& labeled, double c);

// `proportion`: of each class, to rescale the mass to, or empty. Scores are kept if `keep_scores`;
// nothing else depends on that.
Fit fit_harmonic_columns(HarmonicColumns problem, VertexId vertex_count, const LabeledSet& labeled,
                         std::vector<double> proportion, bool keep_scores,
                         const SolverOptions& options, const RunContext& run);

}  // namespace gssl::detail
