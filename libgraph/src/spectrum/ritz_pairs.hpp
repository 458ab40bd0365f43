#pragma once
// Approximate eigenpairs of a Laplacian M from vectors that nearly span its eigenvectors: Rayleigh
// quotients, residuals, and the limit that a residual must meet.
//
//   RitzPairs pairs = rayleigh_ritz(laplacian, std::move(x), threads, {});
//   pairs.residuals[i] <= residual_limit(laplacian, tolerance, pairs.values[i]);

#include <cstdint>
#include <vector>

#include "connected_laplacian.hpp"
#include "gssl/core/report.hpp"

namespace gssl::solve {

// Below this share of the bound on M an eigenvalue or residual is not told from rounding.
inline constexpr double spectrum_rounding = 1e-13;

struct RitzPairs {
  std::vector<double> values;  // ascending, without the zero; fewer than wanted if stopped
  Block vectors;               // orthonormal
  std::vector<double> residuals;
  Outcome outcome = Outcome::converged;
  std::int64_t steps = 0;
  // The largest eigenvalues of the operator leave the others no digits; nothing else is set then.
  bool too_wide = false;
  // The operator's shift is too far above the pairs wanted; nothing else is set then.
  bool too_narrow = false;
};

// The largest residual that a pair may have.
double residual_limit(const ConnectedLaplacian& laplacian, double tolerance, double value);

// ‖Mx − λx‖ of each column of x, without its part in the span of `locked`; `product` is M x, and
// used up. Columns without a value have λ = 0.
std::vector<double> residual_norms(const Block& x, std::vector<double> values, const Block& locked,
                                   Block& product, int threads);

// The Ritz pairs of M in the span of x's columns (orthonormal, orthogonal to the null vector) with
// their residuals, of which the part in the span of `locked` is left out.
RitzPairs rayleigh_ritz(const ConnectedLaplacian& laplacian, Block x, int threads,
                        const Block& locked);

// `a` with the columns of `b` after its own.
Block joined(const Block& a, const Block& b);

// Columns first, first + 1, … of `a`.
Block columns_of(const Block& a, std::int64_t first, std::int64_t count);

}  // namespace gssl::solve
