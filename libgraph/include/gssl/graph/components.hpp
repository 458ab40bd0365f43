#pragma once
// Connected components by breadth-first search. O(n + m) time, O(n) memory.
//
//   gssl::Components c = gssl::connected_components(graph);
//   c.of[v] < c.count;   c.sizes[c.of[v]];

#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

struct Components {
  VertexId count = 0;           // 0 for the graph with no vertices
  std::vector<VertexId> of;     // component of each vertex; numbered by their smallest vertex
  std::vector<VertexId> sizes;  // vertices in each component

  VertexId largest_size() const;
};

Components connected_components(const Graph& graph);

// One component as a graph of its own: vertices[r] is the vertex of row r, ascending.
struct ComponentGraph {
  std::vector<VertexId> vertices;
  Graph graph;
};
// 0 ≤ k < components.count. O(n + m).
ComponentGraph component_graph(const Graph& graph, const Components& components, VertexId k);

}  // namespace gssl
