#include "solve_problem.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/rng.hpp"
#include "gssl/linalg/residual.hpp"
#include "solve/accuracy/rounding_floor.hpp"

namespace gssl::solve {

bool all_finite(const Block& x) {
  return std::ranges::all_of(x.values(), [](double d) { return std::isfinite(d); });
}

void clear_column(Block& b, std::int64_t column) {
  for (std::int64_t v = 0; v < b.rows(); ++v) b(v, column) = 0.0;
}

Block column_of(const Block& b, std::int64_t column) {
  Block one(b.rows(), 1);
  for (std::int64_t v = 0; v < b.rows(); ++v) one(v, 0) = b(v, column);
  return one;
}

void measure(const GroundedLaplacian& system, SolveProblem& problem, int threads) {
  problem.norms = residual(system, problem.b, problem.x, problem.r, threads);
  if (std::ranges::all_of(problem.norms, [](double norm) { return std::isfinite(norm); })) return;
  for (std::size_t j = 0; j < problem.norms.size(); ++j)
    if (!std::isfinite(problem.norms[j])) clear_column(problem.x, static_cast<std::int64_t>(j));
  problem.norms = residual(system, problem.b, problem.x, problem.r, threads);
}

void drop_bad_guesses(const GroundedLaplacian& system, SolveProblem& problem, int threads) {
  const std::vector<double> left = residual(system, problem.b, problem.x, problem.r, threads);
  for (std::size_t j = 0; j < left.size(); ++j)
    if (!(left[j] <= problem.targets[j])) clear_column(problem.x, static_cast<std::int64_t>(j));
}

Block measurable_residual(const GroundedLaplacian& system, const SolveProblem& problem,
                          std::int64_t j, const RunContext& run) {
  Block r = column_of(problem.r, j);
  const Block hidden =
      rounding_floors(system, column_of(problem.b, j), column_of(problem.x, j), run.thread_count());
  Rng rng(run.seed);
  for (std::int64_t v = 0; v < r.rows(); ++v) r(v, 0) += (2.0 * rng.uniform() - 1.0) * hidden(v, 0);
  return r;
}

}  // namespace gssl::solve
