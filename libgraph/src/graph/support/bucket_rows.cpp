#include "bucket_rows.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <mutex>
#include <utility>

#include "core/memory/gradual_release.hpp"
#include "edge_checks.hpp"
#include "edge_group.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/graph/trusted_graph.hpp"
#include "row_sort.hpp"

namespace gssl::detail {
namespace {

// Entries of a bucket take a quarter of a cache of 1 MiB; and the ends of all buckets, a line each,
// no more than that.
constexpr std::int64_t bucket_entries = 32'768;
constexpr std::int64_t most_buckets = 1024;
// Where rows have so many entries and no weights, the entries of a bucket are sorted at once.
constexpr std::size_t long_row = 2;

// The arrays of a graph, none of whose pages is touched before its row is written.
struct Arrays {
  HugeArray<EdgeIndex> rows;
  HugeArray<VertexId> neighbors;
  HugeArray<double> weights;
};

template <class T>
HugeArray<T> untouched(EdgeIndex length) {
  return HugeArray<T>(static_cast<std::size_t>(length));
}

// Objects that threads use one after another.
template <class Object>
class SpareObjects {
 public:
  std::unique_ptr<Object> take() {
    const std::scoped_lock lock(mutex_);
    if (spare_.empty()) return std::make_unique<Object>();
    std::unique_ptr<Object> one = std::move(spare_.back());
    spare_.pop_back();
    return one;
  }
  void give(std::unique_ptr<Object> one) {
    const std::scoped_lock lock(mutex_);
    spare_.push_back(std::move(one));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Object>> spare_;
};

}  // namespace

// What merging finds in the rows of one bucket.
struct BucketRows::Merger {
  std::int64_t duplicates = 0;
  std::int64_t reversed = 0;
  std::int64_t differ = 0;
  std::int64_t edges = 0;
  bool heavy = false;  // a weight other than 1

  Merger& operator+=(const Merger& other) {
    duplicates += other.duplicates;
    reversed += other.reversed;
    differ += other.differ;
    edges += other.edges;
    heavy = heavy || other.heavy;
    return *this;
  }
};

// What a thread needs for one bucket and uses again for the next.
struct BucketRows::Scratch {
  std::vector<std::uint64_t> ends;  // of rows
  std::vector<std::uint32_t> keys;
  std::vector<double> weights;
  std::vector<EdgeIndex> cursor;
  RowSorter sorter;
  std::vector<Entry> half_sorted;
  std::vector<std::uint32_t> start;  // of each digit
};

// The weights of merged edges, asked for in their order.
class BucketRows::LowerWeights {
 public:
  LowerWeights(const BucketRows& rows, std::size_t bucket)
      : stored_(rows.lower_weights_.data()), merged_(rows.merged_[bucket]) {}

  double operator()(EdgeIndex at) {
    if (stored_ != nullptr) return stored_[at];
    const bool here = next_ < merged_.size() && merged_[next_].at == at;
    return here ? merged_[next_++].weight : 1.0;
  }

  // Of the edges from `at` to `end`, to `to`, where all are 1.
  void put(EdgeIndex at, EdgeIndex end, double* to) {
    if (stored_ != nullptr) std::copy(stored_ + at, stored_ + end, to);
    for (; next_ < merged_.size() && merged_[next_].at < end; ++next_)
      to[merged_[next_].at - at] = merged_[next_].weight;
  }

 private:
  const double* stored_;
  std::span<const MergedWeight> merged_;
  std::size_t next_ = 0;
};

BucketRows::BucketRows(VertexId n, std::vector<EdgePiece> pieces,
                       const GraphBuilderOptions& options, int threads)
    : n_(n), options_(options), threads_(std::max(threads, 1)) {
  std::int64_t edges = 0;
  for (const EdgePiece& piece : pieces) {
    edges += static_cast<std::int64_t>(piece.size);
    weighted_ = weighted_ || !piece.weights.empty();
  }
  counts_.edges_given = edges;
  choose_buckets(edges);
  deal(pieces);
  merge_all();
}

void BucketRows::choose_buckets(std::int64_t edges) {
  const std::int64_t wanted = std::clamp<std::int64_t>(edges / bucket_entries, 1, most_buckets);
  while (((static_cast<std::int64_t>(n_) - 1) >> shift_) + 1 > wanted) ++shift_;
  buckets_ = n_ == 0 ? 0 : bucket_of(n_ - 1) + 1;
}

VertexId BucketRows::first_row(std::size_t bucket) const {
  return static_cast<VertexId>(bucket << shift_);
}

std::size_t BucketRows::rows_of(std::size_t bucket) const {
  return std::min(std::size_t{1} << shift_,
                  static_cast<std::size_t>(n_) - static_cast<std::size_t>(first_row(bucket)));
}

template <class Body>
void BucketRows::each_bucket(Body&& body) const {
  SpareObjects<Scratch> spare;
  parallel_blocks(
      static_cast<std::int64_t>(buckets_), threads_,
      [&](std::int64_t b, std::int64_t) {
        std::unique_ptr<Scratch> scratch = spare.take();
        body(static_cast<std::size_t>(b), *scratch);
        spare.give(std::move(scratch));
      },
      1);
}

// Every piece knows where in the buckets its edges go, so these stay in the order they came in.
void BucketRows::deal(std::vector<EdgePiece>& pieces) {
  std::vector<EdgeIndex> cursor(pieces.size() * buckets_, 0);
  std::vector<std::int64_t> loops(pieces.size(), 0);
  const auto each_piece = [&](auto&& body) {
    parallel_blocks(
        static_cast<std::int64_t>(pieces.size()), threads_,
        [&](std::int64_t i, std::int64_t) {
          const auto p = static_cast<std::size_t>(i);
          body(p, cursor.data() + p * buckets_, pieces[p]);
        },
        1);
  };
  each_piece([&](std::size_t p, EdgeIndex* count, const EdgePiece& piece) {
    for (std::size_t i = 0; i < piece.size; ++i) {
      const auto [u, v] = piece.pairs[i];
      check_ends(u, v, n_);
      if (!piece.weights.empty()) check_weight(u, v, piece.weights[i]);
      if (u == v)
        ++loops[p];
      else
        ++count[bucket_of(std::max(u, v))];
    }
  });
  begin_.assign(buckets_ + 1, 0);
  EdgeIndex edges = 0;
  for (std::size_t b = 0; b < buckets_; ++b) {
    begin_[b] = edges;
    for (std::size_t p = 0; p < pieces.size(); ++p)
      edges += std::exchange(cursor[p * buckets_ + b], edges);
  }
  begin_[buckets_] = edges;
  for (const std::int64_t count : loops) counts_.self_loops_dropped += count;

  entries_ = untouched<Entry>(edges);
  if (weighted_) weights_ = untouched<double>(edges);
  const auto in_bucket = (std::uint32_t{1} << shift_) - 1;
  each_piece([&](std::size_t, EdgeIndex* to, EdgePiece& piece) {
    for (std::size_t i = 0; i < piece.size; ++i) {
      const auto [u, v] = piece.pairs[i];
      if (u == v) continue;
      const VertexId row = std::max(u, v);
      const auto at = static_cast<std::size_t>(to[bucket_of(row)]++);
      entries_[at] = {static_cast<std::uint32_t>(row) & in_bucket,
                      static_cast<std::uint32_t>(std::min(u, v)) << 1 | (u > v ? 1U : 0U)};
      if (weighted_) weights_[at] = piece.weights.empty() ? 1.0 : piece.weights[i];
    }
    piece.release();
  });
}

void BucketRows::merge_all() {
  lower_ = untouched<VertexId>(begin_.back());
  if (weighted_) lower_weights_ = untouched<double>(begin_.back());
  lower_degree_ = untouched<std::uint32_t>(n_);
  merged_.resize(buckets_);
  upward_.assign(buckets_ * buckets_, 0);
  upward_heavy_.assign(buckets_ * buckets_, 0);
  std::vector<Merger> found(buckets_);
  each_bucket([&](std::size_t b, Scratch& scratch) { found[b] = merge_bucket(b, scratch); });
  Merger all;
  for (const Merger& one : found) all += one;
  counts_.duplicates_merged = all.duplicates;
  counts_.reversed_merged = all.reversed;
  counts_.opposite_differ = all.differ;
  store_weights_ = all.heavy;
}

// By two digits, the lower first: the rows that the entries are put into then are sorted.
void BucketRows::sort_by_key(std::span<Entry> entries, Scratch& scratch) const {
  const int key_bits = std::bit_width(static_cast<std::uint32_t>(n_)) + 1;
  const int digit_bits = (key_bits + 1) / 2;
  const std::uint32_t mask = (std::uint32_t{1} << digit_bits) - 1;
  std::vector<Entry>& half_sorted = scratch.half_sorted;
  std::vector<std::uint32_t>& start = scratch.start;
  half_sorted.resize(entries.size());
  const auto pass = [&](std::span<const Entry> from, std::span<Entry> to, int low) {
    start.assign(std::size_t{mask} + 1, 0);
    for (const Entry& entry : from) ++start[entry.key >> low & mask];
    std::uint32_t before = 0;
    for (std::uint32_t& count : start) before += std::exchange(count, before);
    for (const Entry& entry : from) to[start[entry.key >> low & mask]++] = entry;
  };
  pass(entries, half_sorted, 0);
  pass(half_sorted, entries, digit_bits);
}

// Entry after entry into its row of so many; row r then ends at ends[r]. Returns whether the rows
// are sorted.
bool BucketRows::put_into_rows(std::size_t bucket, std::size_t rows, Scratch& scratch) {
  const EdgeIndex begin = begin_[bucket];
  const std::span<Entry> given(entries_.data() + begin,
                               static_cast<std::size_t>(begin_[bucket + 1] - begin));
  const bool sorted = !weighted_ && given.size() >= long_row * rows;
  if (sorted) sort_by_key(given, scratch);
  scratch.ends.assign(rows + 1, 0);
  scratch.keys.resize(given.size());
  if (weighted_) scratch.weights.resize(given.size());
  std::uint64_t* const ends = scratch.ends.data();
  std::uint32_t* const keys = scratch.keys.data();
  double* const weights = scratch.weights.data();
  const double* const given_weights = weights_.data() + (weighted_ ? begin : 0);
  for (const Entry& entry : given) ++ends[entry.row + 1];
  for (std::size_t r = 0; r < rows; ++r) ends[r + 1] += ends[r];
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::uint64_t at = ends[given[i].row]++;
    keys[at] = given[i].key;
    if (weighted_) weights[at] = given_weights[i];
  }
  return sorted;
}

BucketRows::Merger BucketRows::merge_bucket(std::size_t bucket, Scratch& scratch) {
  const EdgeIndex begin = begin_[bucket];
  const std::size_t rows = rows_of(bucket);
  const bool sorted = put_into_rows(bucket, rows, scratch);
  const std::vector<std::uint64_t>& ends = scratch.ends;
  std::vector<std::uint32_t>& keys = scratch.keys;
  std::vector<double>& weights = scratch.weights;

  Merger found;
  EdgeIndex at = begin;
  VertexId* const lower = lower_.data();
  double* const lower_weights = lower_weights_.data();
  std::uint32_t* const upward = upward_.data() + bucket * buckets_;
  std::uint32_t* const upward_heavy = upward_heavy_.data() + bucket * buckets_;
  const auto put = [&](VertexId u, double weight) {
    lower[at] = u;
    ++upward[bucket_of(u)];
    if (weighted_) lower_weights[at] = weight;
    if (weight != 1.0) {
      found.heavy = true;
      ++upward_heavy[bucket_of(u)];
      if (!weighted_) merged_[bucket].push_back({at, weight});
    }
    ++at;
  };
  const bool in_file_order = options_.duplicates == DuplicatePolicy::first;
  for (std::size_t r = 0, first = 0; r < rows; ++r) {
    const auto end = static_cast<std::size_t>(ends[r]);
    const auto row = static_cast<VertexId>(first_row(bucket) + static_cast<VertexId>(r));
    const EdgeIndex row_begin = at;
    const std::span<std::uint32_t> entries(keys.data() + first, end - first);
    double* const row_weights = weighted_ ? weights.data() + first : nullptr;
    if (!sorted) sort_entries(entries, row_weights, in_file_order, scratch.sorter);
    visit_groups(entries, row_weights, put, [&](VertexId u, const EdgeGroup& group) {
      check_group(group, options_, u, row);
      found.duplicates += group.merged();
      found.reversed += group.both();
      found.differ += group.opposite_differ(options_.duplicates);
      put(u, group.weight(options_));
    });
    lower_degree_[static_cast<std::size_t>(row)] = static_cast<std::uint32_t>(at - row_begin);
    first = end;
  }
  found.edges = at - begin;
  return found;
}

// Where what goes from bucket b to c begins, at b * buckets_ + c; `begin` of each c, and one past.
std::vector<EdgeIndex> BucketRows::upward_cursors(const std::vector<std::uint32_t>& counts,
                                                  std::vector<EdgeIndex>& begin) const {
  std::vector<EdgeIndex> cursor(buckets_ * buckets_);
  begin.assign(buckets_ + 1, 0);
  EdgeIndex edges = 0;
  for (std::size_t c = 0; c < buckets_; ++c) {
    begin[c] = edges;
    for (std::size_t b = 0; b < buckets_; ++b) {
      cursor[b * buckets_ + c] = edges;
      edges += counts[b * buckets_ + c];
    }
  }
  begin[buckets_] = edges;
  return cursor;
}

// Every merged edge to the bucket of its smaller end, where they stand by their larger ends. They
// take the place of the edges given, and so do weights other than 1.
void BucketRows::deal_upward() {
  std::vector<EdgeIndex> cursor = upward_cursors(upward_, upward_begin_);
  std::vector<EdgeIndex> heavy_cursor = upward_cursors(upward_heavy_, heavy_begin_);
  if (store_weights_ && weights_.empty()) weights_ = untouched<double>(heavy_begin_.back());
  const auto in_bucket = (std::uint32_t{1} << shift_) - 1;
  each_bucket([&](std::size_t b, Scratch&) {
    LowerWeights weights(*this, b);
    EdgeIndex* const to = cursor.data() + b * buckets_;
    EdgeIndex* const heavy_to = heavy_cursor.data() + b * buckets_;
    EdgeIndex from = begin_[b];
    const auto first = static_cast<std::size_t>(first_row(b));
    for (std::size_t v = first; v < first + rows_of(b); ++v) {
      for (const EdgeIndex end = from + lower_degree_[v]; from < end; ++from) {
        const VertexId u = lower_[static_cast<std::size_t>(from)];
        Entry entry{static_cast<std::uint32_t>(u) & in_bucket, static_cast<std::uint32_t>(v)};
        const double weight = store_weights_ ? weights(from) : 1.0;
        if (weight != 1.0) {
          entry.row |= heavy;
          weights_[static_cast<std::size_t>(heavy_to[bucket_of(u)]++)] = weight;
        }
        entries_[static_cast<std::size_t>(to[bucket_of(u)]++)] = entry;
      }
    }
  });
}

void BucketRows::count_rows() {
  rows_ = untouched<EdgeIndex>(EdgeIndex{n_} + 1);
  rows_[0] = 0;
  each_bucket([&](std::size_t b, Scratch&) {
    EdgeIndex* const degree = rows_.data() + 1 + first_row(b);
    for (std::size_t r = 0; r < rows_of(b); ++r)
      degree[r] = lower_degree_[static_cast<std::size_t>(first_row(b)) + r];
    const Entry* const upward = entries_.data();
    for (EdgeIndex e = upward_begin_[b]; e < upward_begin_[b + 1]; ++e)
      ++degree[upward[e].row & ~heavy];
  });
  for (std::size_t v = 0; v < static_cast<std::size_t>(n_); ++v) rows_[v + 1] += rows_[v];
}

// Lower neighbors as they stand, and the upper ones after them as they come.
void BucketRows::fill_bucket(std::size_t bucket, VertexId* neighbors, double* weights,
                             Scratch& scratch) {
  const auto first = static_cast<std::size_t>(first_row(bucket));
  std::vector<EdgeIndex>& cursor = scratch.cursor;
  cursor.resize(rows_of(bucket));
  if (weights != nullptr)
    std::fill(weights + rows_[first], weights + rows_[first + cursor.size()], 1.0);
  LowerWeights lower_weights(*this, bucket);
  const VertexId* const lower = lower_.data();
  EdgeIndex from = begin_[bucket];
  for (std::size_t r = 0; r < cursor.size(); ++r) {
    const EdgeIndex to = rows_[first + r];
    const EdgeIndex end = from + lower_degree_[first + r];
    std::copy(lower + from, lower + end, neighbors + to);
    if (weights != nullptr) lower_weights.put(from, end, weights + to);
    cursor[r] = to + (end - from);
    from = end;
  }
  const Entry* const upward = entries_.data();
  const double* heavy_weight = weights_.data() + heavy_begin_[bucket];
  for (EdgeIndex e = upward_begin_[bucket]; e < upward_begin_[bucket + 1]; ++e) {
    const EdgeIndex to = cursor[upward[e].row & ~heavy]++;
    neighbors[to] = static_cast<VertexId>(upward[e].key);
    if ((upward[e].row & heavy) != 0) weights[to] = *heavy_weight++;
  }
}

Graph BucketRows::finish() {
  deal_upward();
  count_rows();
  const EdgeIndex arcs = rows_[static_cast<std::size_t>(n_)];
  auto arrays = std::make_shared<Arrays>();
  arrays->neighbors = untouched<VertexId>(arcs);
  if (store_weights_) arrays->weights = untouched<double>(arcs);
  GradualRelease lower(lower_, begin_), lower_weights(lower_weights_, begin_);
  GradualRelease upper(entries_, upward_begin_), upper_weights(weights_, heavy_begin_);
  each_bucket([&](std::size_t b, Scratch& scratch) {
    fill_bucket(b, arrays->neighbors.data(), arrays->weights.data(), scratch);
    for (GradualRelease* array : {&lower, &lower_weights, &upper, &upper_weights})
      array->used_up(b);
  });
  arrays->rows = std::move(rows_);
  const std::span<const EdgeIndex> rows(arrays->rows.data(), static_cast<std::size_t>(n_) + 1);
  const std::span<const VertexId> neighbors(arrays->neighbors.data(),
                                            static_cast<std::size_t>(arcs));
  const std::span<const double> weights(arrays->weights.data(),
                                        store_weights_ ? static_cast<std::size_t>(arcs) : 0);
  return TrustedGraph::make(std::move(arrays), rows, neighbors, weights);
}

}  // namespace gssl::detail
