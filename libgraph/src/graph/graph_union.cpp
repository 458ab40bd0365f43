#include "gssl/graph/graph_union.hpp"

#include "gssl/core/error.hpp"

namespace gssl {

DistanceGraph unite(const DistanceGraph& a, const DistanceGraph& b) {
  if (a.vertex_count() != b.vertex_count()) {
    throw Error(ErrorCode::usage, "union of graphs: " + std::to_string(a.vertex_count()) + " and " +
                                      std::to_string(b.vertex_count()) +
                                      " vertices; must be graphs of the same points");
  }
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

}  // namespace gssl
