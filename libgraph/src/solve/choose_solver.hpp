#pragma once
// Which method solves the reduced system, and why.
//
//   Choice choice = choose_solver(elimination.reduced(), options, run);
//   choice.solver->solve(b, x, targets, run);

#include <memory>
#include <string>

#include "gssl/solve/linear_solver.hpp"
#include "reduced_solver.hpp"

namespace gssl::solve {

struct Choice {
  std::unique_ptr<ReducedSolver> solver;  // null: nothing is left to solve, or `failure` says why
  std::string used;                       // as in SolveReport
  std::string reason;
  std::string failure;  // not empty: no solver could be prepared
};

// Right-hand sides that one preparation serves; 4 unless the caller says otherwise.
inline std::int64_t expected_columns(const SolverOptions& options) {
  return options.columns > 0 ? options.columns : 4;
}

// `automatic` forecasts, from a few steps, what conjugate gradients would cost with the diagonal,
// and compares it with a factorization where that is small, multigrid where the graph is sparse,
// and approximate Cholesky.
Choice choose_solver(const SharedSystem& reduced, const SolverOptions& options,
                     const RunContext& run);

}  // namespace gssl::solve
