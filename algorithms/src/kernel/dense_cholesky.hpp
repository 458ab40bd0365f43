#pragma once
// G = LLᵀ of a dense symmetric positive definite matrix, in float or double, by tiles: n³/3
// operations on all threads, the same bytes at any number of them. Solves are in double. Internal:
// not installed.
//
//   DenseCholesky<double> factor(std::move(g), run);
//   if (factor.positive()) factor.solve(x, 2);   // x ← G⁻¹x

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "kernel/lower_rows.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {

template <class Real>
class DenseCholesky {
 public:
  // The factor takes the place of g. Throws what throw_if_stopped() does.
  DenseCholesky(LowerRows<Real> g, const RunContext& run);

  // False where a pivot was not above rounding; nothing may then be solved.
  bool positive() const { return positive_; }

  void solve(Block& x, int threads) const;
  // (G⁻¹)_ii: n³ operations.
  std::vector<double> inverse_diagonal(const RunContext& run) const;

 private:
  struct Rectangle {
    std::int64_t top, bottom;  // rows [top, bottom)
  };
  Rectangle stripe(std::int64_t i, std::int64_t from) const;
  bool factor_diagonal(std::int64_t begin, std::int64_t end, std::vector<Real>& inverse);
  void factor_below(std::int64_t begin, std::int64_t end, const std::vector<Real>& inverse,
                    PackedRows<Real>& panel, const RunContext& run);
  void subtract_panel(std::int64_t end, const PackedRows<Real>& panel, const RunContext& run);
  void forward(double* x, std::int64_t first) const;

  std::int64_t n_;
  LowerRows<Real> factor_;
  double rounding_ = 0.0;
  bool positive_ = true;
};

}  // namespace gssl::detail
