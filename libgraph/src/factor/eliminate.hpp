#pragma once
// Removes the vertices of a network supernode by supernode, and hands each finished block on. What
// is left between the rows below a supernode waits on a stack until its parent takes it.
//
//   factor_network(graph, structure, run, [&](VertexId k, const double* panel, const double* r)
//   {
//     …                     // p of supernode k by columns of stride, and 1/d of its columns
//   });

#include <functional>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "structure.hpp"

namespace gssl::solve {

// Power of two that brings the largest weight to about 1, so that no sum of weights overflows.
int weight_exponent(const Graph& graph);

// Weights are scaled by 2^−weight_exponent. `store` is called once for each supernode, for several
// at a time. False if the run was stopped or a vertex lost all its conductance.
bool factor_network(
    const Graph& graph, const NetworkStructure& s, const RunContext& run,
    const std::function<void(VertexId k, const double* panel, const double* resistance)>& store);

}  // namespace gssl::solve
