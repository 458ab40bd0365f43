#pragma once
// Cuts found by trying them all, for the tests of maximum flow and global minimum cut.

#include <cstdint>
#include <filesystem>
#include <limits>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "support/support.hpp"

namespace gssl::test {

inline constexpr double infinite = std::numeric_limits<double>::infinity();

// The graph on n vertices whose edges are the set bits of `code`, pairs in lexicographic order.
inline Graph graph_of_code(VertexId n, std::uint64_t code) {
  std::vector<Edge> edges;
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = u + 1; v < n; ++v, code >>= 1U)
      if ((code & 1U) != 0) edges.push_back({u, v});
  return graph_from_edges(n, edges);
}

// `edges` random edges with weights 1 … most_weight.
inline Graph integer_graph(VertexId n, int edges, std::uint64_t seed, std::uint64_t most_weight) {
  Rng rng(seed);
  std::vector<Edge> list;
  const auto pick = [&] { return static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n))); };
  for (int i = 0; i < edges; ++i) {
    const VertexId u = pick(), v = pick();
    list.push_back({u, v, static_cast<double>(1 + rng.below(most_weight))});
  }
  return graph_from_edges(n, list);
}

inline bool holds(std::uint32_t side, VertexId v) {
  return ((side >> static_cast<unsigned>(v)) & 1U) != 0;
}

// Weight of the edges that leave `side`.
inline double boundary(const Graph& graph, std::uint32_t side) {
  double cut = 0.0;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    if (holds(side, u))
      graph.visit_row(u, [&](VertexId v, double w) {
        if (!holds(side, v)) cut += w;
      });
  return cut;
}

inline Graph karate() {
  std::vector<Edge> edges;
  const auto path = shared_path("data/graphs/karate/plain/karate.edges.txt");
  if (!path) return {};
  for (const auto& row : read_numbers(*path))
    edges.push_back({static_cast<VertexId>(row[0]), static_cast<VertexId>(row[1])});
  return graph_from_edges(34, edges);
}

}  // namespace gssl::test
