#pragma once
// The condition that least p-energy puts on each vertex alone: its potential is the p-mean of its
// neighbors', the t with Σ w |x_u − t|^{p−1} sgn(x_u − t) = 0.
//
// With a large p the energy is that of the steepest edges, and a duality gap far below any
// tolerance says little of the potentials where the rest is flat. Sweeps that put one vertex after
// the other at its p-mean never raise the energy, so that its bound still holds, and how far the
// vertices are from there is the certificate that the gap is not.
//
//   const double off = settle_at_local_means(piece, values, 25.0, 1e-6, potential, run);
//
// A vertex that is there already costs two sums of powers over its edges, another one about ten;
// the sweeps end when about five million edges of the latter have been walked. Internal: not
// installed.

#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "network_pieces.hpp"

namespace gssl::detail {

// From this p on the gap alone says too little.
inline constexpr double settled_from_p = 8.0;

// Sweeps until no vertex is further than `tolerance` times the range of the terminals from its
// p-mean, the work is done or the run is to stop. `potential` has one value for each row of the
// piece, `terminal_values` one for each labeled vertex of the problem. Returns a bound on the
// largest distance left, over that range: `tolerance` where none is further. Precondition: 1 < p <
// ∞.
double settle_at_local_means(const NetworkPiece& piece, std::span<const double> terminal_values,
                             double p, double tolerance, std::vector<double>& potential,
                             const RunContext& run);

}  // namespace gssl::detail
