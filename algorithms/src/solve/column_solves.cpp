#include "solve/column_solves.hpp"

#include "gssl/core/error.hpp"

namespace gssl::detail {

void join_report(SolveReport& all, const SolveReport& next) {
  if (all.used.empty()) {
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
    : rows_(system.size()), report_(report) {
  if (rows_ == 0 || count == 0) {
    if (!report_.solver.used.empty()) return;
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

Block ColumnSolves::solve(const Block& b, const RunContext& run) {
  GSSL_ASSERT(solver_ != nullptr);
  const Stopwatch solving;
  Block x;
  join_report(report_.solver, solver_->solve(b, x, run));
  report_.solve_seconds += solving.seconds();
  return x;
}

bool ColumnSolves::stopped(const RunContext& run) {
  if (!run.should_stop()) return false;
  if (report_.solver.outcome == Outcome::converged)
    report_.solver.outcome = run.cancelled() ? Outcome::cancelled : Outcome::time_limit;
  return true;
}

}  // namespace gssl::detail
