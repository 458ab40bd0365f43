#pragma once
// One implicit diffusion step on memberships by a prepared solver, used again and again; keeps the
// worst of its reports. Internal: not installed.

#include "transductive/fit_support.hpp"

namespace gssl::detail {

class ImplicitDiffusion {
 public:
  ImplicitDiffusion(GroundedLaplacian system, SolverOptions options, std::int64_t columns,
                    const RunContext& run)
      : run_(run) {
    worst_.requested = to_string(options.kind);
    worst_.used = "none";  // until something is solved
    options.columns = columns;
    solver_ = make_solver(std::move(system), options, run);
  }

  // x = A⁻¹ b.
  void solve(const Block& b, Block& x) {
    if (b.columns() == 0) {
      x = b;
      return;
    }
    const SolveReport report = solver_->solve(b, x, run_);
    if (worst_.used == "none" || report.outcome != Outcome::converged ||
        (worst_.outcome == Outcome::converged &&
         report.relative_residual > worst_.relative_residual))
      worst_ = report;
  }

  const SolveReport& worst() const { return worst_; }

 private:
  const RunContext& run_;
  std::unique_ptr<LinearSolver> solver_;
  SolveReport worst_;
};

}  // namespace gssl::detail
