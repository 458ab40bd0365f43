#pragma once
// The equation of tug-of-war with noise on one piece of a network:
//
//   G(u)_x = α (Σ_y w_xy u_y / d_x − u_x) + β (max_y s_xy (u_y − u_x) + min_y s_xy (u_y − u_x)) = 0
//
// at every free vertex x, u given at the terminals; α, β ≥ 0, not both 0. Solved by successive
// over-relaxation from above and from below at once: an upper function with G = −η and a lower one
// with G = η. Wherever G(upper) < 0 strictly, upper ≥ u: at the vertex where u − upper is greatest,
// every difference to a neighbor is at most that of upper, so that G(u) ≤ G(upper) < 0 there,
// unless it is a terminal, where they agree. Likewise below. So the pair, once its signs are
// checked, brackets the exact answer whatever the iteration did, and η is lowered until the bracket
// is as narrow as asked for.
//
// One sweep costs O(n + m), on one thread; the number of sweeps grows like the diameter. Internal:
// not installed.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "network/network_pieces.hpp"

namespace gssl::detail {

struct TugOfWar {
  double alpha = 0.0;
  double beta = 1.0;
  double pull_scale = 0.0;      // s = pull_scale · w; 0: s = 1
  double tolerance = 1e-6;      // of error_bound; (0, 1)
  std::int64_t max_rounds = 0;  // linear solves; 0: 2000
};

struct TugOfWarSolution {
  std::vector<double> potential;  // of each row, between the least and the greatest terminal
  double error_bound = 0.0;       // no row is further from the exact answer, relative to the range
  Outcome outcome = Outcome::converged;
  std::int64_t rounds = 0;  // linear solves
};

// `start` has a value for each row.
TugOfWarSolution solve_tug_of_war(const NetworkPiece& piece, const TugOfWar& game,
                                  std::span<const double> terminal_values,
                                  std::span<const double> start, const RunContext& run);

}  // namespace gssl::detail
