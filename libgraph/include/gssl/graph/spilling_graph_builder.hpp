#pragma once
// From a stream of edges to the rows of a graph, in bounded memory: as GraphBuilder, whose rows
// these are to the byte, but what does not fit is sorted on disk.
//
//   gssl::SpillingGraphBuilder builder({}, memory_limit);
//   for (auto [u, v, w] : edges) builder.add(u, v, w);
//   builder.finish(n, run, [&](const gssl::RowBlock& rows) { file.append(rows.neighbors); });
//
// Edges are kept in memory until they take a quarter of the limit. Then they go to a temporary
// file (core/spill_file.hpp; 8 bytes an edge, 16 if weighted), and finish() deals both directions
// of each out to buckets of rows in a second one (16 bytes an edge, 32 if weighted), so that one
// bucket fits a quarter of the limit; buckets are sorted and merged one by one. Beside the limit:
// 12 bytes a vertex, and a bucket holds 64 rows at least, however long they are. Each edge is
// written twice and read twice.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/core/spill_file.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl {

// Some rows of a graph: row first + r is neighbors[offsets[r] … offsets[r + 1]).
struct RowBlock {
  VertexId first = 0;
  std::span<const EdgeIndex> offsets;  // from 0
  std::span<const VertexId> neighbors;
  std::span<const double> weights;  // empty if all are 1
};

class SpillingGraphBuilder {
 public:
  using Sink = std::function<void(const RowBlock&)>;

  // A limit of 0 is none.
  SpillingGraphBuilder(const GraphBuilderOptions& options, std::size_t memory_limit);

  ~SpillingGraphBuilder();
  SpillingGraphBuilder(SpillingGraphBuilder&&) noexcept;
  SpillingGraphBuilder& operator=(SpillingGraphBuilder&&) noexcept;

  // Precondition: u, v >= 0. Throws EdgeError unless the weight is finite and > 0.
  void add(VertexId u, VertexId v, double weight = 1.0);
  // The same of many: edge i is (ends[2i], ends[2i + 1]). No weights: all 1.
  void add(std::span<const VertexId> ends, std::span<const double> weights = {});

  // A limit for what is held from now on, where something else takes memory, too.
  void set_limit(std::size_t memory_limit);

  // No more edges come: from now on it is known whether they are on disk. finish() calls it, too.
  void end();
  bool on_disk() const { return spill_ != nullptr; }

  // Calls `sink` with all rows in order. Throws as GraphBuilder::finish(), SpillFile, and
  // ErrorCode::cancelled and ErrorCode::time_limit.
  void finish(VertexId vertex_count, const RunContext& run, const Sink& sink) &&;

  // Valid after finish().
  const GraphBuilderCounts& counts() const { return counts_; }

 private:
  struct Piece;
  struct Buckets;
  struct BucketRows;

  Piece& open_piece();
  void keep_piece();
  void write_piece(const Piece& piece);
  template <class Visit>
  void visit_spilled(const RunContext& run, double from, double to, Visit&& visit) const;
  void finish_in_memory(VertexId vertex_count, const RunContext& run, const Sink& sink);
  void plan_buckets(VertexId vertex_count, Buckets& buckets);
  void deal(Buckets& buckets, const RunContext& run) const;
  void merge_rows(BucketRows& rows, const RunContext& run);

  GraphBuilderOptions options_;
  std::size_t limit_ = 0;
  std::size_t piece_edges_ = 0;
  GraphBuilderCounts counts_;
  bool weighted_ = false;
  std::vector<Piece> pieces_;  // the last is open
  std::size_t kept_bytes_ = 0;
  bool ended_ = false;
  std::unique_ptr<SpillFile> spill_;
  template <class Value>
  using Array = std::vector<Value, HugeAllocator<Value>>;  // gone from memory as soon as freed
  Array<EdgeIndex> degrees_;  // of what is in spill_, repetitions included
};

}  // namespace gssl
