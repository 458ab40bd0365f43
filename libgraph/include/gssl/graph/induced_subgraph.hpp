#pragma once
// Some vertices of a graph and the edges between them, as a graph of its own.
//
//   std::vector<gssl::VertexId> vertices = {2, 5, 7};           // ascending, each once
//   gssl::Graph part = gssl::induced_subgraph(graph, vertices);  // vertex 1 of it is 5
//
// Errors: ErrorCode::usage where the vertices are not ascending or not of the graph.

#include <span>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

// O(n), and O(1) for each vertex of the part and each edge that one of them has.
Graph induced_subgraph(const Graph& graph, std::span<const VertexId> vertices);

// Where many parts of one graph are wanted: O(n) memory and time once, not for each.
class InducedSubgraphs {
 public:
  explicit InducedSubgraphs(const Graph& graph);  // `graph` must outlive it
  explicit InducedSubgraphs(Graph&&) = delete;

  Graph operator()(std::span<const VertexId> vertices);

 private:
  const Graph* graph_;
  std::vector<VertexId> number_;  // of each vertex in the part; no_vertex between two calls
};

}  // namespace gssl
