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

// `automatic` tries a few steps of conjugate gradients; if they are slow and the graph is sparse
// everywhere, it counts what a factorization would cost and takes the cheaper one.
Choice choose_solver(const SharedSystem& reduced, const SolverOptions& options,
                     const RunContext& run);

}  // namespace gssl::solve
