#pragma once
// A factorization that answers for its residual. A cluster of good conductors that hangs by poor
// ones loses those in the rounding of its pivots: the factor is then of another matrix, or of none
// until the diagonal is raised a little. Few directions suffer, and conjugate gradients that take
// the factor for their preconditioner find them in as many steps.
//
//   auto inner = make_guarded_cholesky(system);
//   inner->solve(b, x, targets, run);   // iterates only where the residual asks for it

#include "cholesky.hpp"

namespace gssl::solve {

// As make_cholesky.
std::unique_ptr<ReducedSolver> make_guarded_cholesky(
    SharedSystem system, const std::function<bool(const FactorEstimate&)>& accept = {},
    const RunContext& run = {});

}  // namespace gssl::solve
