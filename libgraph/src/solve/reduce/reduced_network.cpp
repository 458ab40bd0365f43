// What is left of the network, as rows.

#include <algorithm>
#include <utility>

#include "elimination_network.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/trusted_graph.hpp"

namespace gssl::solve {
namespace {

// A list of a few entries is sorted by insertion.
constexpr std::size_t few_entries = 24;

// What an assignment of {} would keep: the memory.
template <class Value>
void release(std::vector<Value>& values) {
  std::vector<Value>().swap(values);
}

// What some rows of a symmetric matrix have right of their diagonals, row after row.
struct RightEntries {
  std::vector<VertexId> column;
  std::vector<double> weight;
};

// The whole rows, where those of block i are in right[i] and row r has right_count[r].
std::shared_ptr<const Graph> mirrored(std::vector<RightEntries> right,
                                      const std::vector<VertexId>& right_count) {
  const auto n = static_cast<VertexId>(right_count.size());
  std::vector<EdgeIndex> offsets(right_count.size() + 1, 0);
  for (VertexId r = 0; r < n; ++r) offsets[index(r) + 1] = right_count[index(r)];
  for (const RightEntries& entries : right)
    for (const VertexId u : entries.column) ++offsets[index(u) + 1];
  for (VertexId r = 0; r < n; ++r) offsets[index(r) + 1] += offsets[index(r)];
  std::vector<EdgeIndex> next(offsets.begin(), offsets.end() - 1);
  std::vector<VertexId> neighbors(index(offsets.back()));
  std::vector<double> weights(neighbors.size());
  const auto put = [&](VertexId row, VertexId column, double weight) {
    const auto e = index(next[index(row)]++);
    neighbors[e] = column;
    weights[e] = weight;
  };
  // All that is left of the diagonal in a row comes before the row's own turn.
  for (std::size_t block = 0; block < right.size(); ++block) {
    std::size_t e = 0;
    const std::int64_t begin = static_cast<std::int64_t>(block) * parallel_block;
    for (std::int64_t i = begin; i < std::min<std::int64_t>(n, begin + parallel_block); ++i) {
      const auto r = static_cast<VertexId>(i);
      for (const std::size_t end = e + index(right_count[index(r)]); e < end; ++e) {
        put(r, right[block].column[e], right[block].weight[e]);
        put(right[block].column[e], r, right[block].weight[e]);
      }
    }
    right[block] = {};
  }
  return std::make_shared<const Graph>(
      TrustedGraph::make(std::move(offsets), std::move(neighbors), std::move(weights)));
}

}  // namespace

// Calls body(column, weight) along the row of v in the reduced matrix, right of its diagonal,
// columns ascending: the live part of its row of the graph, merged with its list.
template <class Body>
void EliminationNetwork::visit_right_of(VertexId v, const std::vector<VertexId>& row_of,
                                        std::vector<Entry>& scratch, Body&& body) const {
  const VertexId row = row_of[index(v)];
  scratch.clear();
  for (std::uint32_t i = head_[index(v)]; i != end_of_list; i = pool_[index(i)].next) {
    const Half& half = pool_[index(i)];
    if (const VertexId column = row_of[index(half.to)]; column > row)
      scratch.push_back({column, half.weight});
  }
  if (scratch.size() > few_entries) {
    std::ranges::stable_sort(scratch, {}, &Entry::column);
  } else {  // also stable, and without the memory that one asks for
    for (std::size_t e = 1; e < scratch.size(); ++e)
      for (std::size_t i = e; i > 0 && scratch[i - 1].column > scratch[i].column; --i)
        std::swap(scratch[i - 1], scratch[i]);
  }
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
      const VertexId column = row_of[index(u)];
      if (column <= row) return;
      for (; listed != scratch.end() && listed->column < column; ++listed)
        put(listed->column, listed->weight);
      put(column, w);
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
  const auto n = static_cast<VertexId>(kept.size());
  std::vector<VertexId> row_of(state_.size(), no_vertex);
  std::vector<double> ground(kept.size());
  for (VertexId r = 0; r < n; ++r) {
    row_of[index(kept[index(r)])] = r;
    ground[index(r)] = ground_[index(kept[index(r)])];
  }
  release(ground_);
  std::vector<VertexId> right_count(kept.size());
  std::vector<RightEntries> right(index(detail::block_count(n, parallel_block)));
  parallel_blocks(n, threads, [&](std::int64_t begin, std::int64_t end) {
    RightEntries& found = right[index(begin / parallel_block)];
    std::vector<Entry> scratch;
    for (auto r = static_cast<VertexId>(begin); r < end; ++r) {
      const std::size_t before = found.column.size();
      visit_right_of(kept[index(r)], row_of, scratch, [&](VertexId u, double w) {
        found.column.push_back(u);
        found.weight.push_back(w);
      });
      right_count[index(r)] = static_cast<VertexId>(found.column.size() - before);
    }
  });
  pool_.reset();
  release(head_);
  release(row_of);
  graph_.reset();

  return {mirrored(std::move(right), right_count), std::move(ground)};
}

}  // namespace gssl::solve
