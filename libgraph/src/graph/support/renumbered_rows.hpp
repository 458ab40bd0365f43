#pragma once
// Rows of a graph under new numbers. Internal: not installed.

#include <span>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl::detail {

// The rows of `vertices`, in this order, with the neighbors that have a number (not no_vertex),
// which must rise with the vertex: rows stay sorted. O(1) for each vertex and each edge of theirs.
Graph renumbered_rows(const Graph& graph, std::span<const VertexId> vertices,
                      const std::vector<VertexId>& number);

}  // namespace gssl::detail
