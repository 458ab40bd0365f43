#pragma once
// From a stream of edges to a Graph in two passes, without keeping the edges.
//
// The caller walks its edges twice: the first walk counts, the second places. Nothing is stored but
// the rows themselves, so the peak is the finished graph plus what duplicates and self-loops need.
// Edges may come in any order and in either or both directions.
//
//   gssl::GraphBuilder builder(n, {.duplicates = gssl::DuplicatePolicy::sum});
//   for (auto [u, v, w] : edges) builder.count(u, v);
//   builder.begin_placing(weighted);
//   for (auto [u, v, w] : edges) builder.place(u, v, w);
//   gssl::Graph graph = std::move(builder).finish(threads);
//
// Both walks may run on several threads at once (count_shared, place_shared); the result is the
// same except under DuplicatePolicy::first, which needs one thread and file order. A self-loop is
// counted and otherwise ignored by both walks. O(n + m log max-degree) time.

#include <cstdint>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

// What to make of an edge that is given more than once. Under `sum` the pairs (u,v) and (v,u) are
// told apart: a graph listed with both directions of every edge counts each edge once. Precisely:
// let f be the sum of the weights given as (u,v) and b of those given as (v,u), u < v; the edge
// gets f when b is absent, b when f is absent, and max(f, b) when both are there. `max` and `first`
// look at all weights of the pair, whichever way it was given. `error` allows both directions of an
// edge when their weights are equal, and nothing else.
enum class DuplicatePolicy { sum, max, first, error };

struct GraphBuilderOptions {
  DuplicatePolicy duplicates = DuplicatePolicy::sum;
};

struct GraphBuilderCounts {
  std::int64_t edges_given = 0;  // calls of place(), self-loops included
  std::int64_t self_loops_dropped = 0;
  std::int64_t duplicates_merged = 0;  // same pair, same direction, given again
  std::int64_t reversed_merged = 0;    // edges given in both directions
};

class GraphBuilder {
 public:
  // Throws ErrorCode::usage if vertex_count < 0.
  explicit GraphBuilder(VertexId vertex_count, GraphBuilderOptions options = {});

  // Raises the number of vertices during the first walk, for callers that find them on the way. Not
  // to be called while other threads count. Amortized O(1) per vertex. Throws ErrorCode::usage if
  // vertex_count is less than it was.
  void grow(VertexId vertex_count);

  // First walk. Precondition: 0 ≤ u, v < vertex_count (checked by GSSL_ASSERT).
  void count(VertexId u, VertexId v);
  void count_shared(VertexId u, VertexId v);  // atomic; for several threads

  // Between the walks. `weighted` false: place() ignores weights and none are stored.
  void begin_placing(bool weighted);

  // Second walk: the same edges again. Precondition: weight finite and > 0.
  void place(VertexId u, VertexId v, double weight = 1.0);
  void place_shared(VertexId u, VertexId v, double weight = 1.0);

  // Sorts rows, merges duplicates, drops weights that are all 1. Throws ErrorCode::bad_data under
  // DuplicatePolicy::error (message names the two vertex ids), when a merged weight overflows, and
  // when the second walk did not bring the edges of the first.
  Graph finish(int threads = 1) &&;

  // Valid after finish().
  const GraphBuilderCounts& counts() const { return counts_; }

 private:
  struct Tally;
  void sort_row(EdgeIndex begin, EdgeIndex end);
  Tally tally_row(EdgeIndex begin, EdgeIndex end) const;
  void merge_rows(bool store_weights);
  template <bool shared>
  void put(VertexId row, VertexId neighbor, bool reversed, double weight);

  VertexId vertex_count_ = 0;
  GraphBuilderOptions options_;
  bool weighted_ = false;
  GraphBuilderCounts counts_;
  std::uint64_t fingerprint_ = 0;  // of the rows that the first walk promised
  // Row v is counted at v + 2, starts at v + 1 when placing begins, and has moved that start to its
  // end, where row v + 1 starts, when placing is over: no second array of cursors.
  std::vector<EdgeIndex> offsets_;
  // Neighbor rotated left by one bit, so that entries sort by neighbor and then by direction; the
  // bit that comes in is 1 when the edge was given as (larger, smaller).
  std::vector<VertexId> neighbors_;
  std::vector<double> weights_;
};

// A graph from a list in memory; a convenience over GraphBuilder for tests, generators and small
// inputs. Throws ErrorCode::bad_data on a vertex out of range or a weight that is not finite and >
// 0.
struct Edge {
  VertexId u = 0;
  VertexId v = 0;
  double weight = 1.0;
};
Graph graph_from_edges(VertexId vertex_count, const std::vector<Edge>& edges,
                       GraphBuilderOptions options = {});

}  // namespace gssl
