#pragma once
// G = LLᵀ of a dense symmetric positive definite matrix, in float or double, by tiles: n³/3
// operations on all threads, the same bytes at any number of them. Solves are in double. Internal:
// not installed.
//
//   DenseCholesky<double> factor(std::move(g), n, run);
//   if (factor.positive()) factor.solve(x, 2);   // x ← G⁻¹x

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::detail {

template <class Real>
class DenseCholesky {
 public:
  // Row r, column c is g[r·n + c]; what is above the diagonal is not read. Throws what
  // throw_if_stopped() does.
  DenseCholesky(std::vector<Real> g, std::int64_t n, const RunContext& run);

  // False where a pivot was not above rounding; nothing may then be solved.
  bool positive() const { return positive_; }

  void solve(Block& x, int threads) const;
  // (G⁻¹)_ii: n³ operations.
  std::vector<double> inverse_diagonal(const RunContext& run) const;

 private:
  Real* row(std::int64_t r) { return factor_.data() + r * n_; }
  const Real* row(std::int64_t r) const { return factor_.data() + r * n_; }
  bool factor_diagonal(std::int64_t begin, std::int64_t end, std::vector<Real>& inverse);
  void forward(double* x, std::int64_t first) const;

  std::int64_t n_;
  std::vector<Real> factor_;
  double rounding_ = 0.0;
  bool positive_ = true;
};

}  // namespace gssl::detail
