#include "gssl/graph/spilling_graph_builder.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <limits>
#include <utility>

#include "graph/support/bucket_rows.hpp"
#include "graph/support/edge_checks.hpp"
#include "graph/support/edge_group.hpp"
#include "graph/support/edge_piece.hpp"
#include "graph/support/row_sort.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {
namespace {

constexpr std::size_t least_piece = 16;
constexpr std::size_t group_rows = 64;  // rows that stay in one bucket
constexpr std::size_t most_buffer = std::size_t{1} << 20;
constexpr std::size_t least_buffer = 512;
constexpr std::size_t least_bucket = 4096;

// What lies before each piece in the file.
struct PieceHead {
  std::uint32_t edges = 0;
  std::uint32_t weighted = 0;
};

// One direction of an edge on its way to its row; `key` as in row_sort.hpp.
struct UnitArc {
  std::uint32_t row = 0;
  std::uint32_t key = 0;
};
struct WeightedArc {
  UnitArc entry;
  double weight = 1.0;
};

UnitArc entry_of(const WeightedArc& e) { return e.entry; }
UnitArc entry_of(const UnitArc& e) { return e; }
double weight_of(const WeightedArc& e) { return e.weight; }
double weight_of(const UnitArc&) { return 1.0; }

}  // namespace

struct SpillingGraphBuilder::Piece : detail::EdgePiece {
  using EdgePiece::EdgePiece;

  std::span<const Pair> edges() const { return {pairs.data(), size}; }
  std::span<const double> edge_weights() const {
    return {weights.data(), weights.empty() ? 0 : size};
  }
};

SpillingGraphBuilder::SpillingGraphBuilder(const GraphBuilderOptions& options,
                                           std::size_t memory_limit)
    : options_(options) {
  set_limit(memory_limit);
}

void SpillingGraphBuilder::set_limit(std::size_t memory_limit) {
  limit_ = memory_limit == 0 ? std::numeric_limits<std::size_t>::max() : memory_limit;
  piece_edges_ =
      std::clamp(limit_ / 16 / sizeof(Piece::Pair), least_piece, detail::EdgePiece::most_capacity);
}

SpillingGraphBuilder::~SpillingGraphBuilder() = default;
SpillingGraphBuilder::SpillingGraphBuilder(SpillingGraphBuilder&&) noexcept = default;
SpillingGraphBuilder& SpillingGraphBuilder::operator=(SpillingGraphBuilder&&) noexcept = default;

// With room for an edge.
SpillingGraphBuilder::Piece& SpillingGraphBuilder::open_piece() {
  if (!pieces_.empty() && pieces_.back().room() == 0) keep_piece();
  return detail::piece_with_room(pieces_, piece_edges_);
}

void SpillingGraphBuilder::add(VertexId u, VertexId v, double weight) {
  detail::check_weight(u, v, weight);
  open_piece().add(u, v, weight);
}

void SpillingGraphBuilder::add(std::span<const VertexId> ends, std::span<const double> weights) {
  const std::size_t edges = ends.size() / 2;
  for (std::size_t i = 0; i < edges;) {
    Piece& piece = open_piece();
    const std::size_t stop = std::min(edges, i + piece.room());
    for (; i < stop; ++i) {
      const double weight = weights.empty() ? 1.0 : weights[i];
      detail::check_weight(ends[2 * i], ends[2 * i + 1], weight);
      piece.add(ends[2 * i], ends[2 * i + 1], weight);
    }
  }
}

void SpillingGraphBuilder::end() {
  if (!std::exchange(ended_, true) && !pieces_.empty()) keep_piece();
}

// The last piece, which is full or the end.
void SpillingGraphBuilder::keep_piece() {
  Piece& last = pieces_.back();
  weighted_ = weighted_ || !last.weights.empty();
  if (on_disk()) {
    write_piece(last);
    last.size = 0;
    last.weights = {};
    return;
  }
  kept_bytes_ += last.edges().size_bytes() + last.edge_weights().size_bytes();
  if (kept_bytes_ <= limit_ / 4) return;
  spill_ = std::make_unique<SpillFile>();
  for (Piece& piece : pieces_) {
    write_piece(piece);
    piece.release();
  }
  pieces_.clear();
  pieces_.emplace_back(piece_edges_);
}

void SpillingGraphBuilder::write_piece(const Piece& piece) {
  const PieceHead head{static_cast<std::uint32_t>(piece.size), piece.weights.empty() ? 0U : 1U};
  spill_->append(std::span<const PieceHead>(&head, 1));
  spill_->append(piece.edges());
  spill_->append(piece.edge_weights());
  for (const auto& [u, v] : piece.edges()) {
    const auto largest = static_cast<std::size_t>(std::max(u, v));
    if (largest >= degrees_.size()) degrees_.resize(largest + 1 + largest / 8, 0);
    if (u == v) {
      ++counts_.self_loops_dropped;
    } else {
      ++degrees_[static_cast<std::size_t>(u)];
      ++degrees_[static_cast<std::size_t>(v)];
    }
  }
  counts_.edges_given += static_cast<EdgeIndex>(piece.size);
}

// Calls visit(u, v, weight) for each edge in the order of add(). The fraction done goes from `from`
// to `to`.
template <class Visit>
void SpillingGraphBuilder::visit_spilled(const RunContext& run, double from, double to,
                                         Visit&& visit) const {
  std::vector<Piece::Pair> pairs;
  std::vector<double> weights;
  for (std::uint64_t at = 0; at < spill_->size();) {
    run.throw_if_stopped("reading", "before the edges were sorted");
    run.report_progress(
        "sort", from + (to - from) * static_cast<double>(at) / static_cast<double>(spill_->size()));
    PieceHead head;
    spill_->read(at, std::span<PieceHead>(&head, 1));
    at += sizeof head;
    pairs.resize(head.edges);
    weights.resize(head.weighted != 0 ? head.edges : 0);
    spill_->read(at, std::span<Piece::Pair>(pairs));
    at += pairs.size() * sizeof(Piece::Pair);
    spill_->read(at, std::span<double>(weights));
    at += weights.size() * sizeof(double);
    for (std::size_t i = 0; i < pairs.size(); ++i)
      visit(pairs[i].u, pairs[i].v, weights.empty() ? 1.0 : weights[i]);
  }
}

void SpillingGraphBuilder::finish_in_memory(VertexId vertex_count, const RunContext& run,
                                            const Sink& sink) {
  detail::BucketRows rows(
      vertex_count,
      {std::make_move_iterator(pieces_.begin()), std::make_move_iterator(pieces_.end())}, options_,
      run.thread_count());
  pieces_.clear();
  counts_ = rows.counts();
  const Graph graph = rows.finish();
  sink({0, graph.offset_array(), graph.neighbor_array(), graph.weight_array()});
}

// Bucket b has rows [first_row[b], first_row[b + 1]) and entries [first[b], first[b + 1]) of file.
struct SpillingGraphBuilder::Buckets {
  std::vector<std::size_t> first_row;
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> of_group;  // by row / group_rows
  SpillFile file;

  std::size_t count() const { return first_row.size() - 1; }
};

void SpillingGraphBuilder::plan_buckets(VertexId vertex_count, Buckets& buckets) {
  const auto n = static_cast<std::size_t>(vertex_count);
  const std::size_t bytes = weighted_ ? sizeof(WeightedArc) : sizeof(UnitArc);
  const std::uint64_t budget = std::max(limit_ / 4, least_bucket) / bytes;
  degrees_.resize(n, 0);
  buckets.first_row = {0};
  buckets.first = {0};
  std::uint64_t entries = 0;
  for (std::size_t group = 0; group < n; group += group_rows) {
    const std::size_t end = std::min(n, group + group_rows);
    std::uint64_t more = 0;
    for (std::size_t row = group; row < end; ++row)
      more += static_cast<std::uint64_t>(degrees_[row]);
    if (group > buckets.first_row.back() && entries + more - buckets.first.back() > budget) {
      buckets.first_row.push_back(group);
      buckets.first.push_back(entries);
    }
    buckets.of_group.push_back(static_cast<std::uint32_t>(buckets.first_row.size() - 1));
    entries += more;
  }
  buckets.first_row.push_back(n);
  buckets.first.push_back(entries);
  degrees_ = Array<EdgeIndex>();
  buckets.file.require(entries * bytes);
}

void SpillingGraphBuilder::deal(Buckets& buckets, const RunContext& run) const {
  const auto put_all = [&]<class Kind>(Kind) {
    const std::size_t room = std::clamp(limit_ / 4 / buckets.count(), least_buffer, most_buffer);
    const std::size_t most = room / sizeof(Kind);
    std::vector<std::vector<Kind>> buffers(buckets.count());
    std::vector<std::uint64_t> next(buckets.first.begin(), buckets.first.end() - 1);
    const auto flush = [&](std::size_t b) {
      buckets.file.write(next[b] * sizeof(Kind), std::span<const Kind>(buffers[b]));
      next[b] += buffers[b].size();
      buffers[b].clear();
    };
    const auto put = [&](VertexId row, VertexId neighbor, bool reversed, double weight) {
      const std::size_t b = buckets.of_group[static_cast<std::size_t>(row) / group_rows];
      const UnitArc entry{static_cast<std::uint32_t>(row),
                          static_cast<std::uint32_t>(neighbor) << 1U | (reversed ? 1U : 0U)};
      if constexpr (std::is_same_v<Kind, UnitArc>)
        buffers[b].push_back(entry);
      else
        buffers[b].push_back({entry, weight});
      if (buffers[b].size() >= most) flush(b);
    };
    visit_spilled(run, 0.0, 0.5, [&](VertexId u, VertexId v, double weight) {
      if (u == v) return;
      put(u, v, u > v, weight);
      put(v, u, u > v, weight);
    });
    for (std::size_t b = 0; b < buckets.count(); ++b) flush(b);
  };
  if (weighted_)
    put_all(WeightedArc{});
  else
    put_all(UnitArc{});
}

// The rows of one bucket: entries by row, then, merged, in place of them.
struct SpillingGraphBuilder::BucketRows {
  std::size_t first = 0;
  Array<EdgeIndex> offsets;
  Array<std::uint32_t> entries;
  Array<double> weights;    // none if unweighted
  Array<EdgeIndex> merged;  // degrees
  Array<VertexId> neighbors;
  Array<double> merged_weights;
  std::atomic<bool> unit{true};  // all merged weights are 1

  // In the order of the file.
  template <class Kind>
  void sort_by_row(const Array<Kind>& raw, std::size_t rows, bool weighted) {
    offsets.assign(rows + 1, 0);
    for (const Kind& one : raw) ++offsets[entry_of(one).row - first + 1];
    for (std::size_t r = 0; r < rows; ++r) offsets[r + 1] += offsets[r];
    Array<EdgeIndex> next(offsets.begin(), offsets.end() - 1);
    entries.resize(raw.size());
    weights.resize(weighted ? raw.size() : 0);
    for (const Kind& one : raw) {
      const auto at = static_cast<std::size_t>(next[entry_of(one).row - first]++);
      entries[at] = entry_of(one).key;
      if (weighted) weights[at] = weight_of(one);
    }
  }

  // The merged rows moved together; offsets follow.
  void close_gaps() {
    EdgeIndex end = 0;
    for (std::size_t r = 0; r < merged.size(); ++r) {
      const EdgeIndex begin = std::exchange(offsets[r], end);
      const auto move = [&](auto& list) {
        std::copy_n(list.begin() + begin, merged[r], list.begin() + end);
      };
      move(neighbors);
      if (!merged_weights.empty()) move(merged_weights);
      end += merged[r];
    }
    offsets[merged.size()] = end;
    neighbors.resize(static_cast<std::size_t>(end));
    if (!merged_weights.empty()) merged_weights.resize(static_cast<std::size_t>(end));
  }
};

// Equal entries are merged in the order that GraphBuilder::sort_row() gives them, so that both rows
// of an edge get one weight to the bit.
void SpillingGraphBuilder::merge_rows(BucketRows& rows, const RunContext& run) {
  const std::size_t count = rows.offsets.size() - 1;
  rows.merged.assign(count, 0);
  rows.neighbors.resize(rows.entries.size());
  rows.merged_weights.resize(rows.entries.size());
  const bool in_file_order = options_.duplicates == DuplicatePolicy::first;
  struct Tally {
    std::int64_t duplicates = 0, reversed = 0, differ = 0;
    Tally& operator+=(const Tally& other) {
      duplicates += other.duplicates;
      reversed += other.reversed;
      differ += other.differ;
      return *this;
    }
  };
  const auto merge_row = [&](std::size_t r, detail::RowSorter& sorter, Tally& tally) {
    const auto begin = static_cast<std::size_t>(rows.offsets[r]);
    const std::size_t length = static_cast<std::size_t>(rows.offsets[r + 1]) - begin;
    std::uint32_t* const entries = rows.entries.data() + begin;
    double* const weights = weighted_ ? rows.weights.data() + begin : nullptr;
    if (weights != nullptr)
      sorter.sort(entries, weights, length, in_file_order ? 1 : 0);
    else
      sorter.sort(entries, length);
    const auto row = static_cast<VertexId>(rows.first + r);
    std::size_t end = begin;
    for (std::size_t i = 0, next = 0; i < length; i = next) {
      const VertexId u = detail::neighbor_of(entries[i]);
      detail::EdgeGroup group;
      while (next < length && detail::neighbor_of(entries[next]) == u) {
        const std::size_t from = next;
        while (next < length && entries[next] == entries[from]) ++next;
        if (weights != nullptr && !in_file_order) std::sort(weights + from, weights + next);
        for (std::size_t e = from; e < next; ++e)
          group.add(detail::is_reversed(entries[e]), weights != nullptr ? weights[e] : 1.0);
      }
      check_group(group, options_, u, row);
      const double weight = group.weight(options_);
      if (weight != 1.0) rows.unit.store(false, std::memory_order_relaxed);
      rows.neighbors[end] = u;
      rows.merged_weights[end++] = weight;
      if (u > row) continue;  // counted in the other row
      tally.duplicates += group.forward.given + group.backward.given - (group.both() ? 2 : 1);
      tally.reversed += group.both();
      tally.differ += group.opposite_differ(options_.duplicates);
    }
    rows.merged[r] = static_cast<EdgeIndex>(end - begin);
  };
  const Tally found = blocked_sum(static_cast<std::int64_t>(count), run.thread_count(),
                                  [&](std::int64_t begin, std::int64_t end) {
                                    Tally tally;
                                    detail::RowSorter sorter;
                                    for (std::int64_t r = begin; r < end; ++r)
                                      merge_row(static_cast<std::size_t>(r), sorter, tally);
                                    return tally;
                                  });
  counts_.duplicates_merged += found.duplicates;
  counts_.reversed_merged += found.reversed;
  counts_.opposite_differ += found.differ;
}

void SpillingGraphBuilder::finish(VertexId vertex_count, const RunContext& run,
                                  const Sink& sink) && {
  end();
  if (!on_disk()) {
    finish_in_memory(vertex_count, run, sink);
    return;
  }
  GSSL_ASSERT(degrees_.size() <= static_cast<std::size_t>(vertex_count) ||
              std::all_of(degrees_.begin() + vertex_count, degrees_.end(),
                          [](EdgeIndex degree) { return degree == 0; }));
  Buckets buckets;
  plan_buckets(vertex_count, buckets);
  deal(buckets, run);
  spill_.reset();
  for (std::size_t b = 0; b < buckets.count(); ++b) {
    run.throw_if_stopped("reading", "before the edges were sorted");
    run.report_progress("sort",
                        0.5 + 0.5 * static_cast<double>(b) / static_cast<double>(buckets.count()));
    BucketRows rows;
    rows.first = buckets.first_row[b];
    const std::size_t count = buckets.first_row[b + 1] - rows.first;
    const auto load = [&]<class Kind>(Kind) {
      Array<Kind> raw(static_cast<std::size_t>(buckets.first[b + 1] - buckets.first[b]));
      buckets.file.read(buckets.first[b] * sizeof(Kind), std::span<Kind>(raw));
      rows.sort_by_row(raw, count, weighted_);
    };
    if (weighted_)
      load(WeightedArc{});
    else
      load(UnitArc{});
    merge_rows(rows, run);
    rows.close_gaps();
    sink({static_cast<VertexId>(rows.first), rows.offsets, rows.neighbors,
          rows.unit.load() ? std::span<const double>() : rows.merged_weights});
  }
}

}  // namespace gssl
