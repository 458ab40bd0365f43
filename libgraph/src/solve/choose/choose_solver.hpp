#pragma once
// Which method solves the reduced system, and why.
//
//   Choice choice = choose_solver(elimination.reduced(), options, run);
//   choice.solver->solve(b, x, targets, run);

#include <memory>
#include <string>

#include "gssl/solve/linear_solver.hpp"
#include "solve/method/reduced_solver.hpp"

namespace gssl::solve {

struct Choice {
  std::unique_ptr<ReducedSolver> solver;  // null: nothing is left to solve, or `failure` says why
  SolverMethod method = SolverMethod::conjugate_gradient;
  std::string reason;
  std::string failure;  // not empty: no solver could be prepared
};

// Right-hand sides that one preparation serves; 4 unless the caller says otherwise.
inline std::int64_t expected_columns(const SolverOptions& options) {
  return options.columns > 0 ? options.columns : 4;
}

// The first right-hand sides, where they are there already. A choice may begin with them, or end:
// `x`, 0 at first, is then what was reached.
struct FirstColumns {
  const Block& b;
  Block& x;
  const std::vector<double>& targets;  // as ReducedSolver::solve() has them
  InnerResult begun = {};
  bool solved = false;
};

// `automatic` forecasts, from a few steps, what conjugate gradients would cost with the diagonal,
// and compares it with a factorization where that is small, multigrid where the graph is sparse,
// and approximate Cholesky. The steps are on `first` if that is not null.
Choice choose_solver(const SharedSystem& reduced, const SolverOptions& options,
                     const RunContext& run, FirstColumns* first = nullptr);

}  // namespace gssl::solve
