#pragma once
// Resistances by random projection, with an error that holds for all values at once with stated
// probability. Internal: not installed.
//
// For q with independent normal entries, one for each edge, z = L⁺BᵀW^½q makes (zᵀb)² an unbiased
// estimate of bᵀL⁺b, and k of them a χ²_k/k of it (Spielman and Srivastava 2011,
// doi:10.1137/080734029). Only the part of the resistance that short walks do not see (short_walks.
// hpp) is estimated so, and columns are added, 16 at a time, until the tails of χ² put every value
// within ε. Values that would need many more columns than there are such values are solved exactly.

#include <vector>

#include "gssl/graph/components.hpp"
#include "gssl/network/effective_resistance.hpp"

namespace gssl::detail {

// Adds values, error bounds and the report to `answer`. Pairs have distinct vertices of one
// component.
void sketch_pairs(const Graph& graph, const Components& components,
                  const std::vector<VertexPair>& pairs, const ResistanceOptions& options,
                  const RunContext& run, ResistanceAnswer& answer);

// L⁺_vv of every vertex.
void sketch_diagonal(const Graph& graph, const Components& components,
                     const ResistanceOptions& options, const RunContext& run,
                     ResistanceAnswer& answer);

}  // namespace gssl::detail
