#pragma once
// The ground of a resistor network as one more vertex, so that what knows graphs alone can take it.
//
//   const gssl::Graph all = gssl::with_ground_vertex(graph, ground);
//   // r(v, graph.vertex_count()) in `all` is (L + diag ground)⁻¹_vv

#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

// The graph with one more vertex, the last, joined to each v where ground[v] > 0 with that weight.
// Precondition: one finite ground ≥ 0 for each vertex. O(n + m).
Graph with_ground_vertex(const Graph& graph, const std::vector<double>& ground);

}  // namespace gssl
