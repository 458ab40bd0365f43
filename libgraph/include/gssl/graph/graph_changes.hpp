#pragma once
// A graph with some edges added, removed or of another weight, and vertices added at the end.
//
//   std::vector<gssl::EdgeChange> changes = {{0, 7, 2.5}, {3, 4, 0.0}};   // set 0–7, remove 3–4
//   gssl::Graph after = gssl::with_changes(before, before.vertex_count(), changes);
//
// Rows without a change are copied as they are; rows with some are merged with them: O(n + m +
// changes·log changes) time, and the memory of the new graph.

#include <span>

#include "gssl/graph/graph.hpp"

namespace gssl {

// The weight that {u, v} has afterwards; 0: there is no such edge, whether or not there was one.
struct EdgeChange {
  VertexId u = 0;
  VertexId v = 0;
  double weight = 1.0;
};

// Throws ErrorCode::bad_data on a vertex that is not there, u = v, a weight that is not finite and
// ≥ 0, or an edge that is changed twice; ErrorCode::usage if vertex_count is less than the graph's.
Graph with_changes(const Graph& graph, VertexId vertex_count, std::span<const EdgeChange> changes);

}  // namespace gssl
