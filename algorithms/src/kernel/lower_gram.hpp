#pragma once
// A Gram matrix in double precision for one solve: the rows of its lower triangle are computed a
// few at a time in each pass, since to keep them takes memory whose first touch costs more. The
// same bytes at any thread count. Internal: not installed.
//
//   LowerGram k(gram);
//   DenseCholesky<float> factor(k.plus_diagonal<float>(ridge, run), run);
//   Block r = k.residual(ridge, x, b, run);           // b − (K + diag ridge) x

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/kernel/gram.hpp"
#include "kernel/lower_rows.hpp"

namespace gssl::detail {

class LowerGram {
 public:
  // The Gram matrix must outlive this.
  explicit LowerGram(const Gram& gram) : gram_(gram) {}

  // Throw what Gram::rows() does.
  template <class Real>
  LowerRows<Real> plus_diagonal(std::span<const double> ridge, const RunContext& run);
  Block residual(std::span<const double> ridge, const Block& x, const Block& b,
                 const RunContext& run);

 private:
  // Rows [first, end) up to column `end`, row by row.
  const double* stripe(std::int64_t first, std::int64_t end, const RunContext& run);

  const Gram& gram_;
  std::vector<double> rows_ = {};
};

}  // namespace gssl::detail
