#pragma once
// What learners of actions share: checks of losses in [0, 1], and a draw by weights. Internal: not
// installed.

#include <span>

#include "gssl/core/rng.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::detail {

// setting.width; throws ErrorCode::usage unless it is at least 1.
std::size_t action_count(const char* learner, const OnlineSetting& setting);

// Throws ErrorCode::bad_data unless there are `count` losses in [0, 1].
void check_losses(const char* learner, std::span<const double> losses, std::size_t count);
void check_loss(const char* learner, double loss);

// An index by weights of sum 1, from one uniform number.
std::size_t draw(std::span<const double> weights, Rng rng);

// w ← the point of the simplex {w ≥ 0, Σ w = 1} that is nearest. Exact but for rounding,
// O(n log n).
void project_on_simplex(std::span<double> weights);

}  // namespace gssl::detail
