#include "many_right_hand_sides.hpp"

#include "gssl/core/error.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/mark_stopped.hpp"

namespace gssl::detail {

ManyRightHandSides::ManyRightHandSides(GroundedLaplacian system, SolverOptions options,
                                       std::int64_t count, const RunContext& run, Report& report)
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

Block ManyRightHandSides::solve(const Block& b, const RunContext& run) {
  GSSL_ASSERT(solver_ != nullptr);
  const Stopwatch solving;
  Block x;
  merge(report_.solver, solver_->solve(b, x, run));
  report_.solve_seconds += solving.seconds();
  return x;
}

bool ManyRightHandSides::stopped(const RunContext& run) {
  const auto why = run.stop();
  if (why) mark_stopped(report_.solver, *why);
  return why.has_value();
}

}  // namespace gssl::detail
