#pragma once
// The union of two graphs over the same vertices: an edge wherever one of them has one.
//
//   gssl::DistanceGraph both = gssl::unite(neighbor_graph(lists), metric_spanning_tree(points));
//
// Where both have an edge, the distance or weight is that of the first. The local scale is that of
// the first if it has one, else of the second. O(n + m) time. Throws ErrorCode::usage if the
// numbers of vertices differ.

#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

DistanceGraph unite(const DistanceGraph& a, const DistanceGraph& b);
Graph unite(const Graph& a, const Graph& b);

}  // namespace gssl
