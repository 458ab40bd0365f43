#pragma once
// Resistances of pairs from linear solves, with an error that is proven. Internal: not installed.
//
// A solution x of L x = b leaves r = b − Lx. Any flow that carries r through the network spends at
// least rᵀL⁺r, and r is easily carried along a spanning forest: ρ² = Σ (sum of r over the subtree
// below the edge)²/w over its edges. Hence ‖x − L⁺b‖_L ≤ ρ.

#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/network/effective_resistance.hpp"

namespace gssl::detail {

// Adds values, error bounds and the report of the solves to `answer`. Pairs have distinct vertices
// of one component.
void solve_pairs(const Graph& graph, const Components& components,
                 const std::vector<VertexPair>& pairs, double tolerance, const RunContext& run,
                 ResistanceAnswer& answer);

// L⁺_vv of the given vertices.
void solve_diagonal(const Graph& graph, const Components& components,
                    const std::vector<VertexId>& vertices, double tolerance, const RunContext& run,
                    ResistanceAnswer& answer);

// Columns that solve_pairs() would solve.
std::int64_t solve_columns(const std::vector<VertexPair>& pairs);

}  // namespace gssl::detail
