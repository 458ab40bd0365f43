#pragma once
// Edges with lengths, from which spanning trees are made.

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

namespace detail {
class RowSorter;
}

// Puts the neighbors of a vertex in ascending order, and their distances with them.
void sort_row(VertexId* neighbors, double* distances, std::size_t length,
              detail::RowSorter& sorter);

// The graph of edges that are all different; without local scales. O(n + m log max-degree).
DistanceGraph graph_of(VertexId vertex_count, const std::vector<DistanceEdge>& edges);

}  // namespace gssl
