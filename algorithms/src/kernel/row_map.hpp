#pragma once
// Rows that a kernel sees only through a linear map: matrix·x, or some of the columns of x. A
// kernel of mapped rows is a kernel. Internal: not installed.
//
//   RowMap map(term);                        // of Kind::mapped or Kind::form
//   Points y = map.apply(points, run);       // K(x, t) = map.inner() of y

#include <string>

#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "kernel/kernel_term.hpp"

namespace gssl::detail {

class RowMap {
 public:
  // xᵀAt is the inner product of Rx and Rt where A = RᵀR: R = Λ^½Vᵀ of the eigenpairs of A.
  explicit RowMap(const KernelTerm& term);

  // What the kernel is of the mapped rows.
  const KernelTerm& inner() const { return inner_; }
  // Throws ErrorCode::bad_data where the rows have other columns than the map.
  Points apply(const Points& points, const RunContext& run) const;

 private:
  KernelTerm inner_;
  Block matrix_;
  std::vector<std::int32_t> columns_;
};

// Why xᵀAt is no kernel: A is not square, not symmetric, or has an eigenvalue < 0. Empty where it
// is one.
std::string not_a_kernel(const Block& a);

}  // namespace gssl::detail
