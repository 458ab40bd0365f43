#pragma once
// Column-wise sums over blocks of rows, added in an order that depends on the number of rows alone.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

// Calls body(begin, end, partial) for each block of rows, where `partial` is an array of `width`
// zeros to add to; leaves the sums over all blocks, added in block order, in `total`.
template <class Body>
void column_sums(std::int64_t rows, std::int64_t width, int threads, std::vector<double>& total,
                 Body&& body) {
  const std::int64_t blocks = detail::block_count(rows, parallel_block);
  std::vector<double> partial(static_cast<std::size_t>(blocks * width), 0.0);
  parallel_blocks(rows, threads, [&](std::int64_t begin, std::int64_t end) {
    body(begin, end, partial.data() + begin / parallel_block * width);
  });
  total.assign(static_cast<std::size_t>(width), 0.0);
  for (std::int64_t i = 0; i < blocks * width; ++i)
    total[static_cast<std::size_t>(i % width)] += partial[static_cast<std::size_t>(i)];
}

// ‖column j‖₂ for every j.
inline std::vector<double> column_norms(const Block& b, int threads) {
  std::vector<double> norms;
  const std::int64_t c = b.columns();
  column_sums(b.rows(), c, threads, norms, [&](std::int64_t begin, std::int64_t end, double* sum) {
    for (std::int64_t v = begin; v < end; ++v) {
      const double* row = b.data() + v * c;
      for (std::int64_t k = 0; k < c; ++k) sum[k] += row[k] * row[k];
    }
  });
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

// r = b − A x; returns the norms of the columns of r. r is resized.
inline std::vector<double> residual(const GroundedLaplacian& a, const Block& b, const Block& x,
                                    Block& r, int threads) {
  const std::int64_t c = b.columns();
  if (r.rows() != b.rows() || r.columns() != c) r = Block(b.rows(), c);
  std::vector<double> norms;
  column_sums(b.rows(), c, threads, norms, [&](std::int64_t begin, std::int64_t end, double* sum) {
    a.apply_rows(x.data(), r.data(), c, begin, end);
    for (std::int64_t v = begin; v < end; ++v) {
      double* row = r.data() + v * c;
      const double* given = b.data() + v * c;
      for (std::int64_t k = 0; k < c; ++k) {
        row[k] = given[k] - row[k];
        sum[k] += row[k] * row[k];
      }
    }
  });
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

// Largest norm/target over the columns; a column whose target is 0 counts only if its norm is not.
inline double worst_ratio(const std::vector<double>& norms, const std::vector<double>& targets) {
  double worst = 0.0;
  for (std::size_t j = 0; j < norms.size(); ++j) {
    const double ratio = norms[j] == 0.0 ? 0.0 : norms[j] / targets[j];
    if (!(ratio <= worst)) worst = ratio;
  }
  return worst;
}

// How far an iteration is from `first` to 1, where `now` ≤ first are worst_ratio values.
inline double progress_fraction(double first, double now) {
  if (!(first > 1.0) || !(now > 0.0)) return 1.0;
  return std::clamp(1.0 - std::log(now) / std::log(first), 0.0, 1.0);
}

}  // namespace gssl::solve
