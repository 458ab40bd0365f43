#include "gssl/network/resistive_cover.hpp"

#include <algorithm>
#include <limits>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/components.hpp"

namespace gssl {

ResistiveCover::ResistiveCover(const Graph& graph, const RunContext& run)
    : run_(run),
      one_thread_(run),
      factor_(make_network_factor(graph, run)),
      component_(connected_components(graph).of),
      distance_(index(graph.vertex_count()), std::numeric_limits<double>::infinity()) {
  one_thread_.threads = 1;  // a solve of one column is too short to share
  if (factor_) diagonal_ = factor_->selected(run).to_root;
  run.throw_if_stopped("resistive cover", "before the graph was factored");
  if (!factor_)
    throw Error(ErrorCode::bad_data,
                "resistive cover: the weights are so far apart that a conductance underflows");
}

double ResistiveCover::radius() const {
  if (!radii_.empty()) return radii_.back();
  return distance_.empty() ? 0.0 : std::numeric_limits<double>::infinity();
}

VertexId ResistiveCover::furthest() const {
  return static_cast<VertexId>(std::ranges::max_element(distance_) - distance_.begin());
}

// r(u, c) = G_uu + G_cc − 2G_uc within the component of c.
void ResistiveCover::add_center() {
  if (centers_.size() == distance_.size()) return;
  run_.throw_if_stopped("resistive cover", "before the radius was small enough");
  const VertexId c = furthest();
  const auto n = static_cast<std::int64_t>(distance_.size());
  Block b(n, 1), x;
  b(c, 0) = 1.0;
  factor_->solve(b, x, one_thread_);
  for (std::int64_t u = 0; u < n; ++u) {
    if (component_[index(u)] != component_[index(c)]) continue;
    const double resistance = diagonal_[index(u)] + diagonal_[index(c)] - 2.0 * x(u, 0);
    distance_[index(u)] = std::min(distance_[index(u)], std::max(0.0, resistance));
  }
  distance_[index(c)] = 0.0;
  centers_.push_back(c);
  radii_.push_back(distance_[index(furthest())]);
}

CoverBound best_cover_bound(ResistiveCover& cover, double energy, std::int64_t most_centers) {
  CoverBound best{std::numeric_limits<double>::infinity(), 0, 0.0};
  const auto vertices = static_cast<std::int64_t>(cover.distance().size());
  if (vertices == 0) return {};
  for (std::int64_t k = 1; k <= std::min(vertices, most_centers); ++k) {
    if (static_cast<double>(k) >= best.bound) break;
    if (k > static_cast<std::int64_t>(cover.centers().size())) cover.add_center();
    const double radius = cover.radius(k);
    const double bound = static_cast<double>(k) + (radius == 0.0 ? 0.0 : 2.0 * radius * energy);
    if (bound < best.bound) best = {bound, k, radius};
  }
  return best;
}

}  // namespace gssl
