#pragma once
// Soft labels in the span of a few functions. Internal: not installed.

#include <functional>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/types.hpp"

namespace gssl::detail {

// Writes scores U a of the a (k×K) that minimizes
//   Σ_j energy_j a_j² + Σ_i weight_i (y_i − (U a)_{row_i})²
// for each column y of `targets`, clamped to [0, 1] with rows scaled to sum one. U, n×k, are the
// first columns of `basis`, as many as have an energy; their span holds the constants, at energy 0,
// so that rows sum to about one anyhow. Precondition: at least one row with a weight > 0. Row v goes
// to row places[v] of `scores`, or to v where there are no places; it is 0 before.
// O(rows·k² + k³ + nkK); false, and nothing written, where `stop` is given and true on the way.
bool fit_in_basis(const Block& basis, const std::vector<double>& energy,
                  const std::vector<std::int64_t>& rows, const std::vector<double>& weight,
                  const Block& targets, int threads, Block& scores,
                  const std::vector<VertexId>& places, const std::function<bool()>& stop = {});

}  // namespace gssl::detail
