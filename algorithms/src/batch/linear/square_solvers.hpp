#pragma once
// The ways to minimize ‖Ỹ − X̃v‖² + λ‖v‖² over v, all targets together.
//
//   primal        (X̃ᵀX̃ + λI) v = X̃ᵀỸ by Cholesky            cost of the Gram + d³/3
//   dual          (X̃X̃ᵀ + λI) c = Ỹ, v = X̃ᵀc                 cost of the Gram + n³/3
//   orthogonal    a decomposition that tells the rank        minimum_norm.hpp
//   iterative     conjugate gradients on the squares          2·values a step

#include <optional>

#include "batch/linear/design.hpp"
#include "gssl/core/report.hpp"

namespace gssl::detail {

struct SquareSolution {
  Matrix v;
  // Share of its own prediction that row i has, all copies together and the free bias included;
  // empty where the way does not tell.
  Eigen::VectorXd leverage;
  std::optional<std::int64_t> rank;  // where it was looked at
  SolveReport report;
};

// Lower Cholesky factor of a symmetric matrix, in its place; false where it is not positive
// definite. In parallel by tiles; throws when the run is stopped.
bool cholesky(Matrix& a, const RunContext& run);

// The lower Cholesky factor of gram + λI; nothing where it is not positive definite in double
// precision, or λ is below the rounding of the matrix.
std::optional<Matrix> factored_gram(Matrix gram, double lambda, const RunContext& run);
// x of LLᵀ x = b.
Matrix solve_factored(const Matrix& factor, Matrix b);

// Nothing where the matrix is not positive definite in double precision. λ > 0.
std::optional<SquareSolution> solve_primal(const Design& design, double lambda,
                                           const RunContext& run);
std::optional<SquareSolution> solve_dual(const Design& design, double lambda,
                                         const RunContext& run);
// λ ≥ 0. From v = 0, so that for λ = 0 the limit has the least norm. Stopped: v so far.
SquareSolution solve_iteratively(const Design& design, double lambda, double tolerance,
                                 std::int64_t steps, const RunContext& run);

// ‖X̃ᵀ(Ỹ − X̃v) − λv‖ / ‖X̃ᵀỸ‖, the largest of the targets; 0 where both are 0.
double relative_gradient(const Design& design, const Matrix& v, double lambda, int threads);

}  // namespace gssl::detail
