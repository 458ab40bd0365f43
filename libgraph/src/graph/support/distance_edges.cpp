#include "distance_edges.hpp"

#include "row_sort.hpp"

namespace gssl {

void sort_row(VertexId* neighbors, double* distances, std::size_t length,
              detail::RowSorter& sorter) {
  // Vertices are not negative: without a sign they are the same numbers.
  sorter.sort(reinterpret_cast<std::uint32_t*>(neighbors), distances, length, 0);
}

DistanceGraph graph_of(VertexId vertex_count, const std::vector<DistanceEdge>& edges) {
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
  for (const DistanceEdge& edge : edges) {
    place(edge.u, edge.v, edge.length);
    place(edge.v, edge.u, edge.length);
  }
  detail::RowSorter sorter;
  for (std::size_t v = 0; v + 1 < graph.offsets.size(); ++v) {
    const EdgeIndex begin = graph.offsets[v];
    sort_row(graph.neighbors.data() + begin, graph.distances.data() + begin,
             static_cast<std::size_t>(graph.offsets[v + 1] - begin), sorter);
  }
  return graph;
}

}  // namespace gssl
