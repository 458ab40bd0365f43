#pragma once
// One solve on its way: what is to be solved, the answer so far, and what it leaves.
//
//   SolveProblem problem{.b = b, .x = guess, .targets = targets};
//   drop_bad_guesses(system, problem, threads);
//   … x is improved …
//   measure(system, problem, threads);
//   if (worst_ratio(problem.norms, problem.targets) <= 1.0) …

#include <cstdint>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

struct SolveProblem {
  Block b = {}, x = {}, r = {};      // b is scaled and projected; r = b − Ax
  std::vector<double> targets = {};  // of ‖r‖, per column
  std::vector<double> norms = {};    // ‖r‖
};

bool all_finite(const Block& x);
void clear_column(Block& b, std::int64_t column);
Block column_of(const Block& b, std::int64_t column);

// r and ‖r‖ of the answer; a column that is not finite is given up: its answer is 0.
void measure(const GroundedLaplacian& system, SolveProblem& problem, int threads);

// Clears the columns of a guess that are further off than 0, where targets are ‖b‖: they may be so
// far that rounding alone exceeds what is asked for.
void drop_bad_guesses(const GroundedLaplacian& system, SolveProblem& problem, int threads);

// Column j of the residual, give or take at random what rounding may hide of it: an answer that no
// sum can tell from the exact one is not known better.
Block measurable_residual(const GroundedLaplacian& system, const SolveProblem& problem,
                          std::int64_t j, const RunContext& run);

}  // namespace gssl::solve
