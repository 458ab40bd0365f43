#include "renumbered_rows.hpp"

#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/graph/trusted_graph.hpp"

namespace gssl::detail {

Graph renumbered_rows(const Graph& graph, std::span<const VertexId> vertices,
                      const std::vector<VertexId>& number) {
  const bool weighted = !graph.has_unit_weights();
  std::size_t most = 0;
  for (const VertexId v : vertices) most += index(graph.degree(v));
  std::vector<EdgeIndex> offsets{0};
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  offsets.reserve(vertices.size() + 1);
  neighbors.reserve(most);
  if (weighted) weights.reserve(most);
  for (const VertexId v : vertices) {
    graph.visit_row(v, [&](VertexId u, double w) {
      if (number[index(u)] == no_vertex) return;
      neighbors.push_back(number[index(u)]);
      if (weighted) weights.push_back(w);
    });
    offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
  }
  return TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights));
}

}  // namespace gssl::detail
