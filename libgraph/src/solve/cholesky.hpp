#pragma once
// Sparse direct factorization with the approximate minimum degree ordering: CHOLMOD's LLᵀ or LDLᵀ,
// or Eigen's LDLᵀ when SuiteSparse is not built in. One factorization serves all columns and calls.
//
//   FactorEstimate size = estimate_factor(*system);       // order and count, no numbers
//   auto inner = make_cholesky(system);                    // nullptr: a pivot was not positive

#include <optional>

#include "reduced_solver.hpp"

namespace gssl::solve {

struct FactorEstimate {
  double nonzeros = 0.0;  // in the factor
  double flops = 0.0;     // to compute it
};

// Nothing when the analysis itself runs out of memory. Time about that of ordering, memory O(n +
// m).
std::optional<FactorEstimate> estimate_factor(const GroundedLaplacian& system);

// Throws ErrorCode::out_of_memory. Concurrent solves share the factor and nothing else. BLAS is set
// to one thread for the whole process, so that the bytes do not depend on its thread count.
std::unique_ptr<ReducedSolver> make_cholesky(SharedSystem system);

}  // namespace gssl::solve
