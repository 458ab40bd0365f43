#include "gssl/graph/ground_vertex.hpp"

#include <algorithm>
#include <utility>

#include "gssl/graph/trusted_graph.hpp"

namespace gssl {

Graph with_ground_vertex(const Graph& graph, const std::vector<double>& ground) {
  const VertexId n = graph.vertex_count();
  std::vector<EdgeIndex> offsets{0};
  std::vector<VertexId> neighbors, grounded;
  std::vector<double> weights, last_row;
  const auto grounds =
      static_cast<std::size_t>(std::ranges::count_if(ground, [](double g) { return g > 0.0; }));
  const std::size_t entries = graph.neighbor_array().size() + 2 * grounds;
  offsets.reserve(ground.size() + 2);
  neighbors.reserve(entries);
  weights.reserve(entries);
  for (VertexId v = 0; v < n; ++v) {
    graph.visit_row(v, [&](VertexId u, double w) {
      neighbors.push_back(u);
      weights.push_back(w);
    });
    const double g = ground[static_cast<std::size_t>(v)];
    if (g > 0.0) {
      neighbors.push_back(n);
      weights.push_back(g);
      grounded.push_back(v);
      last_row.push_back(g);
    }
    offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
  }
  neighbors.insert(neighbors.end(), grounded.begin(), grounded.end());
  weights.insert(weights.end(), last_row.begin(), last_row.end());
  offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
  return TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights));
}

}  // namespace gssl
