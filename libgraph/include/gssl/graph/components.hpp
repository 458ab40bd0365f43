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
// 0 ≤ k < components.count. O(n), and O(1) for each vertex and edge of the component.
ComponentGraph component_graph(const Graph& graph, const Components& components, VertexId k);

// Where many components of one graph are wanted: O(n) once, then O(1) for each vertex and edge of
// the component asked for.
//
//   const gssl::ComponentGraphs parts(graph, components);     // both must outlive it
//   gssl::ComponentGraph part = parts[k];
class ComponentGraphs {
 public:
  ComponentGraphs(const Graph& graph, const Components& components);
  ComponentGraphs(Graph&&, const Components&) = delete;
  ComponentGraphs(const Graph&, Components&&) = delete;
  ComponentGraphs(Graph&&, Components&&) = delete;

  ComponentGraph operator[](VertexId k) const;

 private:
  const Graph* graph_;
  std::vector<VertexId> first_;     // of each component in vertices_, and their number
  std::vector<VertexId> vertices_;  // of one component behind the other, ascending in each
  std::vector<VertexId> row_;       // of each vertex in its component
};

}  // namespace gssl
