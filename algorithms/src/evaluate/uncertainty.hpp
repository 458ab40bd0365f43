#pragma once
// How unsure one row of scores is (see active.hpp for the formulas). Internal: not installed.

#include <span>

#include "gssl/evaluate/active.hpp"

namespace gssl::detail {

// For a criterion that uses scores; of model-change the factor ‖e_ŷ − s‖₂.
double uncertainty(Criterion criterion, std::span<const double> scores);

}  // namespace gssl::detail
