#include "solve/column_solves.hpp"

#include <utility>

namespace gssl::detail {

void join_report(SolveReport& all, const SolveReport& next, bool first) {
  if (first) {
    all = next;
    return;
  }
  all.iterations = std::max(all.iterations, next.iterations);
  all.relative_residual = std::max(all.relative_residual, next.relative_residual);
  all.inconsistency = std::max(all.inconsistency, next.inconsistency);
  if (next.error_estimate)
    all.error_estimate = std::max(all.error_estimate.value_or(0.0), *next.error_estimate);
  if (all.outcome == Outcome::converged && next.outcome != Outcome::converged) {
    all.outcome = next.outcome;
    all.sentence = next.sentence;
  }
}

ColumnSolves::ColumnSolves(GroundedLaplacian system, SolverOptions options, std::int64_t count,
                           const RunContext& run, Report& report)
    : rows_(system.size()), run_(run), report_(report) {
  if (rows_ == 0 || count == 0) {
    report_.solver.requested = to_string(options.kind);
    report_.solver.used = "none";
    report_.solver.sentence = "nothing to solve: the given labels decide every vertex";
    return;
  }
  const Stopwatch setup;
  options.columns = count;
  solver_ = make_solver(std::move(system), options, run);
  report_.setup_seconds += setup.seconds();
}

Block ColumnSolves::solve(const Block& b) {
  const Stopwatch solving;
  Block x;
  join_report(report_.solver, solver_->solve(b, x, run_), std::exchange(first_, false));
  report_.solve_seconds += solving.seconds();
  return x;
}

bool ColumnSolves::stopped() {
  if (!run_.should_stop()) return false;
  if (report_.solver.outcome == Outcome::converged)
    report_.solver.outcome = run_.cancelled() ? Outcome::cancelled : Outcome::time_limit;
  return true;
}

}  // namespace gssl::detail
