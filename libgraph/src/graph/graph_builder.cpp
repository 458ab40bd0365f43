#include "gssl/graph/graph_builder.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <span>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "release_pages.hpp"
#include "row_sort.hpp"

namespace gssl {

namespace {

using detail::is_reversed;
using detail::neighbor_of;

// The entries of one row that share a neighbor, taken in order.
struct Group {
  EdgeIndex given[2] = {0, 0};  // by direction
  double sum[2] = {0.0, 0.0};
  double largest = 0.0;
  double first = 0.0;
  bool differ = false;

  void add(bool reversed, double weight) {
    if (given[0] + given[1] == 0)
      first = weight;
    else
      differ = differ || weight != first;
    ++given[reversed ? 1 : 0];
    sum[reversed ? 1 : 0] += weight;
    largest = std::max(largest, weight);
  }

  bool repeated() const { return given[0] > 1 || given[1] > 1; }

  double weight(DuplicatePolicy policy) const {
    switch (policy) {
      case DuplicatePolicy::sum: return std::max(sum[0], sum[1]);
      case DuplicatePolicy::max: return largest;
      case DuplicatePolicy::first:
      case DuplicatePolicy::error: return first;
    }
    return first;
  }
};

void check_group(const Group& group, DuplicatePolicy policy, VertexId u, VertexId v) {
  const auto refuse = [&](const std::string& what) {
    throw Error(ErrorCode::bad_data, "edge " + std::to_string(std::min(u, v)) + " " +
                                         std::to_string(std::max(u, v)) + ": " + what);
  };
  if (policy == DuplicatePolicy::error && group.repeated())
    refuse("given more than once; remove the repetition, or merge by sum, max or first");
  if (policy == DuplicatePolicy::error && group.differ)
    refuse(
        "the weights of its two directions differ; make them equal, or merge by sum, max or first");
  if (!std::isfinite(group.weight(policy)))
    refuse("the sum of its weights is not a finite number; scale the weights down");
}

template <class Value>
void shorten(std::vector<Value>& values, std::size_t length) {
  const std::size_t capacity = values.capacity();
  detail::release_pages(values.data() + length, values.data() + values.size());
  values.resize(length);
  if (length < capacity - capacity / 8) values.shrink_to_fit();
}

// Random multipliers make it all but impossible for rows of other lengths to go unnoticed.
std::uint64_t fingerprint(std::span<const EdgeIndex> offsets) {
  std::uint64_t sum = 0, multiplier = 0;
  for (const EdgeIndex offset : offsets) {
    multiplier += 0x9e3779b97f4a7c15ULL;
    sum += static_cast<std::uint64_t>(offset) * ((multiplier ^ (multiplier >> 29)) | 1U);
  }
  return sum;
}

}  // namespace

// What a pass over sorted rows finds. Every edge is seen from its smaller end alone.
struct GraphBuilder::Tally {
  std::int64_t duplicates = 0;
  std::int64_t reversed = 0;
  std::int64_t heavy = 0;  // weights other than 1 after merging

  Tally& operator+=(const Tally& other) {
    duplicates += other.duplicates;
    reversed += other.reversed;
    heavy += other.heavy;
    return *this;
  }
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
  GSSL_ASSERT(u >= 0 && u < vertex_count_ && v >= 0 && v < vertex_count_);
  if (u == v) {
    ++counts_.self_loops_dropped;
    return;
  }
  ++offsets_[static_cast<std::size_t>(u) + 2];
  ++offsets_[static_cast<std::size_t>(v) + 2];
}

void GraphBuilder::count_shared(VertexId u, VertexId v) {
  GSSL_ASSERT(u >= 0 && u < vertex_count_ && v >= 0 && v < vertex_count_);
  const auto add_one = [](std::int64_t& value) {
    std::atomic_ref<std::int64_t>(value).fetch_add(1, std::memory_order_relaxed);
  };
  if (u == v) {
    add_one(counts_.self_loops_dropped);
    return;
  }
  add_one(offsets_[static_cast<std::size_t>(u) + 2]);
  add_one(offsets_[static_cast<std::size_t>(v) + 2]);
}

void GraphBuilder::begin_placing(bool weighted) {
  weighted_ = weighted;
  for (std::size_t i = 2; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  fingerprint_ = fingerprint(std::span(offsets_).subspan(1));
  const auto entries = static_cast<std::size_t>(offsets_.back());
  counts_.edges_given = static_cast<std::int64_t>(entries / 2) + counts_.self_loops_dropped;
  neighbors_.resize(entries);
  if (weighted_) weights_.resize(entries);
}

template <bool shared>
void GraphBuilder::put(VertexId row, VertexId neighbor, bool reversed, double weight) {
  EdgeIndex& cursor = offsets_[static_cast<std::size_t>(row) + 1];
  EdgeIndex at = 0;
  if constexpr (shared)
    at = std::atomic_ref<EdgeIndex>(cursor).fetch_add(1, std::memory_order_relaxed);
  else
    at = cursor++;
  GSSL_ASSERT(at < static_cast<EdgeIndex>(neighbors_.size()));
  const auto key = (static_cast<std::uint32_t>(neighbor) << 1) | (reversed ? 1U : 0U);
  neighbors_[static_cast<std::size_t>(at)] = static_cast<VertexId>(key);
  if (weighted_) weights_[static_cast<std::size_t>(at)] = weight;
}

void GraphBuilder::place(VertexId u, VertexId v, double weight) {
  GSSL_ASSERT(u >= 0 && u < vertex_count_ && v >= 0 && v < vertex_count_);
  if (u == v) return;
  put<false>(u, v, u > v, weight);
  put<false>(v, u, u > v, weight);
}

void GraphBuilder::place_shared(VertexId u, VertexId v, double weight) {
  GSSL_ASSERT(u >= 0 && u < vertex_count_ && v >= 0 && v < vertex_count_);
  if (u == v) return;
  put<true>(u, v, u > v, weight);
  put<true>(v, u, u > v, weight);
}

void GraphBuilder::sort_row(EdgeIndex begin, EdgeIndex end) {
  VertexId* entries = neighbors_.data() + begin;
  if (!weighted_) {
    detail::sort_entries(entries, end - begin);
  } else if (options_.duplicates == DuplicatePolicy::first) {
    detail::sort_pairs(entries, weights_.data() + begin, end - begin,
                       [](const detail::WeightedEntry& a, const detail::WeightedEntry& b) {
                         return neighbor_of(a.entry) < neighbor_of(b.entry);
                       });
  } else {
    // Equal entries by weight, so that sums do not depend on the order of placing.
    detail::sort_pairs(entries, weights_.data() + begin, end - begin,
                       [](const detail::WeightedEntry& a, const detail::WeightedEntry& b) {
                         return a.entry != b.entry ? detail::key_less(a.entry, b.entry)
                                                   : a.weight < b.weight;
                       });
  }
}

GraphBuilder::Tally GraphBuilder::tally_row(EdgeIndex begin, EdgeIndex end) const {
  Tally tally;
  for (EdgeIndex e = begin; e < end;) {
    const VertexId v = neighbor_of(neighbors_[static_cast<std::size_t>(e)]);
    Group group;
    for (; e < end && neighbor_of(neighbors_[static_cast<std::size_t>(e)]) == v; ++e)
      group.add(is_reversed(neighbors_[static_cast<std::size_t>(e)]),
                weighted_ ? weights_[static_cast<std::size_t>(e)] : 1.0);
    for (const EdgeIndex given : group.given) tally.duplicates += std::max<EdgeIndex>(given - 1, 0);
    tally.reversed += group.given[0] > 0 && group.given[1] > 0;
    tally.heavy += group.weight(options_.duplicates) != 1.0;
  }
  return tally;
}

// Merges every row and moves it down over what earlier rows gave up, in row order.
void GraphBuilder::merge_rows(bool store_weights) {
  EdgeIndex read = 0, write = 0;
  for (VertexId u = 0; u < vertex_count_; ++u) {
    EdgeIndex& row_end = offsets_[static_cast<std::size_t>(u) + 1];
    const EdgeIndex end = row_end;
    while (read < end) {
      const VertexId v = neighbor_of(neighbors_[static_cast<std::size_t>(read)]);
      Group group;
      for (; read < end && neighbor_of(neighbors_[static_cast<std::size_t>(read)]) == v; ++read)
        group.add(is_reversed(neighbors_[static_cast<std::size_t>(read)]),
                  weighted_ ? weights_[static_cast<std::size_t>(read)] : 1.0);
      check_group(group, options_.duplicates, u, v);
      neighbors_[static_cast<std::size_t>(write)] = v;
      if (store_weights)
        weights_[static_cast<std::size_t>(write)] = group.weight(options_.duplicates);
      ++write;
    }
    row_end = write;
  }
}

Graph GraphBuilder::finish(int threads) && {
  offsets_.pop_back();
  if (fingerprint(offsets_) != fingerprint_)
    throw Error(ErrorCode::bad_data,
                "graph builder: the second walk over the edges did not bring the edges of the "
                "first; has the input changed while it was read?");

  const Tally found = blocked_sum(vertex_count_, threads, [&](EdgeIndex begin, EdgeIndex end) {
    Tally tally;
    for (EdgeIndex u = begin; u < end; ++u) {
      const EdgeIndex row = offsets_[static_cast<std::size_t>(u)];
      const EdgeIndex row_end = offsets_[static_cast<std::size_t>(u) + 1];
      sort_row(row, row_end);
      tally += tally_row(row, row_end);
    }
    return tally;
  });
  counts_.duplicates_merged = found.duplicates / 2;  // both ends of an edge have seen it
  counts_.reversed_merged = found.reversed / 2;

  const EdgeIndex entries = offsets_.back();
  const EdgeIndex dropped = found.duplicates + found.reversed;
  const bool store_weights = found.heavy > 0;
  if (dropped > 0) {
    const auto kept = static_cast<std::size_t>(entries - dropped);
    if (store_weights && !weighted_) weights_.resize(kept);
    merge_rows(store_weights);
    shorten(neighbors_, kept);
    if (store_weights) shorten(weights_, kept);
  } else {
    parallel_blocks(entries, threads, [&](EdgeIndex begin, EdgeIndex end) {
      for (EdgeIndex e = begin; e < end; ++e) {
        VertexId& entry = neighbors_[static_cast<std::size_t>(e)];
        entry = neighbor_of(entry);
      }
    });
  }
  if (!store_weights) weights_ = {};
  return Graph(Graph::Trusted{}, std::move(offsets_), std::move(neighbors_), std::move(weights_));
}

namespace {

[[noreturn]] void refuse_edge(const Edge& edge, const std::string& what) {
  throw Error(ErrorCode::bad_data,
              "edge " + std::to_string(edge.u) + " " + std::to_string(edge.v) + ": " + what);
}

}  // namespace

Graph graph_from_edges(VertexId vertex_count, const std::vector<Edge>& edges,
                       GraphBuilderOptions options) {
  GraphBuilder builder(vertex_count, options);
  bool weighted = false;
  for (const Edge& edge : edges) {
    const auto [u, v, weight] = edge;
    if (u < 0 || v < 0 || u >= vertex_count || v >= vertex_count)
      refuse_edge(edge,
                  "vertex out of range: must be in [0, " + std::to_string(vertex_count) + ")");
    if (!(weight > 0.0) || !std::isfinite(weight))
      refuse_edge(edge, "weight " + to_text(weight) + ": must be finite and > 0");
    builder.count(u, v);
    weighted = weighted || weight != 1.0;
  }
  builder.begin_placing(weighted);
  for (const auto& [u, v, weight] : edges) builder.place(u, v, weight);
  return std::move(builder).finish();
}

}  // namespace gssl
