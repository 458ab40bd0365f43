#pragma once
// The nearest memberships with given class sizes. Internal: not installed.

#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/core/types.hpp"

namespace gssl::detail {

// Replaces row r of `z`, for the r in `rows`, by the memberships (≥ 0, sum 1, 0 outside `classes`)
// that minimize Σ_r weight[r]/2 ‖z_r − before‖² with Σ_r z(r, classes[i]) = size[i]; Σ size =
// number of rows. With an empty `size` the sums are free, and each row is projected by itself.
//
// Row r is the projection of before − price/weight[r] on the simplex; the prices minimize a convex
// function whose gradient is size − sums, by Newton's method from the `price` that comes in, one
// for each of `classes`. O(K log K) for each row and step; few steps from a price close by. Same
// bytes at any thread count. Once the run is to stop, at the best prices so far.
void project_to_volumes(Block& z, std::span<const VertexId> rows, const std::vector<double>& weight,
                        const std::vector<int>& classes, const std::vector<double>& size,
                        std::vector<double>& price, const RunContext& run);

}  // namespace gssl::detail
