#pragma once
// The last digits of a quadratic program of dual_solver.hpp: where the variables at their bounds are
// the right ones, the others follow from a linear system, that all of them have one g and the sum
// Σ y α is 0.
//
//   if (auto last = polished(problem, solution.alpha, solution.f, 1e9, run)) …
//
// O(q³) for q variables between their bounds, and q rows of the Gram matrix. Internal: not
// installed.

#include <optional>
#include <vector>

#include "kernel/dual_solver.hpp"

namespace gssl::detail {

struct Polished {
  std::vector<double> alpha;
  std::vector<double> f;  // of each item
};

// `f` is that of `alpha`. Nothing where no variable is between its bounds, their rows take more than
// `memory` bytes, the system is singular (equal rows), or a variable would leave its bounds.
// Whether it is the better answer is for the caller to see. Throws what Gram::rows() does.
std::optional<Polished> polished(const DualProblem& problem, const std::vector<double>& alpha,
                                 const std::vector<double>& f, double memory,
                                 const RunContext& run);

}  // namespace gssl::detail
