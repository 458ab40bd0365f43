#pragma once
// A vertex that a caller names, where it is used as an index.

#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/types.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

// Throws ErrorCode::bad_data unless `graph` has it.
inline void check_vertex(const Graph& graph, VertexId v) {
  if (v < 0 || v >= graph.vertex_count())
    throw Error(ErrorCode::bad_data, "vertex " + std::to_string(v) + ": must be in 0 … " +
                                         std::to_string(graph.vertex_count() - 1));
}

}  // namespace gssl::detail
