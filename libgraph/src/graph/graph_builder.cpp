#include "gssl/graph/graph_builder.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "graph/support/bucket_rows.hpp"
#include "graph/support/edge_checks.hpp"
#include "graph/support/edge_group.hpp"
#include "graph/support/row_sort.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

namespace {

using detail::check_ends;
using detail::check_group;
using detail::check_weight;
using detail::neighbor_of;

using Group = detail::EdgeGroup;

// So many entries lie between what is fetched early and its use, where rows come in no order: the
// cursor of a row first, then its place. Inlined, since GCC drops calls that do nothing but fetch.
constexpr std::size_t cursor_ahead = 32;
constexpr std::size_t place_ahead = 16;
inline __attribute__((always_inline)) void fetch_to_write(const void* at) {
  __builtin_prefetch(at, 1);
}

// Of the pair, whichever way it was given.
std::uint64_t pair_hash(VertexId u, VertexId v) {
  const auto ends =
      static_cast<std::uint64_t>(std::min(u, v)) << 32 | static_cast<std::uint64_t>(std::max(u, v));
  const std::uint64_t mixed = (ends ^ (ends >> 29)) * 0x9e3779b97f4a7c15ULL;
  return mixed ^ (mixed >> 32);
}

}  // namespace

EdgeError::EdgeError(VertexId u, VertexId v, const std::string& rule)
    : Error(ErrorCode::bad_data, "edge " + std::to_string(std::min(u, v)) + " " +
                                     std::to_string(std::max(u, v)) + ": " + rule),
      u_(std::min(u, v)),
      v_(std::max(u, v)),
      rule_(rule) {}

// What a pass over sorted rows finds.
struct GraphBuilder::Tally {
  std::int64_t duplicates = 0;
  std::int64_t reversed = 0;
  std::int64_t differ = 0;
  std::int64_t heavy = 0;  // weights other than 1 after merging
  std::int64_t edges = 0;  // after merging

  Tally& operator+=(const Tally& other) {
    duplicates += other.duplicates;
    reversed += other.reversed;
    differ += other.differ;
    heavy += other.heavy;
    edges += other.edges;
    return *this;
  }
};

struct GraphBuilder::Piece : detail::EdgePiece {
  using EdgePiece::EdgePiece;
};

GraphBuilder::GraphBuilder(VertexId vertex_count, GraphBuilderOptions options) : options_(options) {
  grow(vertex_count);
}

void GraphBuilder::grow(VertexId vertex_count) {
  if (vertex_count < vertex_count_)
    throw Error(ErrorCode::usage, "graph builder: " + std::to_string(vertex_count) +
                                      " vertices: must be >= " + std::to_string(vertex_count_));
  vertex_count_ = vertex_count;
  offsets_.resize(static_cast<std::size_t>(vertex_count) + 2, 0);
}

void GraphBuilder::count(VertexId u, VertexId v) {
  check_ends(u, v, vertex_count_);
  if (u == v) {
    ++counts_.self_loops_dropped;
    return;
  }
  ++offsets_[static_cast<std::size_t>(std::max(u, v)) + 2];
  promised_ += pair_hash(u, v);
}

void GraphBuilder::count_shared(VertexId u, VertexId v) {
  check_ends(u, v, vertex_count_);
  const auto add = [](auto& sum, auto value) {
    std::atomic_ref(sum).fetch_add(value, std::memory_order_relaxed);
  };
  if (u == v) {
    add(counts_.self_loops_dropped, 1);
    return;
  }
  add(offsets_[static_cast<std::size_t>(std::max(u, v)) + 2], 1);
  add(promised_, pair_hash(u, v));
}

void GraphBuilder::begin_placing(bool weighted) {
  weighted_ = weighted;
  for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  const auto entries = static_cast<std::size_t>(offsets_.back());
  counts_.edges_given = offsets_.back() + counts_.self_loops_dropped;
  entries_.resize(entries);
  if (weighted_) weights_.resize(entries);
}

template <bool shared>
void GraphBuilder::put(VertexId u, VertexId v, double weight) {
  check_ends(u, v, vertex_count_);
  if (weighted_) check_weight(u, v, weight);
  if (u == v) return;
  EdgeIndex& cursor = offsets_[static_cast<std::size_t>(std::max(u, v)) + 1];
  EdgeIndex at = 0;
  if constexpr (shared)
    at = std::atomic_ref<EdgeIndex>(cursor).fetch_add(1, std::memory_order_relaxed);
  else
    at = cursor++;
  GSSL_ASSERT(at < static_cast<EdgeIndex>(entries_.size()));
  const auto key = (static_cast<std::uint32_t>(std::min(u, v)) << 1) | (u > v ? 1U : 0U);
  entries_[static_cast<std::size_t>(at)] = key;
  if (weighted_) weights_[static_cast<std::size_t>(at)] = weight;
}

void GraphBuilder::place(VertexId u, VertexId v, double weight) { put<false>(u, v, weight); }

void GraphBuilder::place_shared(VertexId u, VertexId v, double weight) { put<true>(u, v, weight); }

GraphBuilder::~GraphBuilder() = default;
GraphBuilder::GraphBuilder(GraphBuilder&&) noexcept = default;
GraphBuilder& GraphBuilder::operator=(GraphBuilder&&) noexcept = default;

void GraphBuilder::add(VertexId u, VertexId v, double weight) {
  detail::piece_with_room(pieces_).add(u, v, weight);
}

void GraphBuilder::add(std::span<const VertexId> ends, std::span<const double> weights) {
  const std::size_t edges = ends.size() / 2;
  for (std::size_t i = 0; i < edges;) {
    Piece& piece = detail::piece_with_room(pieces_);
    const std::size_t stop = std::min(edges, i + piece.room());
    for (; i < stop; ++i)
      piece.add(ends[2 * i], ends[2 * i + 1], weights.empty() ? 1.0 : weights[i]);
  }
}

void GraphBuilder::sort_row(EdgeIndex begin, EdgeIndex end, detail::RowSorter& sorter) {
  detail::sort_entries({entries_.data() + begin, entries_.data() + end},
                       weighted_ ? weights_.data() + begin : nullptr,
                       options_.duplicates == DuplicatePolicy::first, sorter);
}

template <class Once, class Visit>
void GraphBuilder::visit_groups(EdgeIndex begin, EdgeIndex end, Once&& once, Visit&& visit) const {
  detail::visit_groups({entries_.data() + begin, entries_.data() + end},
                       weighted_ ? weights_.data() + begin : nullptr, once, visit);
}

bool GraphBuilder::needs_merging(EdgeIndex begin, EdgeIndex end) const {
  return detail::has_repetition({entries_.data() + begin, entries_.data() + end});
}

GraphBuilder::Tally GraphBuilder::tally_row(EdgeIndex begin, EdgeIndex end) const {
  Tally tally;
  if (!needs_merging(begin, end)) {
    tally.edges = end - begin;
    if (weighted_)
      tally.heavy = tally.edges - std::count(weights_.data() + begin, weights_.data() + end, 1.0);
    return tally;
  }
  const auto count = [&](VertexId, double weight) {
    tally.heavy += weight != 1.0;
    ++tally.edges;
  };
  visit_groups(begin, end, count, [&](VertexId u, const Group& group) {
    tally.duplicates += group.merged();
    tally.reversed += group.both();
    tally.differ += group.opposite_differ(options_.duplicates);
    count(u, group.weight(options_));
  });
  return tally;
}

void GraphBuilder::check_promise(int threads) const {
  const std::uint64_t kept =
      blocked_sum(vertex_count_, threads, [&](EdgeIndex begin, EdgeIndex end) {
        std::uint64_t sum = 0;
        for (EdgeIndex v = begin; v < end; ++v)
          for (EdgeIndex e = offsets_[static_cast<std::size_t>(v)];
               e < offsets_[static_cast<std::size_t>(v) + 1]; ++e)
            sum += pair_hash(neighbor_of(entries_[static_cast<std::size_t>(e)]),
                             static_cast<VertexId>(v));
        return sum;
      });
  if (kept != promised_)
    throw Error(ErrorCode::bad_data,
                "graph builder: the second walk over the edges did not bring the edges of the "
                "first; has the input changed while it was read?");
}

// Every edge into the rows of both its ends. A row is its lower neighbors, which are sorted, and
// then the upper ones, which arrive in order because the rows that have them are walked upward.
Graph GraphBuilder::both_ways(EdgeIndex edges, bool store_weights) {
  const auto n = static_cast<std::size_t>(vertex_count_);
  std::vector<EdgeIndex> rows(n + 1, 0);
  for (std::size_t v = 0; v < n; ++v) {
    VertexId previous = no_vertex;
    for (EdgeIndex e = offsets_[v]; e < offsets_[v + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      if (at + cursor_ahead < entries_.size())
        fetch_to_write(
            &rows[static_cast<std::size_t>(neighbor_of(entries_[at + cursor_ahead])) + 1]);
      const VertexId u = neighbor_of(entries_[at]);
      if (u == previous) continue;
      previous = u;
      ++rows[static_cast<std::size_t>(u) + 1];
      ++rows[v + 1];
    }
  }
  for (std::size_t v = 0; v < n; ++v) rows[v + 1] += rows[v];

  std::vector<VertexId> neighbors(static_cast<std::size_t>(2 * edges));
  std::vector<double> weights(store_weights ? neighbors.size() : 0);
  const auto fetch_ahead = [&](std::size_t at) {
    if (at + cursor_ahead < entries_.size())
      fetch_to_write(&offsets_[static_cast<std::size_t>(neighbor_of(entries_[at + cursor_ahead]))]);
    if (at + place_ahead >= entries_.size()) return;
    const auto u = static_cast<std::size_t>(neighbor_of(entries_[at + place_ahead]));
    const EdgeIndex place = offsets_[u];
    fetch_to_write(neighbors.data() + place);
    if (store_weights) fetch_to_write(weights.data() + place);
  };
  EdgeIndex begin = 0;
  for (std::size_t v = 0; v < n; ++v) {
    auto lower = static_cast<std::size_t>(rows[v]);
    const EdgeIndex end = offsets_[v + 1];
    const auto put_both = [&](VertexId u, double weight) {
      const auto upper = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(u)]++);
      neighbors[lower] = u;
      neighbors[upper] = static_cast<VertexId>(v);
      if (store_weights) weights[lower] = weights[upper] = weight;
      ++lower;
    };
    if (needs_merging(begin, end)) {
      visit_groups(begin, end, put_both, [&](VertexId u, const Group& group) {
        check_group(group, options_, u, static_cast<VertexId>(v));
        put_both(u, group.weight(options_));
      });
    } else {
      for (EdgeIndex e = begin; e < end; ++e) {
        const auto at = static_cast<std::size_t>(e);
        fetch_ahead(at);
        put_both(neighbor_of(entries_[at]), weighted_ ? weights_[at] : 1.0);
      }
    }
    begin = end;
    offsets_[v] = static_cast<EdgeIndex>(lower);  // where the upper neighbors of v go
  }
  return Graph(Graph::Trusted{}, std::move(rows), std::move(neighbors), std::move(weights));
}

Graph GraphBuilder::finish_pieces(int threads) {
  std::vector<EdgeIndex>().swap(offsets_);
  detail::BucketRows rows(
      vertex_count_,
      {std::make_move_iterator(pieces_.begin()), std::make_move_iterator(pieces_.end())}, options_,
      threads);
  pieces_.clear();
  counts_ = rows.counts();
  return rows.finish();
}

Graph GraphBuilder::finish(int threads) && {
  if (!pieces_.empty()) return finish_pieces(threads);
  check_promise(threads);
  const Tally found = blocked_sum(vertex_count_, threads, [&](EdgeIndex begin, EdgeIndex end) {
    Tally tally;
    detail::RowSorter sorter;
    for (EdgeIndex v = begin; v < end; ++v) {
      const EdgeIndex row = offsets_[static_cast<std::size_t>(v)];
      const EdgeIndex row_end = offsets_[static_cast<std::size_t>(v) + 1];
      sort_row(row, row_end, sorter);
      tally += tally_row(row, row_end);
    }
    return tally;
  });
  counts_.duplicates_merged = found.duplicates;
  counts_.reversed_merged = found.reversed;
  counts_.opposite_differ = found.differ;
  return both_ways(found.edges, found.heavy > 0);
}

Graph graph_from_edges(VertexId vertex_count, const std::vector<Edge>& edges,
                       GraphBuilderOptions options) {
  GraphBuilder builder(vertex_count, options);
  bool weighted = false;
  for (const Edge& edge : edges) {
    builder.count(edge.u, edge.v);
    weighted = weighted || edge.weight != 1.0;
  }
  builder.begin_placing(weighted);
  for (const auto& [u, v, weight] : edges) builder.place(u, v, weight);
  return std::move(builder).finish();
}

}  // namespace gssl
