#pragma once
// From edges in any order to the rows of a graph, on all threads, without an access to memory that
// waits: edges are dealt to buckets of consecutive rows, so small that the rows of one stay in the
// cache while they are made.
//
//   BucketRows rows(n, std::move(pieces), options, threads);   // throws as GraphBuilder::finish()
//   Graph graph = rows.finish();
//   rows.counts();
//
// First an edge stands in the row of its larger end alone; there repetitions are merged. Then it is
// dealt to its smaller end, bucket by bucket, so that these rows come out in order. Nothing depends
// on the number of threads. O(n + m log d) time for m edges of degree ≤ d; beside the graph, 12
// bytes of each edge given at the most, 28 if weighted, and 4 of each vertex.

#include <cstdint>
#include <span>
#include <vector>

#include "edge_piece.hpp"
#include "gssl/core/huge_array.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl::detail {

class BucketRows {
 public:
  // Throws ErrorCode::bad_data on a vertex outside of [0, n), EdgeError on a weight that is not
  // finite and > 0 and on what the options do not allow.
  BucketRows(VertexId n, std::vector<EdgePiece> pieces, const GraphBuilderOptions& options,
             int threads);

  // To be called once.
  Graph finish();

  const GraphBuilderCounts& counts() const { return counts_; }

 private:
  struct Entry {
    std::uint32_t row;  // within its bucket; dealt upward, with the mark `heavy`
    std::uint32_t key;  // its neighbor; before merging as RowSorter has it, with the direction
  };
  static constexpr std::uint32_t heavy = std::uint32_t{1} << 31;  // its weight is not 1
  // A weight that came of merging, where the edges given have none.
  struct MergedWeight {
    EdgeIndex at;
    double weight;
  };
  struct Merger;
  struct Scratch;
  class LowerWeights;

  void choose_buckets(std::int64_t edges);
  void deal(std::vector<EdgePiece>& pieces);
  void sort_by_key(std::span<Entry> entries, Scratch& scratch) const;
  bool put_into_rows(std::size_t bucket, std::size_t rows, Scratch& scratch);
  Merger merge_bucket(std::size_t bucket, Scratch& scratch);
  void merge_all();
  std::vector<EdgeIndex> upward_cursors(const std::vector<std::uint32_t>& counts,
                                        std::vector<EdgeIndex>& begin) const;
  void deal_upward();
  void count_rows();
  void fill_bucket(std::size_t bucket, VertexId* neighbors, double* weights, Scratch& scratch);

  VertexId first_row(std::size_t bucket) const;
  std::size_t rows_of(std::size_t bucket) const;
  std::size_t bucket_of(VertexId v) const { return static_cast<std::size_t>(v) >> shift_; }
  template <class Body>
  void each_bucket(Body&& body) const;

  VertexId n_;
  GraphBuilderOptions options_;
  int threads_;
  GraphBuilderCounts counts_;
  bool weighted_ = false;       // the edges given
  bool store_weights_ = false;  // the graph's
  int shift_ = 0;               // a bucket has 2^shift_ rows
  std::size_t buckets_ = 0;
  std::vector<EdgeIndex> begin_;  // of each bucket in entries_, and one past
  HugeArray<Entry> entries_;
  HugeArray<double> weights_;  // of entries_

  // After merging: bucket b has its rows of lower neighbors one after another from begin_[b] on.
  HugeArray<VertexId> lower_;
  HugeArray<double> lower_weights_;
  std::vector<std::vector<MergedWeight>> merged_;  // of each bucket, where lower_weights_ has none
  HugeArray<std::uint32_t> lower_degree_;
  std::vector<std::uint32_t> upward_;        // edges from bucket b to c, at b * buckets_ + c
  std::vector<std::uint32_t> upward_heavy_;  // those whose weight is not 1
  std::vector<EdgeIndex> upward_begin_;  // of each bucket in entries_, dealt upward, and one past
  std::vector<EdgeIndex> heavy_begin_;   // the same in weights_
  HugeArray<EdgeIndex> rows_;
};

}  // namespace gssl::detail
