#include "gssl/graph/shortest_paths.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <string>
#include <tuple>

#include "graph/support/distance_edges.hpp"
#include "gssl/core/error.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl {

namespace {

constexpr std::int64_t offers_between_stops = 1 << 17;

// visit_row(v, offer) calls offer(neighbor, length) along row v.
template <class VisitRow>
ShortestPaths dijkstra(VertexId vertex_count, std::span<const VertexId> sources,
                       const RunContext& run, const VisitRow& visit_row) {
  const auto n = static_cast<std::size_t>(vertex_count);
  ShortestPaths paths{std::vector<double>(n, std::numeric_limits<double>::infinity()),
                      std::vector<VertexId>(n, no_vertex), std::vector<VertexId>(n, no_vertex)};
  std::vector<bool> final(n, false);
  using QueueEntry = std::tuple<double, VertexId, VertexId>;  // distance, source, vertex
  std::priority_queue<QueueEntry, std::vector<QueueEntry>, std::greater<>> queue;
  const auto offer = [&](double distance, VertexId source, VertexId parent, VertexId v) {
    const auto at = static_cast<std::size_t>(v);
    if (final[at]) return;
    const auto found = std::tie(paths.distance[at], paths.source[at]);
    const auto offered = std::tie(distance, source);
    if (found < offered) return;
    if (offered < found) {
      queue.emplace(distance, source, v);
    } else if (paths.parent[at] <= parent) {
      return;
    }
    paths.distance[at] = distance;
    paths.source[at] = source;
    paths.parent[at] = parent;
  };
  for (const VertexId v : sources) {
    if (v < 0 || v >= vertex_count)
      throw Error(ErrorCode::usage, "shortest paths: source " + std::to_string(v) +
                                        ": must be one of the " + std::to_string(n) + " vertices");
    offer(0.0, v, no_vertex, v);
  }
  // Looked at in offers and not in vertices, of which a hub has millions.
  std::int64_t offers = 0, next_stop = offers_between_stops;
  while (!queue.empty()) {
    if (++offers >= next_stop) {
      run.throw_if_stopped("shortest paths", "before all distances were final");
      next_stop = offers + offers_between_stops;
    }
    const auto [distance, source, v] = queue.top();
    queue.pop();
    const auto at = static_cast<std::size_t>(v);
    if (final[at]) continue;  // a better offer came earlier
    final[at] = true;
    visit_row(v, [&, from = distance, label = source, parent = v](VertexId u, double length) {
      ++offers;
      offer(from + length, label, parent, u);
    });
  }
  return paths;
}

}  // namespace

double edge_length(double weight, EdgeLength length) {
  constexpr double longest = 1e290;
  switch (length) {
    case EdgeLength::inverse: return std::min(1.0 / weight, longest);
    case EdgeLength::unit: return 1.0;
    case EdgeLength::weight: return std::min(weight, longest);
  }
  return 1.0;
}

ShortestPaths shortest_paths(const Graph& graph, std::span<const VertexId> sources,
                             EdgeLength length, const RunContext& run) {
  return dijkstra(graph.vertex_count(), sources, run, [&](VertexId v, auto&& offer) {
    graph.visit_row(v, [&](VertexId u, double w) { offer(u, edge_length(w, length)); });
  });
}

Graph shortest_path_tree(const Graph& graph, VertexId root, EdgeLength length,
                         const RunContext& run) {
  const std::vector<VertexId> parent = shortest_paths(graph, {&root, 1}, length, run).parent;
  std::vector<Edge> edges;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const VertexId p = parent[static_cast<std::size_t>(v)];
    if (p != no_vertex) edges.push_back({v, p, graph.weight(v, p)});
  }
  return graph_from_edges(graph.vertex_count(), edges);
}

DistanceGraph shortest_path_tree(const DistanceGraph& graph, VertexId root, const RunContext& run) {
  const auto visit_row = [&](VertexId v, auto&& visit) {
    const auto at = static_cast<std::size_t>(v);
    for (auto e = static_cast<std::size_t>(graph.offsets[at]);
         e < static_cast<std::size_t>(graph.offsets[at + 1]); ++e)
      visit(graph.neighbors[e], graph.distances[e]);
  };
  const ShortestPaths paths = dijkstra(graph.vertex_count(), {&root, 1}, run, visit_row);
  std::vector<DistanceEdge> edges;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    visit_row(v, [&](VertexId u, double length) {
      if (u == paths.parent[static_cast<std::size_t>(v)])
        edges.push_back(distance_edge(length, u, v));
    });
  }
  DistanceGraph tree = graph_of(graph.vertex_count(), edges);
  tree.local_scale = graph.local_scale;
  return tree;
}

}  // namespace gssl
