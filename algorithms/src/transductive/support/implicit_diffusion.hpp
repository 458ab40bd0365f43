#pragma once
// One implicit diffusion step on memberships by a prepared solver, used again and again; keeps its
// reports joined. Internal: not installed.

#include <memory>
#include <utility>

#include "gssl/core/progress.hpp"
#include "gssl/core/report.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl::detail {

class ImplicitDiffusion {
 public:
  ImplicitDiffusion(GroundedLaplacian system, SolverOptions options, std::int64_t columns,
                    const RunContext& run)
      : run_(run) {
    report_.requested = to_string(options.kind);
    report_.used = "none";  // until something is solved
    options.columns = usual_steps * columns;
    solver_ = make_solver(std::move(system), options, run);
  }

  // x = A⁻¹ b; `warm_start`: from the x that comes in.
  void solve(const Block& b, Block& x, bool warm_start = false) {
    if (b.columns() == 0) {
      x = b;
      return;
    }
    merge(report_, solver_->solve(b, x, silent(run_), warm_start));
  }

  const SolveReport& report() const { return report_; }

 private:
  static constexpr std::int64_t usual_steps = 20;  // that solve with what is prepared once

  const RunContext& run_;
  std::unique_ptr<LinearSolver> solver_;
  SolveReport report_;
};

}  // namespace gssl::detail
