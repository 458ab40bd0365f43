#pragma once
// How far an answer is from A⁻¹b, entry by entry, where rounding hides it from the residual.
//
// Where weights span decades, b − Ax in doubles is mostly what rounding leaves of large terms that
// cancel: an answer right in every digit may have a relative residual of 1e-4. Solves that never
// subtract (elimination, NetworkFactor) know better. Their own error is at most γ times the answer
// for |b|, entry by entry and whatever the weights (Alfa, Xue and Ye 2002,
// doi:10.1090/S0025-5718-01-01325-4); γ = 2(n + 8)ε is taken for their constant. So with r = b − Ax
// in twice the digits of a double and e the solution for r,
//
//   |x − A⁻¹b| ≤ |e| + γ A⁻¹|r|,  and ≤ γ A⁻¹|b| where x is itself such a solution.
//
//   const ProvenError proven = prove_error(system, b, x, solve, run);
//   if (proven.relative <= 1e-10) …
//
// Costs one such solve with three times the columns, and O(m) per column for r.

#include <functional>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

struct ProvenError {
  double relative = 0.0;  // max over columns of a bound on max|x − A⁻¹b| / max|x|
  double energy = 0.0;    // max over columns of ‖x − A⁻¹b‖_A / ‖x‖_A, from r and e
};

// r = b − Ax, each entry in twice the digits of a double and then rounded.
Block exact_residual(const GroundedLaplacian& a, const Block& b, const Block& x, int threads);

// `solve` returns the solution for a block of right-hand sides by sums of numbers of one sign where
// those have one; x came from it. Columns of components without ground are known up to a constant,
// which `center` takes from both sides. NaN where a solve was stopped.
ProvenError prove_error(const GroundedLaplacian& system, const Block& b, const Block& x,
                        const std::function<Block(const Block&)>& solve,
                        const std::function<void(Block&)>& center, int threads);

}  // namespace gssl::solve
