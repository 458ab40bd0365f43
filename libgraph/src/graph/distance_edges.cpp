#include "distance_edges.hpp"

#include <algorithm>
#include <tuple>

namespace gssl {

DistanceGraph graph_of(VertexId vertex_count, std::vector<DistanceEdge> edges) {
  // Placed in this order, every row gets first its smaller neighbors and then its larger ones.
  std::sort(edges.begin(), edges.end(), [](const DistanceEdge& a, const DistanceEdge& b) {
    return std::tie(a.u, a.v) < std::tie(b.u, b.v);
  });
  DistanceGraph graph;
  graph.offsets.assign(static_cast<std::size_t>(vertex_count) + 1, 0);
  for (const DistanceEdge& edge : edges) {
    ++graph.offsets[static_cast<std::size_t>(edge.u) + 1];
    ++graph.offsets[static_cast<std::size_t>(edge.v) + 1];
  }
  for (std::size_t v = 1; v < graph.offsets.size(); ++v) graph.offsets[v] += graph.offsets[v - 1];
  graph.neighbors.resize(2 * edges.size());
  graph.distances.resize(2 * edges.size());
  std::vector<EdgeIndex> next(graph.offsets.begin(), graph.offsets.end() - 1);
  const auto place = [&](VertexId from, VertexId to, double length) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
    graph.neighbors[at] = to;
    graph.distances[at] = length;
  };
  for (const DistanceEdge& edge : edges) place(edge.v, edge.u, edge.length);
  for (const DistanceEdge& edge : edges) place(edge.u, edge.v, edge.length);
  return graph;
}

}  // namespace gssl
