#pragma once
// What an answer x leaves of A x = b: the 2-norm of each column of b − A x, and the largest of them
// as a share of its target. Sums have the same bytes at any thread count.
//
//   Block r;
//   const std::vector<double> left = residual(a, b, x, r, threads);
//   worst_ratio(left, column_norms(b, threads)) <= 1e-8;   // the relative residual
//
// O(c(n + m)) for the product, O(cn) for the rest, for c columns.

#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl {

// ‖column j‖₂ for every j.
std::vector<double> column_norms(const Block& b, int threads = 1);

// r = b − A x; returns the norms of the columns of r. r is resized.
std::vector<double> residual(const GroundedLaplacian& a, const Block& b, const Block& x, Block& r,
                             int threads = 1);

// The same norms where the product A x is there already, of the same shape as b.
std::vector<double> residual_norms(const Block& b, const Block& product, int threads = 1);

// Largest norm/target over the columns; a column of norm 0 counts as 0, another one whose target is
// 0 as infinite. 0 of no column.
double worst_ratio(const std::vector<double>& norms, const std::vector<double>& targets);

}  // namespace gssl
