#pragma once
// Resistances by random projection, with an error that holds for all values at once with stated
// probability. Internal: not installed.
//
// Only the part of a value that short walks do not see (short_walks.hpp) is projected at random
// (projections.hpp; Spielman and Srivastava 2011, doi:10.1137/080734029). Columns are added, 16 at
// a time, until the tails of χ² put every value within ε. Values of which too much is left by the
// walks get a part of their own (relaxation.hpp), and its remainder is measured by the same
// columns: what it is depends on the graph alone, so a union bound over all estimates of all values
// holds. Values that would need many more columns than there are such values are solved exactly.

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
