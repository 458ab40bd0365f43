#pragma once
// What every edge must keep to, by whichever way it comes into a builder.

#include <limits>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl::detail {

[[noreturn]] inline void refuse_ends(VertexId u, VertexId v, VertexId vertex_count) {
  throw Error(ErrorCode::bad_data, "edge " + std::to_string(u) + " " + std::to_string(v) +
                                       ": vertex out of range: must be in [0, " +
                                       std::to_string(vertex_count) + ")");
}

// Throws ErrorCode::bad_data unless both ends are in [0, vertex_count).
inline void check_ends(VertexId u, VertexId v, VertexId vertex_count) {
  if (u < 0 || u >= vertex_count || v < 0 || v >= vertex_count) refuse_ends(u, v, vertex_count);
}

// Throws EdgeError unless the weight is finite and > 0.
inline void check_weight(VertexId u, VertexId v, double weight) {
  if (weight > 0.0 && weight <= std::numeric_limits<double>::max()) return;
  throw EdgeError(u, v, "weight " + to_text(weight) + ": must be finite and > 0");
}

}  // namespace gssl::detail
