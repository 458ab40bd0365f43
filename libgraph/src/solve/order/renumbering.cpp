#include "renumbering.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/trusted_graph.hpp"
#include "hubs.hpp"
#include "linalg/trusted_system.hpp"

namespace gssl::solve {
namespace {

// Rows further apart than this do not share a cache, whatever is stored for a row.
constexpr VertexId far = 1 << 15;
constexpr EdgeIndex sampled_edges = 20'000;
// Renumbering must pay for itself: many far edges before, and few of them left or distances much
// smaller. Planes of a grid lie far apart as well, but most other neighbors side by side, and no
// such order is bettered: so distances must have so many digits, beside those of the number of
// vertices.
constexpr double many_far = 0.25;
constexpr double many_digits = 0.5;
constexpr double few_left = 0.4;
constexpr double much_smaller = 0.25;
constexpr double widest_frontier = 0.15;
// So many vertices lie between what is fetched early and its use.
constexpr std::size_t places_ahead = 8;
constexpr std::size_t fetched_neighbors = 4;

// How far apart neighbors lie, by a sample of edges.
struct Scatter {
  double far_share = 0.0;
  double log_distance = 0.0;  // mean
};

Scatter scatter(const Graph& graph) {
  const EdgeIndex step = std::max<EdgeIndex>(1, 2 * graph.edge_count() / sampled_edges);
  EdgeIndex seen = 0, apart = 0;
  double logs = 0.0;
  VertexId v = 0;
  for (EdgeIndex e = 0; e < 2 * graph.edge_count(); e += step) {
    // The row of entry e; a jump over many rows is a binary search, a step to the next is not.
    if (graph.row_end(v) <= e) {
      const auto offsets = graph.offset_array();
      v = static_cast<VertexId>(std::upper_bound(offsets.begin() + v, offsets.end(), e) -
                                offsets.begin() - 1);
    }
    const VertexId distance = std::abs(graph.neighbor_at(e) - v);
    ++seen;
    if (distance > far) ++apart;
    logs += std::log(distance);
  }
  if (seen == 0) return {};
  const auto count = static_cast<double>(seen);
  return {static_cast<double>(apart) / count, logs / count};
}

// The rows of a graph, put one after the other into another order.
class RowWriter {
 public:
  // What is reserved and not written to costs nothing.
  explicit RowWriter(const Graph& graph) : graph_(graph) {
    offsets_.reserve(index(graph.vertex_count()) + 1);
    neighbors_.reserve(graph.neighbor_array().size());
    weights_.reserve(graph.weight_array().size());
    offsets_.push_back(0);
  }

  // Row v, whose neighbors have numbers in `row`.
  void append(VertexId v, const std::vector<VertexId>& row) {
    const bool weighted = !graph_.has_unit_weights();
    const std::size_t begin = neighbors_.size();
    for (EdgeIndex e = graph_.row_begin(v); e < graph_.row_end(v); ++e) {
      neighbors_.push_back(row[index(graph_.neighbor_at(e))]);
      if (weighted) weights_.push_back(graph_.weight_at(e));
    }
    offsets_.push_back(static_cast<EdgeIndex>(neighbors_.size()));
    if (neighbors_.size() - begin > few_neighbors) {
      sort_long_row(begin);
    } else {
      sort_short_row(begin);
    }
  }

  std::shared_ptr<const Graph> graph() && {
    return std::make_shared<const Graph>(
        TrustedGraph::make(std::move(offsets_), std::move(neighbors_), std::move(weights_)));
  }

 private:
  static constexpr std::size_t few_neighbors = 24;

  // By insertion.
  void sort_short_row(std::size_t begin) {
    for (std::size_t e = begin + 1; e < neighbors_.size(); ++e)
      for (std::size_t i = e; i > begin && neighbors_[i - 1] > neighbors_[i]; --i) {
        std::swap(neighbors_[i - 1], neighbors_[i]);
        if (!weights_.empty()) std::swap(weights_[i - 1], weights_[i]);
      }
  }

  void sort_long_row(std::size_t begin) {
    entries_.clear();
    for (std::size_t e = begin; e < neighbors_.size(); ++e)
      entries_.emplace_back(neighbors_[e], weights_.empty() ? 1.0 : weights_[e]);
    std::ranges::sort(entries_);
    for (const auto& [u, w] : entries_) {
      if (!weights_.empty()) weights_[begin] = w;
      neighbors_[begin++] = u;
    }
  }

  const Graph& graph_;
  std::vector<EdgeIndex> offsets_;
  std::vector<VertexId> neighbors_;
  std::vector<double> weights_;
  std::vector<std::pair<VertexId, double>> entries_;  // scratch
};

// Fetches what the vertices at these places of the order will need: where the row of one begins,
// the row of another, and the numbers of the neighbors of a third. Inlined, since GCC drops calls
// of functions that do nothing but fetch.
inline __attribute__((always_inline)) void fetch_ahead(const Graph& graph,
                                                       const std::vector<VertexId>& order,
                                                       std::size_t place,
                                                       const std::vector<VertexId>& row) {
  if (place + 3 * places_ahead < order.size())
    __builtin_prefetch(graph.offset_array().data() + order[place + 3 * places_ahead]);
  if (place + 2 * places_ahead < order.size()) {
    const auto begin = graph.row_begin(order[place + 2 * places_ahead]);
    __builtin_prefetch(graph.neighbor_array().data() + begin);
    if (!graph.has_unit_weights()) __builtin_prefetch(graph.weight_array().data() + begin);
  }
  if (place + places_ahead < order.size()) {
    const std::span<const VertexId> next = graph.neighbors(order[place + places_ahead]);
    for (std::size_t i = 0; i < std::min(fetched_neighbors, next.size()); ++i)
      __builtin_prefetch(row.data() + next[i]);
  }
}

// Vertices in breadth-first order and the graph in that order, made on one walk: with scattered ids
// each row is a cache miss, and one is enough. Nothing for a graph of low diameter, where a
// frontier is a large part of the whole and the order would be no better than any.
struct BreadthFirst {
  std::vector<VertexId> order;
  std::shared_ptr<const Graph> graph;
};

BreadthFirst breadth_first(const Graph& graph) {
  const VertexId n = graph.vertex_count();
  std::vector<VertexId> order, row(index(n), no_vertex);
  order.reserve(index(n));
  const auto see = [&](VertexId v) {
    if (row[index(v)] != no_vertex) return;
    row[index(v)] = static_cast<VertexId>(order.size());
    order.push_back(v);
  };
  RowWriter rows(graph);
  for (VertexId root = 0; root < n; ++root) {
    if (row[index(root)] != no_vertex) continue;
    std::size_t head = order.size();
    for (see(root); head < order.size(); ++head) {
      if (static_cast<double>(order.size() - head) > widest_frontier * n) return {};
      fetch_ahead(graph, order, head, row);
      for (const VertexId v : graph.neighbors(order[head])) see(v);
      rows.append(order[head], row);
    }
  }
  return {std::move(order), std::move(rows).graph()};
}

std::vector<VertexId> inverse(const std::vector<VertexId>& order) {
  std::vector<VertexId> row(order.size());
  for (std::size_t r = 0; r < order.size(); ++r) row[index(order[r])] = static_cast<VertexId>(r);
  return row;
}

}  // namespace

std::shared_ptr<const Graph> graph_in_order(const Graph& graph, const std::vector<VertexId>& order,
                                            int threads) {
  const std::vector<VertexId> row = inverse(order);
  std::vector<EdgeIndex> offsets(order.size() + 1, 0);
  for (std::size_t r = 0; r < order.size(); ++r)
    offsets[r + 1] = offsets[r] + graph.row_end(order[r]) - graph.row_begin(order[r]);
  std::vector<VertexId> neighbors(graph.neighbor_array().size());
  std::vector<double> weights(graph.weight_array().size());
  parallel_blocks(std::ssize(order), threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::pair<VertexId, double>> entries;
    for (std::int64_t r = begin; r < end; ++r) {
      entries.clear();
      fetch_ahead(graph, order, index(r), row);
      graph.visit_row(order[index(r)],
                      [&](VertexId u, double w) { entries.emplace_back(row[index(u)], w); });
      std::ranges::sort(entries);
      auto e = index(offsets[index(r)]);
      for (const auto& [u, w] : entries) {
        if (!weights.empty()) weights[e] = w;
        neighbors[e++] = u;
      }
    }
  });
  return std::make_shared<const Graph>(
      TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights)));
}

Renumbering::Renumbering(const Graph& graph) {
  if (graph.vertex_count() <= far) return;
  const Scatter before = scatter(graph);
  if (before.far_share < many_far ||
      before.log_distance < many_digits * std::log(graph.vertex_count()))
    return;
  // Two steps from a hub lie most vertices.
  if (has_hubs(graph)) return;
  BreadthFirst found = breadth_first(graph);
  if (found.graph == nullptr) return;
  const Scatter after = scatter(*found.graph);
  if (after.far_share > few_left * before.far_share &&
      after.log_distance > before.log_distance + std::log(much_smaller))
    return;
  order_ = std::move(found.order);
  graph_ = std::move(found.graph);
}

std::shared_ptr<const Graph> Renumbering::graph(const Graph& given) {
  return graph_ != nullptr ? std::move(graph_) : graph_in_order(given, order_, 1);
}

NetworkRows Renumbering::rows(const GroundedLaplacian& system) {
  if (!changed()) return {system.shared_graph(), system.ground()};
  std::vector<double> ground(order_.size());
  for (std::size_t r = 0; r < order_.size(); ++r) ground[r] = system.ground()[index(order_[r])];
  return {graph(system.graph()), std::move(ground)};
}

SharedSystem Renumbering::system(const SharedSystem& given) {
  if (!changed()) return given;
  NetworkRows made = rows(*given);
  return std::make_shared<const GroundedLaplacian>(
      TrustedSystem::make(std::move(made.graph), std::move(made.ground), given->components(),
                          [&](VertexId r) { return vertex(r); }));
}

Block Renumbering::in_order(const Block& given, int threads) const {
  if (!changed()) return given;
  Block ordered(given.rows(), given.columns());
  parallel_blocks(given.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      std::ranges::copy(given.row(vertex(static_cast<VertexId>(r))), ordered.row(r).begin());
  });
  return ordered;
}

Block Renumbering::as_given(Block ordered, int threads) const {
  if (!changed()) return ordered;
  Block given(ordered.rows(), ordered.columns());
  parallel_blocks(ordered.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r)
      std::ranges::copy(ordered.row(r), given.row(vertex(static_cast<VertexId>(r))).begin());
  });
  return given;
}

}  // namespace gssl::solve
