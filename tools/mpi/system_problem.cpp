#include "system_problem.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/stopwatch.hpp"
#include "support/finish_fit.hpp"
#include "support/reported_solve.hpp"
#include "together.hpp"

namespace gssl::mpi {
namespace {

double norm(const std::vector<double>& values, const Communicator& ranks) {
  double sum = 0.0;
  for (const double value : values) sum += value * value;
  return std::sqrt(ranks.sum(sum));
}

}  // namespace

SolvedColumns solve_columns(const DistributedProblem& problem, DistributedSystem& system,
                            int solved, bool one_implied, DistributedSolverOptions options,
                            const RightHandSide& b) {
  const Communicator& ranks = problem.ranks;
  SolvedColumns found;
  together(ranks, [&] { found.values = Block(std::int64_t(system.rows().size()), solved); });
  if (system.size() == 0 || solved == 0) {
    detail::report_nothing_to_solve({}, found.report);
    return found;
  }
  const Stopwatch watch;
  options.kind = problem.kind;
  DistributedSolver solver(system, options, problem.run, ranks);
  std::vector<double> norms;
  for (int k = 0; one_implied && k <= solved; ++k) norms.push_back(norm(b(k), ranks));
  const auto longest = std::ranges::max_element(norms);
  const int implied = one_implied ? static_cast<int>(longest - norms.begin()) : solved;
  if (implied < solved)
    for (std::int64_t i = 0; i < found.values.rows(); ++i) found.values(i, implied) = 1.0;
  std::vector<double> implied_residual(one_implied ? system.rows().size() : 0, 0.0);
  int done = 0;
  for (int k = 0; k <= solved; ++k) {
    if (k == implied) continue;
    std::vector<double> column;
    together(ranks, [&] { column = b(k); });
    double tolerance = options.tolerance;
    if (one_implied && norms[index(k)] > 0.0)
      tolerance *= std::min(1.0, *longest / (norms[index(k)] * solved));
    const std::vector<double> x = solver.solve(column, tolerance);
    if (k < solved)
      for (std::size_t i = 0; i < x.size(); ++i) found.values(std::int64_t(i), k) = x[i];
    if (implied < solved)
      for (std::size_t i = 0; i < x.size(); ++i) found.values(std::int64_t(i), implied) -= x[i];
    for (std::size_t i = 0; i < implied_residual.size(); ++i)
      implied_residual[i] += solver.residual()[i];
    if (ended_by_run(solver.report().outcome)) break;
    problem.run.report_progress("solve", ++done / static_cast<double>(solved));
  }
  SolveReport solve = solver.report();
  if (one_implied && *longest > 0.0)
    solve.relative_residual =
        std::max(solve.relative_residual, std::optional(norm(implied_residual, ranks) / *longest));
  take_solve(found.report, std::move(solve));
  found.report.score_error = detail::estimated_score_error(found.report);
  found.report.setup_seconds = solver.setup_seconds();
  found.report.solve_seconds = watch.seconds() - solver.setup_seconds();
  found.entrywise = solver.entrywise_residual();
  return found;
}

DistributedFit finish(const DistributedProblem& problem, Block scores, detail::GivenLabels labels,
                      SolvedColumns solved) {
  DistributedFit found;
  found.entrywise_residual = solved.entrywise;
  together(problem.ranks, [&] {
    found.fit = detail::finish_fit(std::move(scores), problem.status(), problem.given.own, labels,
                                   std::move(solved.report));
  });
  return found;
}

}  // namespace gssl::mpi
