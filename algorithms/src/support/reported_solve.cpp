#include "reported_solve.hpp"

#include <utility>

#include "gssl/core/stopwatch.hpp"
#include "unfinished.hpp"

namespace gssl::detail {

void report_nothing_to_solve(const SolverOptions& options, Ending& report) {
  report.requested = to_string(options.kind);
  report.used = "none";
  report.sentence = "nothing to solve: the given labels decide every vertex";
}

Block solve(GroundedLaplacian system, const Block& b, SolverOptions options, const RunContext& run,
            Report& report, std::unique_ptr<LinearSolver>* prepared) {
  if (b.rows() == 0 || b.columns() == 0) {
    report_nothing_to_solve(options, report);
    return Block(b.rows(), b.columns());
  }
  Block x;
  const Stopwatch watch;
  options.columns = b.columns();
  FirstSolve first = make_solver_and_solve(
      std::make_shared<const GroundedLaplacian>(std::move(system)), options, b, x, run);
  take_solve(report, std::move(first.report));
  report.score_error = estimated_score_error(report);
  report.setup_seconds += first.setup_seconds;
  report.solve_seconds += watch.seconds() - first.setup_seconds;
  if (prepared != nullptr) *prepared = std::move(first.solver);
  return x;
}

}  // namespace gssl::detail
