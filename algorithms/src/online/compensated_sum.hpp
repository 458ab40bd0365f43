#pragma once
// A sum that keeps what rounding takes from it (Neumaier): a plain one loses 1e-9 of itself after
// some 10⁷ terms. Internal: not installed.

#include <cmath>

namespace gssl::detail {

struct CompensatedSum {
  double sum = 0.0;
  double carry = 0.0;

  void add(double term) {
    const double next = sum + term;
    carry += std::abs(sum) >= std::abs(term) ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  double value() const { return sum + carry; }
};

}  // namespace gssl::detail
