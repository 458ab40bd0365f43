#pragma once
// Sparse direct factorization with the approximate minimum degree ordering: CHOLMOD's LLᵀ or LDLᵀ,
// or Eigen's LDLᵀ when SuiteSparse is not built in. One factorization serves all columns and calls.
//
//   auto inner = make_cholesky(system, [](const FactorEstimate& size) {
//     return size.flops < 1e10;
//   });

#include <functional>

#include "gssl/core/run_context.hpp"
#include "solve/method/reduced_solver.hpp"

namespace gssl::solve {

struct FactorEstimate {
  double nonzeros = 0.0;  // in the factor
  double flops = 0.0;     // to compute it
};

// What the diagonal is multiplied by, in turn, until every pivot is positive: rounding may take
// more from a pivot than the matrix left it.
inline constexpr double diagonal_factors[] = {1.0, 1.0 + 1e-12, 1.0 + 1e-9};

// Orders and counts (O(n + m) memory), asks `accept` if there is one, and factors. Null when it was
// refused, a pivot was not positive with any of the diagonal factors, or the run was stopped before
// or while it was ordered. Throws ErrorCode::out_of_memory. Concurrent solves share the factor and
// nothing else. Factoring cannot be interrupted; `accept` is the place to stop before it, and a
// solve looks before each group of columns. While it factors or solves, OpenBLAS has one thread in the whole
// process, so that the bytes do not depend on its thread count; then what it had before.
std::unique_ptr<ReducedSolver> make_cholesky(
    SharedSystem system, const std::function<bool(const FactorEstimate&)>& accept = {},
    const RunContext& run = {});

}  // namespace gssl::solve
