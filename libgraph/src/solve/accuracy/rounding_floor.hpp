#pragma once
// What rounding alone may leave of b − Ax: ε(|A||x| + |b|), where |A| = 2D − A.

#include <cmath>
#include <limits>

#include "gssl/core/block.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

inline Block rounding_floors(const GroundedLaplacian& a, const Block& b, const Block& x,
                             int threads) {
  Block absolute = x, sum;
  for (std::int64_t v = 0; v < x.rows(); ++v)
    for (double& value : absolute.row(v)) value = std::abs(value);
  a.apply(absolute, sum, threads);
  for (std::int64_t v = 0; v < x.rows(); ++v) {
    const double twice = 2.0 * a.diagonal()[static_cast<std::size_t>(v)];
    for (std::int64_t j = 0; j < x.columns(); ++j)
      sum(v, j) = std::numeric_limits<double>::epsilon() *
                  (twice * absolute(v, j) - sum(v, j) + std::abs(b(v, j)));
  }
  return sum;
}

}  // namespace gssl::solve
