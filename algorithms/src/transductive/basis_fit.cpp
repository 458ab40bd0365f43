#include "transductive/basis_fit.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {
namespace {

// b ← a⁻¹ b for a positive definite a, whose lower triangle becomes its Cholesky factor; false, and
// b of no use, when it was stopped.
bool solve_positive(Block& a, Block& b, const std::function<bool()>& stop) {
  const std::int64_t k = a.rows();
  for (std::int64_t j = 0; j < k; ++j) {
    if (stop && stop()) return false;
    for (std::int64_t i = j; i < k; ++i) {
      double sum = a(i, j);
      for (std::int64_t p = 0; p < j; ++p) sum -= a(i, p) * a(j, p);
      // Rounding may leave nothing of a pivot; the energy keeps the exact one positive.
      a(i, j) = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / a(j, j);
    }
  }
  for (std::int64_t c = 0; c < b.columns(); ++c) {
    for (std::int64_t i = 0; i < k; ++i) {
      for (std::int64_t p = 0; p < i; ++p) b(i, c) -= a(i, p) * b(p, c);
      b(i, c) /= a(i, i);
    }
    for (std::int64_t i = k - 1; i >= 0; --i) {
      for (std::int64_t p = i + 1; p < k; ++p) b(i, c) -= a(p, i) * b(p, c);
      b(i, c) /= a(i, i);
    }
  }
  return true;
}

}  // namespace

Block fit_in_basis(const Block& basis, const std::vector<double>& energy,
                   const std::vector<std::int64_t>& rows, const std::vector<double>& weight,
                   const Block& targets, int threads, const std::function<bool()>& stop) {
  const std::int64_t k = basis.columns(), classes = targets.columns();
  Block a(k, k), b(k, classes);
  for (std::int64_t j = 0; j < k; ++j) a(j, j) = energy[static_cast<std::size_t>(j)];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (stop && stop()) return {};
    const std::span<const double> u = basis.row(rows[i]);
    for (std::int64_t p = 0; p < k; ++p) {
      const double scaled = weight[i] * u[static_cast<std::size_t>(p)];
      for (std::int64_t q = 0; q <= p; ++q) a(p, q) += scaled * u[static_cast<std::size_t>(q)];
      for (std::int64_t c = 0; c < classes; ++c)
        b(p, c) += scaled * targets(static_cast<std::int64_t>(i), c);
    }
  }
  if (!solve_positive(a, b, stop)) return {};
  Block scores(basis.rows(), classes);
  parallel_blocks(basis.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const std::span<double> row = scores.row(v);
      for (std::int64_t j = 0; j < k; ++j)
        for (std::int64_t c = 0; c < classes; ++c)
          row[static_cast<std::size_t>(c)] += basis(v, j) * b(j, c);
      double sum = 0.0;
      for (double& score : row) {
        score = std::clamp(score, 0.0, 1.0);
        sum += score;
      }
      if (!(sum > 0.0)) continue;
      for (double& score : row) score /= sum;
    }
  });
  return scores;
}

}  // namespace gssl::detail
