#include "many_right_hand_sides.hpp"

#include "gssl/core/error.hpp"
#include "gssl/core/stopwatch.hpp"
#include "support/mark_stopped.hpp"
#include "support/reported_solve.hpp"

namespace gssl::detail {

ManyRightHandSides::ManyRightHandSides(GroundedLaplacian system, SolverOptions options,
                                       std::int64_t count, const RunContext& run, Report& report)
    : rows_(system.size()), report_(report) {
  if (rows_ == 0 || count == 0) {
    if (!report_.used.empty()) return;
    report_nothing_to_solve(options, report_);
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
  merge(report_, solver_->solve(b, x, run));
  report_.solve_seconds += solving.seconds();
  return x;
}

bool ManyRightHandSides::stopped(const RunContext& run) {
  const auto why = run.stop();
  if (why) mark_stopped(report_, *why);
  return why.has_value();
}

}  // namespace gssl::detail
