#pragma once
// The minimum spanning forest of a given graph: of each component the tree of least total length.
// J. B. Kruskal 1956, doi:10.1090/S0002-9939-1956-0078686-7.
//
//   gssl::Graph tree = gssl::minimum_spanning_forest(graph, gssl::EdgeLength::weight);
//
// Edges compare by (length, smaller end, larger end), so there is one answer. n − c edges for c
// components. O(m log m) time, 16m bytes. EdgeLength::inverse gives the tree of the strongest ties.

#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/shortest_paths.hpp"

namespace gssl {

Graph minimum_spanning_forest(const Graph& graph, EdgeLength length);

// The same with the distances of edges as their lengths. Keeps the local scale.
DistanceGraph minimum_spanning_forest(const DistanceGraph& graph);

}  // namespace gssl
