#pragma once
// The largest of many values ≥ 0, taken in parallel. Internal: not installed.

#include <algorithm>

namespace gssl::detail {

// Folds with max inside blocked_sum; the maximum does not care for order. For values ≥ 0.
struct Largest {
  double value = 0.0;
  Largest& operator+=(const Largest& other) {
    value = std::max(value, other.value);
    return *this;
  }
};

}  // namespace gssl::detail
