#pragma once
// Approximate minimum degree: the order in which to remove the vertices of a graph so that the
// factor of its Laplacian stays sparse (Amestoy, Davis and Duff 1996,
// doi:10.1137/S0895479894278952).
//
//   std::optional<std::vector<VertexId>> order = fill_reducing_order(graph, run);
//   if (order) …   // (*order)[0] goes first

#include <optional>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::solve {

// SuiteSparse's, or Eigen's without it; nothing if the run was stopped. Throws
// ErrorCode::out_of_memory.
std::optional<std::vector<VertexId>> fill_reducing_order(const Graph& graph, const RunContext& run);

}  // namespace gssl::solve
