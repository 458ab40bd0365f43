#include "gssl/graph/graph_union.hpp"

#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl {
namespace {

void check_sizes(VertexId a, VertexId b) {
  if (a == b) return;
  throw Error(ErrorCode::usage, "union of graphs: " + std::to_string(a) + " and " +
                                    std::to_string(b) + " vertices; must be of the same vertices");
}

}  // namespace

DistanceGraph unite(const DistanceGraph& a, const DistanceGraph& b) {
  check_sizes(a.vertex_count(), b.vertex_count());
  DistanceGraph both;
  both.local_scale = a.local_scale.empty() ? b.local_scale : a.local_scale;
  both.offsets.reserve(a.offsets.size());
  both.neighbors.reserve(a.neighbors.size() + b.neighbors.size());
  both.distances.reserve(a.neighbors.size() + b.neighbors.size());
  for (std::size_t v = 0; v + 1 < a.offsets.size(); ++v) {
    auto i = static_cast<std::size_t>(a.offsets[v]);
    auto j = static_cast<std::size_t>(b.offsets[v]);
    const auto i_end = static_cast<std::size_t>(a.offsets[v + 1]);
    const auto j_end = static_cast<std::size_t>(b.offsets[v + 1]);
    while (i < i_end || j < j_end) {
      const bool first = j == j_end || (i < i_end && a.neighbors[i] <= b.neighbors[j]);
      if (first && j < j_end && a.neighbors[i] == b.neighbors[j]) ++j;
      const DistanceGraph& from = first ? a : b;
      const std::size_t at = first ? i++ : j++;
      both.neighbors.push_back(from.neighbors[at]);
      both.distances.push_back(from.distances[at]);
    }
    both.offsets.push_back(static_cast<EdgeIndex>(both.neighbors.size()));
  }
  return both;
}

Graph unite(const Graph& a, const Graph& b) {
  check_sizes(a.vertex_count(), b.vertex_count());
  GraphBuilder both(a.vertex_count(), {.duplicates = DuplicatePolicy::first});
  for (const Graph* graph : {&a, &b})
    for (VertexId u = 0; u < graph->vertex_count(); ++u)
      graph->visit_row(u, [&](VertexId v, double weight) {
        if (u < v) both.add(u, v, weight);
      });
  return std::move(both).finish();
}

}  // namespace gssl
