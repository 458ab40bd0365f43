#include "gssl/network/path_cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/shortest_paths.hpp"

namespace gssl {
namespace {

// The same edges with w^(1/(p−1)) for weights: their inverses are the lengths.
Graph powered(const Graph& graph, double p) {
  if (graph.has_unit_weights() || p == 2.0) return graph;
  std::vector<double> weights(graph.neighbor_array().size());
  for (std::size_t e = 0; e < weights.size(); ++e)
    weights[e] = std::clamp(std::pow(graph.weight_at(static_cast<EdgeIndex>(e)), 1.0 / (p - 1.0)),
                            1e-280, 1e280);
  const auto offsets = graph.offset_array();
  const auto neighbors = graph.neighbor_array();
  return Graph({offsets.begin(), offsets.end()}, {neighbors.begin(), neighbors.end()},
               std::move(weights));
}

}  // namespace

PathCoverBound best_path_cover_bound(const Graph& graph, double p, double energy,
                                     std::int64_t most_centers, const RunContext& run) {
  if (!(p > 1.0 && p <= 2.0))
    throw Error(ErrorCode::usage, "path cover: p=" + to_text(p) + ": must be in (1, 2]");
  PathCoverBound best{std::numeric_limits<double>::infinity(), 0, 0.0};
  const auto n = static_cast<std::int64_t>(graph.vertex_count());
  if (n == 0) return {};
  const Graph lengths = powered(graph, p);
  std::vector<double> distance(static_cast<std::size_t>(n),
                               std::numeric_limits<double>::infinity());
  for (std::int64_t k = 1; k <= std::min(n, most_centers); ++k) {
    if (static_cast<double>(k) >= best.bound) break;
    const VertexId center =
        static_cast<VertexId>(std::ranges::max_element(distance) - distance.begin());
    const ShortestPaths paths = shortest_paths(lengths, {{center}}, EdgeLength::inverse, run);
    for (std::size_t v = 0; v < distance.size(); ++v)
      distance[v] = std::min(distance[v], paths.distance[v]);
    const double radius = std::ranges::max(distance);
    const double resistance = std::pow(2.0 * radius, p - 1.0);
    const double charge =
        radius == 0.0 || energy == 0.0 ? 0.0 : std::pow(resistance * energy, 2.0 / p) / (p - 1.0);
    const double bound = std::isinf(radius) ? radius : static_cast<double>(k) + charge;
    if (bound < best.bound) best = {bound, k, resistance};
  }
  return best;
}

}  // namespace gssl
