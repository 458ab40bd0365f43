#include "gssl/graph/spanning_tree.hpp"

#include <algorithm>

#include "graph/support/disjoint_sets.hpp"
#include "graph/support/distance_edges.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl {

namespace {

std::vector<DistanceEdge> kruskal(VertexId vertex_count, std::vector<DistanceEdge> edges) {
  std::sort(edges.begin(), edges.end());
  DisjointSets sets(vertex_count);
  std::erase_if(edges, [&](const DistanceEdge& edge) { return !sets.unite(edge.u, edge.v); });
  return edges;
}

}  // namespace

Graph minimum_spanning_forest(const Graph& graph, EdgeLength length) {
  std::vector<DistanceEdge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    graph.visit_row(u, [&](VertexId v, double weight) {
      if (u < v) edges.push_back({edge_length(weight, length), u, v});
    });
  }
  std::vector<Edge> tree;
  for (const DistanceEdge& edge : kruskal(graph.vertex_count(), std::move(edges)))
    tree.push_back({edge.u, edge.v, graph.weight(edge.u, edge.v)});
  return graph_from_edges(graph.vertex_count(), tree);
}

DistanceGraph minimum_spanning_forest(const DistanceGraph& graph) {
  std::vector<DistanceEdge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    for (auto e = static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(u)]);
         e < static_cast<std::size_t>(graph.offsets[static_cast<std::size_t>(u) + 1]); ++e)
      if (u < graph.neighbors[e]) edges.push_back({graph.distances[e], u, graph.neighbors[e]});
  }
  DistanceGraph tree =
      graph_of(graph.vertex_count(), kruskal(graph.vertex_count(), std::move(edges)));
  tree.local_scale = graph.local_scale;
  return tree;
}

}  // namespace gssl
