#include "region.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/graph/trusted_graph.hpp"

namespace gssl::solve {

void Region::add(VertexId v) {
  if (holds(v)) return;
  row_[index(v)] = static_cast<VertexId>(rows_.size());
  rows_.push_back(v);
}

bool Region::first_seen(VertexId v) { return std::exchange(seen_in_[index(v)], calls_) != calls_; }

bool Region::grow(std::span<const VertexId> seeds, std::int64_t hops, std::int64_t most) {
  ++calls_;
  // Also through rows that are inside already: what lies behind them may be new.
  std::vector<VertexId> layer, next;
  for (const VertexId v : seeds) {
    if (first_seen(v)) layer.push_back(v);
    add(v);
  }
  for (; hops > 0 && !layer.empty(); --hops) {
    next.clear();
    for (const VertexId v : layer) {
      if (std::ssize(rows_) > most) return false;
      for (const VertexId u : network_.graph().neighbors(v)) {
        if (!network_.is_free(u)) continue;
        if (first_seen(u)) next.push_back(u);
        add(u);
      }
    }
    layer.swap(next);
  }
  return std::ssize(rows_) <= most;
}

void Region::add_all() {
  rows_.reserve(index(network_.free_count()));
  for (VertexId v = 0; v < network_.size(); ++v)
    if (network_.is_free(v)) add(v);
}

std::vector<VertexId> Region::rim() const {
  std::vector<VertexId> rim;
  for (const VertexId v : rows_)
    for (const VertexId u : network_.graph().neighbors(v))
      if (network_.is_free(u) && !holds(u)) rim.push_back(u);
  std::ranges::sort(rim);
  rim.erase(std::unique(rim.begin(), rim.end()), rim.end());
  return rim;
}

GroundedLaplacian Region::system() {
  // In the order of the network, so that rows of the graph of the region are ascending.
  if (!std::ranges::is_sorted(rows_)) std::ranges::sort(rows_);
  for (std::size_t i = 0; i < rows_.size(); ++i) row_[index(rows_[i])] = static_cast<VertexId>(i);
  const Graph& graph = network_.graph();
  std::vector<double> ground;
  ground.reserve(rows_.size());
  if (std::ssize(rows_) == network_.size()) {
    for (const VertexId v : rows_) ground.push_back(network_.ground(v));
    return {std::make_shared<const Graph>(graph), std::move(ground)};
  }
  std::vector<EdgeIndex> offsets = {0};
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  offsets.reserve(rows_.size() + 1);
  EdgeIndex most = 0;
  for (const VertexId v : rows_) most += graph.degree(v);
  const bool unit = graph.has_unit_weights();
  neighbors.reserve(index(most));
  weights.reserve(unit ? 0 : index(most));
  for (const VertexId v : rows_) {
    double out = network_.ground(v);
    graph.visit_row(v, [&](VertexId u, double w) {
      if (!holds(u)) {
        out += w;
        return;
      }
      neighbors.push_back(row_[index(u)]);
      if (!unit) weights.push_back(w);
    });
    ground.push_back(out);
    offsets.push_back(std::ssize(neighbors));
  }
  if (std::ranges::all_of(weights, [](double w) { return w == 1.0; })) weights.clear();
  return {std::make_shared<const Graph>(
              TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights))),
          std::move(ground)};
}

}  // namespace gssl::solve
