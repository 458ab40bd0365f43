#pragma once
// From a stream of edges to a Graph. Edges may come in any order and in either or both directions.
//
//   gssl::GraphBuilder builder(n, {.duplicates = gssl::DuplicatePolicy::sum});
//   for (auto [u, v, w] : edges) builder.add(u, v, w);
//   gssl::Graph graph = std::move(builder).finish(threads);
//
// add() keeps 8 bytes an edge, 16 if weighted, until finish(). Who can walk the edges twice may
// keep none: the first walk counts, the second places.
//
//   for (auto [u, v, w] : edges) builder.count(u, v);
//   builder.begin_placing(weighted);
//   for (auto [u, v, w] : edges) builder.place(u, v, w);
//
// These two walks may run on several threads at once (count_shared, place_shared); the result is
// the same except under DuplicatePolicy::first, which needs one thread and file order. A self-loop
// is counted and otherwise ignored. O(n + m log max-degree) time. While the graph is finished, each
// edge given, repetitions included, takes another 4 bytes, 12 if weighted.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"
#include "gssl/core/named.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

namespace detail {
class RowSorter;
}

// What to make of an edge that is given more than once. Under `sum` the pairs (u,v) and (v,u) are
// told apart: a graph listed with both directions of every edge counts each edge once. Precisely:
// let f be the sum of the weights given as (u,v) and b of those given as (v,u), u < v; the edge
// gets f when b is absent, b when f is absent, and max(f, b) when both are there. `max` and `first`
// look at all weights of the pair, whichever way it was given. `error` allows both directions of an
// edge when their weights are equal, and nothing else.
enum class DuplicatePolicy { sum, max, first, error };
template <>
inline constexpr auto names_of<DuplicatePolicy> =
    enum_names<DuplicatePolicy>("duplicate policy", {"sum", "max", "first", "error"});

// What to make of an edge that is given in both directions, u v and v u, as the arcs of a directed
// graph are. Each direction is first one weight by the DuplicatePolicy (by `error`: the only one);
// `automatic` is what DuplicatePolicy says, `mean` is half of the sum, and `error` refuses two that
// differ. An edge given in one direction alone keeps its weight.
enum class OppositeArcs { automatic, sum, max, mean, error };
template <>
inline constexpr auto names_of<OppositeArcs> = enum_names<OppositeArcs>("policy of opposite arcs",
                                                                        {"automatic", "sum", "max",
                                                                         "mean", "error"});

struct GraphBuilderOptions {
  DuplicatePolicy duplicates = DuplicatePolicy::sum;
  OppositeArcs opposite = OppositeArcs::automatic;
};

// What finish() throws of an edge, so that who knows names or lines can say them:
// ErrorCode::bad_data, "edge U V: RULE" by numbers.
class EdgeError : public Error {
 public:
  EdgeError(VertexId u, VertexId v, const std::string& rule);
  VertexId u() const { return u_; }  // < v()
  VertexId v() const { return v_; }
  const std::string& rule() const { return rule_; }

 private:
  VertexId u_;
  VertexId v_;
  std::string rule_;
};

struct GraphBuilderCounts {
  std::int64_t edges_given = 0;  // self-loops included
  std::int64_t self_loops_dropped = 0;
  std::int64_t duplicates_merged = 0;  // same pair, same direction, given again
  std::int64_t reversed_merged = 0;    // edges given in both directions
  std::int64_t opposite_differ = 0;    // of these, where each direction has a weight of its own
};

class GraphBuilder {
 public:
  // Throws ErrorCode::usage if vertex_count < 0.
  explicit GraphBuilder(VertexId vertex_count, GraphBuilderOptions options = {});
  ~GraphBuilder();
  GraphBuilder(GraphBuilder&&) noexcept;
  GraphBuilder& operator=(GraphBuilder&&) noexcept;

  // Raises the number of vertices, before begin_placing() or finish(), for callers that find them
  // on the way. Not to be called while other threads count. Amortized O(1) per vertex. Throws
  // ErrorCode::usage if vertex_count is less than it was.
  void grow(VertexId vertex_count);

  // The only walk of those who do not count and place. The weight must be finite and > 0, and 0 ≤
  // u, v < vertex_count by the time of finish(), which throws ErrorCode::bad_data naming the edge.
  void add(VertexId u, VertexId v, double weight = 1.0);
  // The same of many: edge i is (ends[2i], ends[2i + 1]). No weights: all 1.
  void add(std::span<const VertexId> ends, std::span<const double> weights = {});

  // First walk. Throws ErrorCode::bad_data naming the edge unless 0 ≤ u, v < vertex_count.
  void count(VertexId u, VertexId v);
  void count_shared(VertexId u, VertexId v);  // atomic; for several threads

  // Between the walks. `weighted` false: place() ignores weights and none are stored.
  void begin_placing(bool weighted);

  // Second walk: the same edges again. Throws ErrorCode::bad_data naming an edge whose weight is
  // not finite and > 0, or whose vertices are not in the graph.
  void place(VertexId u, VertexId v, double weight = 1.0);
  void place_shared(VertexId u, VertexId v, double weight = 1.0);

  // Places what add() kept, sorts rows, merges duplicates, drops weights that are all 1. Throws
  // EdgeError on a weight that add() was not to be given, under DuplicatePolicy::error and
  // OppositeArcs::error and when a merged weight overflows, and ErrorCode::bad_data when the second
  // walk did not bring the edges of the first.
  Graph finish(int threads = 1) &&;

  // Valid after finish().
  const GraphBuilderCounts& counts() const { return counts_; }

 private:
  struct Tally;
  struct Piece;
  template <bool shared>
  void put(VertexId u, VertexId v, double weight);
  Graph finish_pieces(int threads);
  void check_promise(int threads) const;
  void sort_row(EdgeIndex begin, EdgeIndex end, detail::RowSorter& sorter);
  template <class Once, class Visit>
  void visit_groups(EdgeIndex begin, EdgeIndex end, Once&& once, Visit&& visit) const;
  bool needs_merging(EdgeIndex begin, EdgeIndex end) const;
  Tally tally_row(EdgeIndex begin, EdgeIndex end) const;
  Graph both_ways(EdgeIndex edges, bool store_weights);

  VertexId vertex_count_ = 0;
  GraphBuilderOptions options_;
  bool weighted_ = false;
  GraphBuilderCounts counts_;
  std::uint64_t promised_ = 0;  // sum over the edges counted, to notice other edges placed
  std::vector<Piece> pieces_;   // what add() keeps
  // Until they are merged, edges stand in the row of their larger end alone, which halves the work
  // of placing and sorting. Row v is counted at v + 2, starts at v + 1 when placing begins, and has
  // moved that start to its end, where row v + 1 starts, when placing is over: no second array of
  // cursors.
  std::vector<EdgeIndex> offsets_;
  // Smaller end << 1 | 1 if the edge was given as (larger, smaller): entries sort by neighbor and
  // then by direction.
  std::vector<std::uint32_t> entries_;
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
