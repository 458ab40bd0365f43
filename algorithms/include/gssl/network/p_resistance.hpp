#pragma once
// p-resistance between two vertices: r_p(a, b) = 1 / min{ Σ w_uv |u_u − u_v|^p : u_a = 1, u_b = 0
// }, 1 < p < ∞. r_2 is the effective resistance; as p → 1, 1/r_p tends to the minimum cut.
//
//   gssl::PResistance r = gssl::p_resistance(graph, 0, 33, {.p = 1.5});
//   r.resistance;   // the exact one is in [resistance, resistance/(1 − gap)]
//
// With edge resistances π = 1/w: edges in series have (Σ π^{1/(p−1)})^{p−1}, edges side by side
// 1/Σ(1/π), and r_p^{1/(p−1)} is a metric on every component (M. Herbster, G. Lever, COLT 2009;
// M. Alamgir, U. von Luxburg, NIPS 2011). Cost: some 5 to 40 Laplacian solves, as p_laplacian.hpp.

#include <cstdint>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {

struct PResistanceOptions {
  double p = 2.0;                   // (1, ∞)
  double tolerance = 1e-6;          // of the relative duality gap; (0, 1)
  std::int64_t max_iterations = 0;  // Laplacian solves; 0: chosen by the method; ≥ 0
  SolverKind solver = SolverKind::automatic;

  void validate() const;  // throws ErrorCode::usage: option, value, rule; p = 1 names the cut
};

struct PResistance {
  double resistance = 0.0;               // 0 for a = b; ∞ between components
  double gap = 0.0;                      // duality gap of the energy, relative
  Outcome outcome = Outcome::converged;  // converged: gap ≤ tolerance
  std::int64_t solves = 0;
};

// Throws ErrorCode::usage as validate() and if a or b is not a vertex.
PResistance p_resistance(const Graph& graph, VertexId a, VertexId b,
                         const PResistanceOptions& options = {}, const RunContext& run = {});

}  // namespace gssl
