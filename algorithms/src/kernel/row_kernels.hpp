#pragma once
// Kernels of two rows that are no function of inner products: ANOVA, min, spectrum, path-tree.
// Internal: not installed.

#include <cstdint>
#include <memory>
#include <span>

#include "gssl/data/points.hpp"
#include "kernel/kernel_term.hpp"

namespace gssl::detail {

// Entries between the rows of two tables, read once.
class RowKernel {
 public:
  virtual ~RowKernel() = default;
  // to[j] = K(a_row, b_{first + j}).
  virtual void row(std::int64_t row, std::int64_t first, std::span<double> to) const = 0;
};

// For a term that is none of products and has no inner terms. Throws ErrorCode::bad_data where the
// rows are not what it is about.
std::unique_ptr<RowKernel> make_row_kernel(const KernelTerm& term, const Points& a,
                                           const Points& b);

// Throws ErrorCode::bad_data unless every value is 0 or 1.
void check_sets(const Points& points);

}  // namespace gssl::detail
