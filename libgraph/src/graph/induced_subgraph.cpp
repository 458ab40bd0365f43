#include "gssl/graph/induced_subgraph.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "graph/support/renumbered_rows.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"

namespace gssl {

InducedSubgraphs::InducedSubgraphs(const Graph& graph)
    : graph_(&graph), number_(index(graph.vertex_count()), no_vertex) {}

Graph InducedSubgraphs::operator()(std::span<const VertexId> vertices) {
  const bool ascending =
      std::ranges::adjacent_find(vertices, std::ranges::greater_equal()) == vertices.end();
  const bool within =
      vertices.empty() || (vertices.front() >= 0 && vertices.back() < graph_->vertex_count());
  if (!ascending || !within)
    throw Error(ErrorCode::usage,
                "vertices of a part: must be vertices of the graph, ascending, each once");
  VertexId row = 0;
  for (const VertexId v : vertices) number_[index(v)] = row++;
  Graph part = detail::renumbered_rows(*graph_, vertices, number_);
  for (const VertexId v : vertices) number_[index(v)] = no_vertex;
  return part;
}

Graph induced_subgraph(const Graph& graph, std::span<const VertexId> vertices) {
  return InducedSubgraphs(graph)(vertices);
}

}  // namespace gssl
