#pragma once
// A graph in a good order, cut into ranges of consecutive vertices so that few have a neighbor in
// another range. What is done to the others of one range touches that range alone: ranges can be
// worked on at the same time. The cut follows from the graph, never from the number of threads.
//
//   const LocalityRanges ranges(graph);
//   for (std::size_t r = 0; r < ranges.count(); ++r)
//     for (VertexId v = ranges.begin(r); v < ranges.end(r); ++v)
//       if (!ranges.on_border(graph, v, r)) …
//
// O(n) time.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl::solve {

class LocalityRanges {
 public:
  // Of about as many rows and entries each, `least_ranges` or as many as let each stay in a cache,
  // and fewer where too many vertices would lie on a border: one for a small graph.
  explicit LocalityRanges(const Graph& graph);

  std::size_t count() const { return start_.size() - 1; }
  VertexId begin(std::size_t range) const { return start_[range]; }
  VertexId end(std::size_t range) const { return start_[range + 1]; }

  // Of its rows.
  EdgeIndex entries(const Graph& graph, std::size_t range) const {
    return begin(range) == end(range)
               ? 0
               : graph.row_end(end(range) - 1) - graph.row_begin(begin(range));
  }

  // Whether v, of this range, has a neighbor in another one.
  bool on_border(const Graph& graph, VertexId v, std::size_t range) const {
    const auto neighbors = graph.neighbors(v);
    return !neighbors.empty() &&
           (neighbors.front() < begin(range) || neighbors.back() >= end(range));
  }

 private:
  static constexpr std::int64_t least_ranges = 8;

  bool cut(const Graph& graph, std::int64_t ranges);

  std::vector<VertexId> start_;
};

}  // namespace gssl::solve
