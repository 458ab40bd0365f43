#pragma once
// Edges with lengths, as trees are made of them.

#include <algorithm>
#include <tuple>
#include <vector>

#include "gssl/graph/edge_weights.hpp"

namespace gssl {

struct DistanceEdge {
  double length = 0.0;
  VertexId u = no_vertex;  // u < v
  VertexId v = no_vertex;

  friend bool operator==(const DistanceEdge&, const DistanceEdge&) = default;
  friend bool operator<(const DistanceEdge& a, const DistanceEdge& b) {
    return std::tie(a.length, a.u, a.v) < std::tie(b.length, b.u, b.v);
  }
};

inline DistanceEdge distance_edge(double length, VertexId a, VertexId b) {
  return {length, std::min(a, b), std::max(a, b)};
}

// The graph of edges that are all different; without local scales. O(n + m log m).
DistanceGraph graph_of(VertexId vertex_count, std::vector<DistanceEdge> edges);

}  // namespace gssl
