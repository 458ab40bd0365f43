#pragma once
// Prices that make a threshold meet volumes; see threshold_dynamics.hpp. Internal: not installed.

#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/core/types.hpp"

namespace gssl::detail {

// Prices of `classes` for the rows of `value` in `vertices`, so that max over classes of value −
// price gives class classes[i] about volume[i] vertices; Σ volume = number of vertices, each > 0.
// The prices sum to zero. Same bytes at any thread count. Once the run is to stop, the best so far.
// `known`: the prices of values that were much the same, which save two thirds of the time.
std::vector<double> volume_prices(const Block& value, std::span<const VertexId> vertices,
                                  const std::vector<int>& classes,
                                  const std::vector<double>& volume, const RunContext& run,
                                  std::vector<double> known = {});

}  // namespace gssl::detail
