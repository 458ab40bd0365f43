#include "online/grouped_graph.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "gssl/graph/components.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t most_pieces = 256, least_vertices = 64;

// Pieces of one component, grown side by side edge by edge.
void grow_pieces(const Graph& graph, std::span<const VertexId> vertices,
                 std::vector<std::int32_t>& piece) {
  const std::size_t count =
      std::clamp(vertices.size() / least_vertices, std::size_t{1}, most_pieces);
  std::vector<VertexId> reached;
  reached.reserve(vertices.size());
  for (std::size_t a = 0; a < count; ++a) {
    reached.push_back(vertices[a * vertices.size() / count]);
    piece[index(reached.back())] = static_cast<std::int32_t>(a);
  }
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const VertexId u : graph.neighbors(reached[i])) {
      if (piece[index(u)] >= 0) continue;
      piece[index(u)] = piece[index(reached[i])];
      reached.push_back(u);
    }
}

// Vertex order[u] of the graph is u of the new one.
Graph renumbered(const Graph& graph, const std::vector<VertexId>& order,
                 const std::vector<VertexId>& number) {
  std::vector<EdgeIndex> offsets = {0};
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  std::vector<std::pair<VertexId, double>> row;
  for (const VertexId v : order) {
    row.clear();
    graph.visit_row(v,
                    [&](VertexId u, double weight) { row.emplace_back(number[index(u)], weight); });
    std::ranges::sort(row);
    for (const auto& [u, weight] : row) {
      neighbors.push_back(u);
      weights.push_back(weight);
    }
    offsets.push_back(std::ssize(neighbors));
  }
  return {std::move(offsets), std::move(neighbors), std::move(weights)};
}

}  // namespace

GroupedGraph::GroupedGraph(const Graph& graph) {
  const Components components = connected_components(graph);
  const std::size_t n = index(graph.vertex_count());
  first_.assign(index(components.count) + 1, 0);
  for (std::size_t c = 0; c < index(components.count); ++c)
    first_[c + 1] = first_[c] + components.sizes[c];
  std::vector<VertexId> order(n), next = first_;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    order[index(next[index(components.of[index(v)])]++)] = v;
  std::vector<std::int32_t> piece(n, -1);
  number_.resize(n);
  for (std::size_t c = 0; c < index(components.count); ++c) {
    const auto vertices = std::span(order).subspan(index(first_[c]), index(components.sizes[c]));
    grow_pieces(graph, vertices, piece);
    std::ranges::stable_sort(vertices, {}, [&](VertexId v) { return piece[index(v)]; });
    component_.insert(component_.end(), vertices.size(), static_cast<VertexId>(c));
  }
  for (std::size_t u = 0; u < n; ++u) {
    number_[index(order[u])] = static_cast<VertexId>(u);
    piece_.push_back(piece[index(order[u])]);
  }
  graph_ = renumbered(graph, order, number_);
}

}  // namespace gssl::detail
