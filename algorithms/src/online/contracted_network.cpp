#include "online/contracted_network.hpp"

#include <algorithm>
#include <utility>

#include "gssl/graph/graph_builder.hpp"

namespace gssl::detail {

ContractedNetwork contract(const Graph& graph, const std::vector<bool>& labeled) {
  const VertexId n = graph.vertex_count();
  std::vector<VertexId> node(static_cast<std::size_t>(n));
  VertexId free = 0;
  for (VertexId v = 0; v < n; ++v)
    if (!labeled[static_cast<std::size_t>(v)]) node[static_cast<std::size_t>(v)] = free++;
  if (free == n) return {graph, std::move(node), no_vertex};
  GraphBuilder builder(free + 1);
  for (VertexId v = 0; v < n; ++v) {
    if (labeled[static_cast<std::size_t>(v)]) {
      node[static_cast<std::size_t>(v)] = free;
      continue;
    }
    const VertexId from = node[static_cast<std::size_t>(v)];
    graph.visit_row(v, [&](VertexId u, double weight) {
      if (labeled[static_cast<std::size_t>(u)])
        builder.add(from, free, weight);
      else if (v < u)
        builder.add(from, node[static_cast<std::size_t>(u)], weight);
    });
  }
  return {std::move(builder).finish(1), std::move(node), free};
}

}  // namespace gssl::detail
