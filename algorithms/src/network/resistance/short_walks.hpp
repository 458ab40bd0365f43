#pragma once
// The part of a resistance that short walks see. With M = D⁻¹W,
//
//   bᵀL⁺b = bᵀA b + cᵀL⁺c,   A = Σ_{t < 2s} Mᵗ D⁻¹,   c = (W D⁻¹)ˢ b,   1ᵀb = 0 on each component
//
// (the Neumann series of L⁺ cut after 2s terms), and both parts are ≥ 0. On graphs without long
// detours the first is nearly everything, and it is exact and cheap. Internal: not installed.

#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

// Steps s that pay: 2 where a walk of two steps reaches few vertices, else 1.
int worthwhile_steps(const Graph& graph);

// (e_u − e_v)ᵀ A (e_u − e_v) of each pair, of vertices with neighbors. O(Σ over pairs of degrees)
// time, and for s = 2 the two-step neighborhood of each first vertex.
std::vector<double> short_walk_resistance(const Graph& graph, const std::vector<VertexPair>& pairs,
                                          int steps, const RunContext& run);

// bᵀA b for b = e_v − 1/n, n the size of the component of v; 0 for an isolated vertex.
std::vector<double> short_walk_diagonal(const Graph& graph, const Components& components, int steps,
                                        const RunContext& run);

// Trees that hang from the rest, taken off leaf by leaf: of each vertex taken, the neighbor it hung
// from, else no_vertex. Between the two there is one wire, of resistance 1/w. O(n + m).
std::vector<VertexId> pendant_parents(const Graph& graph);

// Mˢ z: each value the weighted mean of its neighbors', s times; 0 at isolated vertices.
Block average_neighbors(const Graph& graph, Block z, int steps, int threads);

}  // namespace gssl::detail
