#pragma once
// Scores of learners that measure a distance to each class. Internal: not installed.

#include <span>

namespace gssl::detail {

// Distances to the classes become scores: d_k → (1/d_k) / Σ 1/d_j. A row of infinities, which no
// class reaches, stays for finish_fit to clear.
void inverse_distance_shares(std::span<double> row);

}  // namespace gssl::detail
