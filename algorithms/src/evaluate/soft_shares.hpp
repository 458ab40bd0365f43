#pragma once
// What calibration makes of scores before it looks at them. Internal: not installed.

#include <span>

#include "gssl/core/block.hpp"

namespace gssl::detail {

// No score is below 0.
bool are_shares(std::span<const double> scores);

// Shares of a row that none of is less than a hundredth or so; scores that are none stay. A label
// that is left out of a small component may find a wrong class there with certainty: one such surprise
// would otherwise count more than all other labels together.
Block softened(Block scores);

}  // namespace gssl::detail
