#pragma once
// Wide diameter: between any two vertices of a graph there are k paths that share no edge, none of
// more than `length` edges, for k the edge connectivity.
//
//   gssl::WideDiameter d = gssl::wide_diameter(gssl::complete_graph(6), run);   // k = 5, length 2
//   gssl::wide_diameter_bound(1, d, cut);      // mistakes of minimum seminorm interpolation
//   gssl::tuned_exponent(d, cut);              // the p that the bound is for
//
// The k paths of a pair are those of least total length, by a flow of least cost; another choice of
// k paths may have a shorter longest one, so that `length` is an upper bound, which is what a bound
// of mistakes needs. All pairs are looked at, O(n²·k·m) time at worst: graphs of up to 300 vertices.

#include <cstdint>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

struct WideDiameter {
  std::int64_t paths = 0;   // k
  std::int64_t length = 0;  // Δ_k, edges
};

// As above for a graph of any size, by some pairs alone: those that are farthest apart in searches
// by breadth, and random ones from stream 8'100'000 of the run. `paths` is exact, `length` at most
// that of wide_diameter(), and at least the distance of the farthest pair. O(pairs·k·m) time beside
// the minimum cut. Throws ErrorCode::usage unless pairs ≥ 1, else as wide_diameter().
WideDiameter wide_diameter_at_least(const Graph& graph, std::int64_t pairs,
                                    const RunContext& run = {});

// Weights are not looked at. One vertex: 0 paths of length 0. Throws ErrorCode::usage above 300
// vertices, ErrorCode::bad_data where the graph is not connected.
WideDiameter wide_diameter(const Graph& graph, const RunContext& run = {});

// For a labeling of −1 and +1 whose edges between the two have weight `cut` in all, and parts of
// the vertices of which each has that wide diameter, or a better one: mistakes of minimum
// p-seminorm interpolation with p = tuned_exponent() are at most
//   parts + 4e²Φ²(ln Δ + ln(k/Φ) − 1)/k²  where kΔ/Φ > e²,
//   parts + 4ΦΔ/k                         otherwise (p = 2)
// (M. Herbster, G. Lever, COLT 2009). For graphs of unit weights. cut = 0: `parts`. Throws
// ErrorCode::usage unless parts ≥ 1, cut ≥ 0, and there are paths where cut > 0.
double wide_diameter_bound(std::int64_t parts, const WideDiameter& diameter, double cut);
// p = c/(c − 1) for c = max(ln(kΔ/Φ), 2), in (1, 2]; not below 1.05, which is as far as
// interpolation goes. cut = 0: 1.05.
double tuned_exponent(const WideDiameter& diameter, double cut);

}  // namespace gssl
