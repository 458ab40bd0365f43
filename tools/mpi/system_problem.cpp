#include "system_problem.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/stopwatch.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

double norm(const std::vector<double>& values, const Communicator& ranks) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(ranks.sum(sum));
}

}  // namespace

Solved solve_columns(const Problem& problem, const DistributedSystem& system, int solved,
                     bool one_implied, ColumnSolverOptions options, const RightHandSide& b) {
  const Communicator& ranks = problem.ranks;
  Solved found;
  together(ranks, [&] { found.values = Block(std::int64_t(system.rows().size()), solved); });
  if (system.size() == 0 || solved == 0) {
    found.report.solver.requested = "automatic";
    found.report.solver.used = "none";
    found.report.solver.sentence = "nothing to solve: the given labels decide every vertex";
    return found;
  }
  const Stopwatch watch;
  options.kind = problem.kind;
  ColumnSolver solver(system, options, problem.run, ranks);
  std::vector<double> implied(one_implied ? system.rows().size() : 0, 0.0);
  const double implied_norm = one_implied ? norm(b(solved), ranks) : 0.0;
  for (int k = 0; k < solved; ++k) {
    std::vector<double> column;
    together(ranks, [&] { column = b(k); });
    double tolerance = options.tolerance;
    if (implied_norm > 0.0) {
      constexpr double least = 1e-14;
      const double own = norm(column, ranks);
      if (own > 0.0)
        tolerance = std::clamp(tolerance * implied_norm / (own * solved), least, tolerance);
    }
    const std::vector<double> x = solver.solve(column, tolerance);
    for (std::size_t i = 0; i < x.size(); ++i) found.values(std::int64_t(i), k) = x[i];
    for (std::size_t i = 0; i < implied.size(); ++i) implied[i] += solver.residual()[i];
    if (solver.report().outcome == Outcome::cancelled ||
        solver.report().outcome == Outcome::time_limit)
      break;
    problem.run.report_progress("solve", (k + 1.0) / solved);
  }
  found.report.solver = solver.report();
  if (implied_norm > 0.0)
    found.report.solver.relative_residual = std::max(
        found.report.solver.relative_residual, std::optional(norm(implied, ranks) / implied_norm));
  found.report.score_error = detail::estimated_score_error(found.report.solver);
  found.report.setup_seconds = solver.setup_seconds();
  found.report.solve_seconds = watch.seconds() - solver.setup_seconds();
  found.entrywise = solver.entrywise_residual();
  return found;
}

DistributedFit finish(const Problem& problem, Block scores, detail::GivenLabels labels,
                      Solved solved) {
  DistributedFit found;
  found.entrywise_residual = solved.entrywise;
  together(problem.ranks, [&] {
    found.fit = detail::finish_fit(std::move(scores), problem.status(), problem.given.own, labels,
                                   std::move(solved.report));
  });
  return found;
}

}  // namespace gssl::mpi
