#pragma once
// Tug-of-war with noise on one piece of a network: G(u) = 0 at every free vertex
// (tug_equation.hpp), with a bracket that proves it.
//
// Where G(upper) < 0 at every row, upper ≥ u: at the row where u − upper is greatest, every
// difference to a neighbor is at most that of upper, so that G(u) ≤ G(upper) < 0 there, unless it
// is a terminal, where they agree. Likewise below. So the pair, once its signs are checked,
// brackets the exact answer whatever the iteration did.
//
// Newton's method: the policy of the moment is a walk that is factored exactly, a few Gauss–Seidel
// sweeps smooth what comes of it. With the walk of the last policy and φ the steps it takes, u ± ηφ
// have G of the signs asked for as long as nobody would rather pull elsewhere. Where somebody
// would, or where the players' answers to each other go round in a circle, one player's policy is
// held and the other one's best answer found, which is monotone and ends (A. Hoffman, R. Karp,
// Management Science 12, 1966, doi:10.1287/mnsc.12.5.359): whatever is held, that is a bound on its
// side.
//
//   TugOfWarSolution s = solve_tug_of_war(piece, {.alpha = 0.5, .beta = 0.5}, terminals, run);
//
// A round costs one factor of a walk (chain_factor.hpp); 5 to 25 rounds. Internal: not installed.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "network_pieces.hpp"

namespace gssl::detail {

struct TugOfWar {
  double alpha = 0.0;
  double beta = 1.0;
  double pull_scale = 0.0;      // s = pull_scale · w; 0: s = 1
  double tolerance = 1e-6;      // of error_bound; (0, 1)
  std::int64_t max_rounds = 0;  // factors, or groups of sweeps; 0: 2000
  // Larger factors take longer than sweeps do, which need few where a graph is that dense.
  double most_flops = 2e12;
};

struct TugOfWarSolution {
  std::vector<double> potential;  // of each row, between the least and the greatest terminal
  double error_bound = 0.0;       // no row is further from the exact answer, relative to the range
  Outcome outcome = Outcome::converged;
  std::int64_t rounds = 0;
  bool swept = false;  // the walks were too large to factor
};

TugOfWarSolution solve_tug_of_war(const NetworkPiece& piece, const TugOfWar& game,
                                  std::span<const double> terminal_values, const RunContext& run);

}  // namespace gssl::detail
