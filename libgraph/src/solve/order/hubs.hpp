#pragma once
// Social networks and their like, on which conjugate gradients swept color by color come first.

#include "gssl/graph/graph.hpp"

namespace gssl::solve {

// Whether few vertices hold most edges: those that one finds behind an edge have hub_share times the
// mean number of neighbors, which is no mesh's. O(n).
bool has_hubs(const Graph& graph);

}  // namespace gssl::solve
