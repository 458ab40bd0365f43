#pragma once
// One implicit diffusion step on memberships by a prepared solver, used again and again; keeps the
// worst of its reports. Internal: not installed.

#include "transductive/fit_support.hpp"

namespace gssl::detail {

// `worst` becomes `report` if that is worse, or the first of which anything was solved.
inline void keep_worse(SolveReport& worst, const SolveReport& report) {
  if (worst.used == "none" || report.outcome != Outcome::converged ||
      (worst.outcome == Outcome::converged && report.relative_residual > worst.relative_residual))
    worst = report;
}

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

  // x = A⁻¹ b; `warm_start`: from the x that comes in.
  void solve(const Block& b, Block& x, bool warm_start = false) {
    if (b.columns() == 0) {
      x = b;
      return;
    }
    keep_worse(worst_, solver_->solve(b, x, run_, warm_start));
  }

  const SolveReport& worst() const { return worst_; }

 private:
  const RunContext& run_;
  std::unique_ptr<LinearSolver> solver_;
  SolveReport worst_;
};

}  // namespace gssl::detail
