#include "basis_fit.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {
namespace {

// A pivot that kept less than this of its diagonal entry is rounding.
constexpr double pivot_rounding = 1e-15;

// Scales the basis so that the diagonal of a is about 1, by powers of two, which changes no digit.
std::vector<int> equilibrate(Block& a, Block& b) {
  const std::int64_t k = a.rows();
  std::vector<int> exponent(static_cast<std::size_t>(k), 0);
  for (std::int64_t i = 0; i < k; ++i)
    if (a(i, i) > 0.0) exponent[static_cast<std::size_t>(i)] = -std::ilogb(a(i, i)) / 2;
  for (std::int64_t i = 0; i < k; ++i) {
    const int own = exponent[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j <= i; ++j)
      a(i, j) = std::ldexp(a(i, j), own + exponent[static_cast<std::size_t>(j)]);
    for (double& value : b.row(i)) value = std::ldexp(value, own);
  }
  return exponent;
}

// b ← a⁻¹ b for a positive definite a, whose lower triangle becomes its Cholesky factor; false, and
// b of no use, when it was stopped. What rounding has left nothing of, because labels tell nothing
// about it and it costs almost no energy, gets no part in the answer.
bool solve_positive(Block& a, Block& b, const std::function<bool()>& stop) {
  const std::int64_t k = a.rows();
  const std::vector<int> exponent = equilibrate(a, b);
  for (std::int64_t j = 0; j < k; ++j) {
    if (stop && stop()) return false;
    const double given = a(j, j);
    for (std::int64_t i = j; i < k; ++i) {
      double sum = a(i, j);
      for (std::int64_t p = 0; p < j; ++p) sum -= a(i, p) * a(j, p);
      if (i == j) {
        a(i, j) = sum > pivot_rounding * given ? std::sqrt(sum) : 0.0;
      } else {
        a(i, j) = a(j, j) > 0.0 ? sum / a(j, j) : 0.0;
      }
    }
  }
  for (std::int64_t c = 0; c < b.columns(); ++c) {
    for (std::int64_t i = 0; i < k; ++i) {
      for (std::int64_t p = 0; p < i; ++p) b(i, c) -= a(i, p) * b(p, c);
      b(i, c) = a(i, i) > 0.0 ? b(i, c) / a(i, i) : 0.0;
    }
    for (std::int64_t i = k - 1; i >= 0; --i) {
      for (std::int64_t p = i + 1; p < k; ++p) b(i, c) -= a(p, i) * b(p, c);
      b(i, c) = a(i, i) > 0.0 ? b(i, c) / a(i, i) : 0.0;
    }
    for (std::int64_t i = 0; i < k; ++i)
      b(i, c) = std::ldexp(b(i, c), exponent[static_cast<std::size_t>(i)]);
  }
  return true;
}

}  // namespace

bool fit_in_basis(const Block& basis, const std::vector<double>& energy,
                  const std::vector<std::int64_t>& rows, const std::vector<double>& weight,
                  const Block& targets, int threads, Block& scores,
                  const std::vector<VertexId>& places, const std::function<bool()>& stop) {
  const std::int64_t k = std::ssize(energy), classes = targets.columns();
  Block a(k, k), b(k, classes);
  for (std::int64_t j = 0; j < k; ++j) a(j, j) = energy[static_cast<std::size_t>(j)];
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (stop && stop()) return false;
    const std::span<const double> u = basis.row(rows[i]);
    for (std::int64_t p = 0; p < k; ++p) {
      const double scaled = weight[i] * u[static_cast<std::size_t>(p)];
      for (std::int64_t q = 0; q <= p; ++q) a(p, q) += scaled * u[static_cast<std::size_t>(q)];
      for (std::int64_t c = 0; c < classes; ++c)
        b(p, c) += scaled * targets(static_cast<std::int64_t>(i), c);
    }
  }
  if (!solve_positive(a, b, stop)) return false;
  parallel_blocks(basis.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const std::span<double> row =
          scores.row(places.empty() ? v : places[static_cast<std::size_t>(v)]);
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
  return true;
}

}  // namespace gssl::detail
