#include "gssl/network/path_cover.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
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
  return graph.with_weights(std::move(weights));
}

// Distances of all vertices from the nearest of some centers, that come one by one.
class Nearest {
 public:
  Nearest(const Graph& graph, const RunContext& run)
      : graph_(graph),
        run_(run),
        distance_(static_cast<std::size_t>(graph.vertex_count()),
                  std::numeric_limits<double>::infinity()) {}

  // Looks no further than where an earlier center is as near: what lies behind is nearer to that.
  void add(VertexId center) {
    const auto offer = [&](VertexId v, double distance) {
      double& known = distance_[static_cast<std::size_t>(v)];
      if (!(distance < known)) return;
      known = distance;
      queue_.emplace(distance, v);
    };
    offer(center, 0.0);
    while (!queue_.empty()) {
      const auto [distance, v] = queue_.top();
      queue_.pop();
      if (distance > distance_[static_cast<std::size_t>(v)]) continue;
      graph_.visit_row(v, [&, from = distance](VertexId u, double weight) {
        if (++offers_ % offers_between_stops == 0)
          run_.throw_if_stopped("path cover", "before all distances were final");
        offer(u, from + edge_length(weight, EdgeLength::inverse));
      });
    }
  }

  const std::vector<double>& distance() const { return distance_; }

 private:
  static constexpr std::int64_t offers_between_stops = 1 << 17;
  using Entry = std::pair<double, VertexId>;

  const Graph& graph_;
  const RunContext& run_;
  std::vector<double> distance_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
  std::int64_t offers_ = 0;
};

}  // namespace

PathCoverBound best_path_cover_bound(const Graph& graph, double p, double energy,
                                     std::int64_t most_centers, const RunContext& run) {
  if (!(p > 1.0 && p <= 2.0))
    throw Error(ErrorCode::usage, "path cover: p=" + to_text(p) + ": must be in (1, 2]");
  PathCoverBound best{std::numeric_limits<double>::infinity(), 0, 0.0};
  const auto n = static_cast<std::int64_t>(graph.vertex_count());
  if (n == 0) return {};
  const Graph lengths = powered(graph, p);
  Nearest nearest(lengths, run);
  VertexId furthest = 0;
  for (std::int64_t k = 1; k <= std::min(n, most_centers); ++k) {
    if (static_cast<double>(k) >= best.bound) break;
    nearest.add(furthest);
    run.throw_if_stopped("path cover", "before all distances were final");
    const auto at = std::ranges::max_element(nearest.distance());
    furthest = static_cast<VertexId>(at - nearest.distance().begin());
    const double radius = *at;
    const double resistance = std::pow(2.0 * radius, p - 1.0);
    const double charge =
        radius == 0.0 || energy == 0.0 ? 0.0 : std::pow(resistance * energy, 2.0 / p) / (p - 1.0);
    const double bound = std::isinf(radius) ? radius : static_cast<double>(k) + charge;
    if (bound < best.bound) best = {bound, k, resistance};
  }
  return best;
}

}  // namespace gssl
