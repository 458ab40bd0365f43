#pragma once
// Newton steps for the prices of K classes. Internal: not installed.

#include <algorithm>
#include <cmath>
#include <vector>

namespace gssl::detail {

// Solves the positive definite K×K system in place (Cholesky).
inline void solve_small(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < j; ++i) a[j * n + j] -= a[j * n + i] * a[j * n + i];
    a[j * n + j] = std::sqrt(std::max(a[j * n + j], 1e-300));
    for (std::size_t r = j + 1; r < n; ++r) {
      for (std::size_t i = 0; i < j; ++i) a[r * n + j] -= a[r * n + i] * a[j * n + i];
      a[r * n + j] /= a[j * n + j];
    }
  }
  for (std::size_t r = 0; r < n; ++r) {
    for (std::size_t i = 0; i < r; ++i) b[r] -= a[r * n + i] * b[i];
    b[r] /= a[r * n + r];
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t i = r + 1; i < n; ++i) b[r] -= a[i * n + r] * b[i];
    b[r] /= a[r * n + r];
  }
}

}  // namespace gssl::detail
