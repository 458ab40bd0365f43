#pragma once
// Covering a graph by few balls of small p-resistance, 1 < p ≤ 2, with what a single path proves:
// along a path of edge weights w, r_p ≤ (Σ w^(−1/(p−1)))^(p−1), by the law of resistors in series.
//
//   gssl::PathCoverBound b = gssl::best_path_cover_bound(graph, 1.5, energy, 100, run);
//   b.bound;    // mistakes of minimum p-seminorm interpolation
//
// Centers are chosen greedily, each the vertex furthest from those before. Resistances are never
// above these lengths, so that the bound holds, but may be far below them in dense graphs.

#include <cstdint>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

struct PathCoverBound {
  double bound = 0.0;        // k + (ρP)^(2/p)/(p − 1)
  std::int64_t centers = 0;  // k
  double resistance = 0.0;   // ρ: no two vertices of a ball have a larger p-resistance
};

// The best k of at most `most_centers`, for a labeling of p-energy `energy` (M. Herbster, G. Lever,
// COLT 2009). Infinite where there are more components than that. O(k·m log n). Throws
// ErrorCode::usage unless 1 < p ≤ 2.
PathCoverBound best_path_cover_bound(const Graph& graph, double p, double energy,
                                     std::int64_t most_centers, const RunContext& run = {});

}  // namespace gssl
