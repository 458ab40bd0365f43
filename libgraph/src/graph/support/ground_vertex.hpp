#pragma once
// The ground of a resistor network as one more vertex, so that what knows graphs alone can take it.

#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

// The graph with one more vertex, the last, joined to each v where ground[v] > 0 with that weight.
// Precondition: one finite ground ≥ 0 for each vertex. O(n + m).
Graph with_ground_vertex(const Graph& graph, const std::vector<double>& ground);

}  // namespace gssl
