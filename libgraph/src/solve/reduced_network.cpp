// What is left of the network, as rows.

#include <algorithm>
#include <utility>

#include "../graph/trusted_graph.hpp"
#include "elimination_network.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// What an assignment of {} would keep: the memory.
template <class Value>
void release(std::vector<Value>& values) {
  std::vector<Value>().swap(values);
}

}  // namespace

// Calls body(column, weight) along the row of v in the reduced matrix, columns ascending: the live
// part of its row of the graph, merged with its list.
template <class Body>
void EliminationNetwork::visit_reduced_row(VertexId v, const std::vector<VertexId>& row_of,
                                           std::vector<Entry>& scratch, Body&& body) const {
  scratch.clear();
  for (std::uint32_t i = head_[index(v)]; i != end_of_list; i = pool_[index(i)].next)
    if (alive(pool_[index(i)].to))
      scratch.push_back({row_of[index(pool_[index(i)].to)], pool_[index(i)].weight});
  if (scratch.empty()) {  // most rows of a graph with few vertices to remove
    graph_->visit_row(v, [&](VertexId u, double w) {
      if (const VertexId column = row_of[index(u)]; column != no_vertex) body(column, w);
    });
    return;
  }
  std::ranges::stable_sort(scratch, {}, &Entry::column);
  Entry pending{no_vertex, 0.0};
  const auto put = [&](VertexId column, double weight) {
    if (column == pending.column) {
      pending.weight += weight;
      return;
    }
    if (pending.column != no_vertex) body(pending.column, pending.weight);
    pending = {column, weight};
  };
  auto listed = scratch.begin();
  if (!state_[index(v)].listed) {
    graph_->visit_row(v, [&](VertexId u, double w) {
      if (!alive(u)) return;
      for (; listed != scratch.end() && listed->column < row_of[index(u)]; ++listed)
        put(listed->column, listed->weight);
      put(row_of[index(u)], w);
    });
  }
  for (; listed != scratch.end(); ++listed) put(listed->column, listed->weight);
  if (pending.column != no_vertex) body(pending.column, pending.weight);
}

// The two ends of an edge may hold it in different pieces, whose sums differ in the last digit: the
// smaller end decides. So the part of each row right of the diagonal is taken out first; then the
// network can go, and the rest is that part mirrored.
NetworkRows EliminationNetwork::reduced(const std::vector<VertexId>& kept, int threads) && {
  release(degree_);
  release(slot_);
  release(queue_);
  const auto n = static_cast<VertexId>(kept.size());
  std::vector<VertexId> row_of(state_.size(), no_vertex);
  std::vector<double> ground(kept.size());
  for (VertexId r = 0; r < n; ++r) {
    row_of[index(kept[index(r)])] = r;
    ground[index(r)] = ground_[index(kept[index(r)])];
  }
  release(ground_);
  const auto each_right_entry = [&](auto&& body) {
    parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Entry> scratch;
      for (auto r = static_cast<VertexId>(begin); r < end; ++r)
        visit_reduced_row(kept[index(r)], row_of, scratch, [&](VertexId u, double w) {
          if (u > r) body(r, u, w);
        });
    });
  };
  std::vector<EdgeIndex> right(kept.size() + 1, 0);
  each_right_entry([&](VertexId r, VertexId, double) { ++right[index(r) + 1]; });
  for (VertexId r = 0; r < n; ++r) right[index(r) + 1] += right[index(r)];
  std::vector<VertexId> right_neighbor(index(right.back()));
  std::vector<double> right_weight(right_neighbor.size());
  std::vector<EdgeIndex> next(right.begin(), right.end() - 1);
  each_right_entry([&](VertexId r, VertexId u, double w) {
    const auto e = index(next[index(r)]++);
    right_neighbor[e] = u;
    right_weight[e] = w;
  });
  release(pool_);
  release(head_);
  release(row_of);
  graph_.reset();

  std::vector<EdgeIndex> offsets(kept.size() + 1, 0);
  for (VertexId r = 0; r < n; ++r) offsets[index(r) + 1] = right[index(r) + 1] - right[index(r)];
  for (const VertexId u : right_neighbor) ++offsets[index(u) + 1];
  for (VertexId r = 0; r < n; ++r) offsets[index(r) + 1] += offsets[index(r)];
  next.assign(offsets.begin(), offsets.end() - 1);
  std::vector<VertexId> neighbors(index(offsets.back()));
  std::vector<double> weights(neighbors.size());
  const auto put = [&](VertexId row, VertexId column, double weight) {
    const auto e = index(next[index(row)]++);
    neighbors[e] = column;
    weights[e] = weight;
  };
  // All that is left of the diagonal in a row comes before the row's own turn.
  for (VertexId r = 0; r < n; ++r)
    for (auto e = index(right[index(r)]); e < index(right[index(r) + 1]); ++e) {
      put(r, right_neighbor[e], right_weight[e]);
      put(right_neighbor[e], r, right_weight[e]);
    }
  return {std::make_shared<const Graph>(
              TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights))),
          std::move(ground)};
}

}  // namespace gssl::solve
