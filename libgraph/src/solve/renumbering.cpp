#include "renumbering.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "../graph/trusted_graph.hpp"
#include "../linalg/trusted_system.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// Rows further apart than this do not share a cache, whatever is stored for a row.
constexpr VertexId far = 1 << 15;
constexpr EdgeIndex sampled_edges = 20'000;
// Renumbering must pay for itself: many far edges before, and few of them left.
constexpr double many_far = 0.25;
constexpr double few_left = 0.4;
constexpr double widest_frontier = 0.15;
// Vertices whose rows are fetched early: with scattered ids each row is a cache miss.
constexpr std::size_t ahead = 12;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

// Share of far edges in a sample; `row` is empty for the order given.
double far_share(const Graph& graph, const std::vector<VertexId>& row) {
  const EdgeIndex step = std::max<EdgeIndex>(1, 2 * graph.edge_count() / sampled_edges);
  EdgeIndex seen = 0, apart = 0;
  VertexId v = 0;
  for (EdgeIndex e = 0; e < 2 * graph.edge_count(); e += step) {
    // The row of entry e; a jump over many rows is a binary search, a step to the next is not.
    if (graph.row_end(v) <= e) {
      const auto offsets = graph.offset_array();
      v = static_cast<VertexId>(std::upper_bound(offsets.begin() + v, offsets.end(), e) -
                                offsets.begin() - 1);
    }
    const VertexId u = graph.neighbor_at(e);
    const VertexId distance = row.empty() ? u - v : row[index(u)] - row[index(v)];
    ++seen;
    if (std::abs(distance) > far) ++apart;
  }
  return seen == 0 ? 0.0 : static_cast<double>(apart) / static_cast<double>(seen);
}

// Fetches where the row of order[place + 2·ahead] begins, and the row of order[place + ahead].
void fetch_rows_ahead(const Graph& graph, const std::vector<VertexId>& order, std::size_t place) {
  if (place + 2 * ahead >= order.size()) return;
  __builtin_prefetch(graph.offset_array().data() + order[place + 2 * ahead]);
  const auto begin = graph.row_begin(order[place + ahead]);
  __builtin_prefetch(graph.neighbor_array().data() + begin);
  if (!graph.has_unit_weights()) __builtin_prefetch(graph.weight_array().data() + begin);
}

// Nothing for a graph of low diameter, where a frontier is a large part of the whole and the order
// would be no better than any.
std::vector<VertexId> breadth_first_order(const Graph& graph) {
  std::vector<VertexId> order;
  order.reserve(index(graph.vertex_count()));
  std::vector<bool> seen(index(graph.vertex_count()), false);
  for (VertexId root = 0; root < graph.vertex_count(); ++root) {
    if (seen[index(root)]) continue;
    seen[index(root)] = true;
    order.push_back(root);
    for (std::size_t head = order.size() - 1; head < order.size(); ++head) {
      if (static_cast<double>(order.size() - head) > widest_frontier * graph.vertex_count())
        return {};
      fetch_rows_ahead(graph, order, head);
      for (const VertexId v : graph.neighbors(order[head])) {
        if (seen[index(v)]) continue;
        seen[index(v)] = true;
        order.push_back(v);
      }
    }
  }
  return order;
}

std::vector<VertexId> inverse(const std::vector<VertexId>& order) {
  std::vector<VertexId> row(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) row[index(order[r])] = static_cast<VertexId>(r);
  return row;
}

}  // namespace

Renumbering::Renumbering(const Graph& graph) {
  const double before = far_share(graph, {});
  if (before < many_far) return;
  std::vector<VertexId> order = breadth_first_order(graph);
  if (order.empty() || far_share(graph, inverse(order)) > few_left * before) return;
  order_ = std::move(order);
}

Graph Renumbering::graph(const Graph& given, int threads) const {
  const auto n = given.vertex_count();
  const std::vector<VertexId> row = inverse(order_);
  std::vector<EdgeIndex> offsets(index(n) + 1, 0);
  for (VertexId r = 0; r < n; ++r) {
    fetch_rows_ahead(given, order_, index(r));
    offsets[index(r) + 1] = offsets[index(r)] + given.degree(order_[index(r)]);
  }
  std::vector<VertexId> neighbors(index(offsets.back()));
  std::vector<double> weights(given.has_unit_weights() ? 0 : neighbors.size());
  parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::pair<VertexId, double>> entries;
    for (std::int64_t r = begin; r < end; ++r) {
      fetch_rows_ahead(given, order_, index(r));
      VertexId* to = neighbors.data() + offsets[index(r)];
      if (given.has_unit_weights()) {
        for (const VertexId u : given.neighbors(order_[index(r)])) *to++ = row[index(u)];
        std::sort(neighbors.data() + offsets[index(r)], to);
        continue;
      }
      entries.clear();
      given.visit_row(order_[index(r)],
                      [&](VertexId u, double w) { entries.emplace_back(row[index(u)], w); });
      std::ranges::sort(entries);
      double* weight = weights.data() + offsets[index(r)];
      for (const auto& [u, w] : entries) {
        *to++ = u;
        *weight++ = w;
      }
    }
  });
  return TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights));
}

NetworkRows Renumbering::rows(const GroundedLaplacian& system, int threads) const {
  if (!changed()) return {system.shared_graph(), system.ground()};
  std::vector<double> ground;
  ground.reserve(order_.size());
  for (const VertexId v : order_) ground.push_back(system.ground()[index(v)]);
  return {std::make_shared<const Graph>(graph(system.graph(), threads)), std::move(ground)};
}

SharedSystem Renumbering::system(const SharedSystem& given, int threads) const {
  if (!changed()) return given;
  NetworkRows made = rows(*given, threads);
  return std::make_shared<const GroundedLaplacian>(
      TrustedSystem::make(std::move(made.graph), std::move(made.ground), given->components(),
                          [&](VertexId r) { return vertex(r); }));
}

}  // namespace gssl::solve
