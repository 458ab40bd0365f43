#pragma once
// A network whose labeled vertices are one: the ground. Internal: not installed.
//
//   ContractedNetwork network = contract(graph, labeled);
//   network.node[v];        // its vertex there; network.ground for a labeled one
//
// Edges that become parallel add their weights, edges between labeled vertices vanish. Without a
// labeled vertex there is no ground, and the network is the graph. O(n + m).

#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl::detail {

struct ContractedNetwork {
  Graph graph;
  std::vector<VertexId> node;
  VertexId ground = no_vertex;
};

// labeled[v]: v is one of those to be joined; as long as the graph has vertices.
ContractedNetwork contract(const Graph& graph, const std::vector<bool>& labeled);

}  // namespace gssl::detail
