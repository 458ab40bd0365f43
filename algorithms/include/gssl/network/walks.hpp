#pragma once
// The random walk on a graph: from u to neighbor v with probability P_uv = w_uv/d_u, P = D⁻¹W.
//
//   absorption  the chance that a walk from v meets target t before the other targets. A harmonic
//               function: 1 at t, 0 at the others, elsewhere the mean of its neighbors.
//   hitting     h(v, T), the expected steps from v to the first vertex of T: (D − W)h = d off T
//   commute     h(u, v) + h(v, u) = r(u, v)·Σ d over the component (Chandra, Raghavan, Ruzzo,
//               Smolensky and Tiwari 1989, doi:10.1145/73007.73062)
//
//   gssl::HittingTimes h = gssl::hitting_times(graph, {33}, {}, run);
//   h.steps[0];                                        // expected steps from 0 to 33
//   gssl::WalkEstimate e = gssl::simulate_hitting(graph, 0, {33}, {.walks = 10000}, run);
//   std::abs(e.mean - h.steps[0]) < 4.0 * e.standard_error;
//
// Each is one grounded solve of one column (absorption: one for each target). Every
// function throws ErrorCode::bad_data on a vertex that is not in the graph or a target given twice,
// ErrorCode::usage if there is no target.

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/network/effective_resistance.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {

// P x for a block of columns; the row of an isolated vertex is zero. O(c(n + m)).
Block walk_step(const Graph& graph, const Block& x, int threads = 1);
// xᵀP: where walkers distributed as the columns of x are a step later. Walkers on isolated vertices
// stay.
Block walk_distribution(const Graph& graph, const Block& x, int threads = 1);

struct Absorption {
  // Row v, column k: the chance of ending at targets[k]. Rows sum to 1; the rows of vertices that
  // reach no target are zero.
  Block probability;
  Report report;
};
Absorption absorption_probabilities(const Graph& graph, const std::vector<VertexId>& targets,
                                    const SolverOptions& options = {}, const RunContext& run = {});

struct HittingTimes {
  std::vector<double> steps;  // 0 at a target, infinite where none is reached
  Report report;
};
HittingTimes hitting_times(const Graph& graph, const std::vector<VertexId>& targets,
                           const SolverOptions& options = {}, const RunContext& run = {});

// Commute times of pairs, as pair_resistances() times the volume of the component: 0 for u = v,
// infinite between components.
ResistanceAnswer commute_times(const Graph& graph, const std::vector<VertexPair>& pairs,
                               const ResistanceOptions& options = {}, const RunContext& run = {});

// Σ d over the component of each vertex. O(n + m).
std::vector<double> component_volumes(const Graph& graph);

struct WalkOptions {
  std::int64_t walks = 10'000;           // > 1
  std::int64_t most_steps = 10'000'000;  // of one walk; > 0

  void validate() const;  // throws ErrorCode::usage
};

struct WalkEstimate {
  double mean = 0.0;            // steps to the first target, over the walks that met one
  double standard_error = 0.0;  // of the mean
  std::vector<double> share;    // of the walks, that ended at each target
  std::int64_t unfinished = 0;  // walks that met none in most_steps, or could not move
};

// Walks from `start` until a target is met. The walk of number i uses run.rng(i). O(steps·log
// degree); stops early with the walks so far counted as unfinished when the run is stopped.
WalkEstimate simulate_hitting(const Graph& graph, VertexId start,
                              const std::vector<VertexId>& targets, const WalkOptions& options = {},
                              const RunContext& run = {});

}  // namespace gssl
