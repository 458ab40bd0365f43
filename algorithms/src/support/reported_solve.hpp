#pragma once
// One linear solve of a learner, told in its report. Internal: not installed.

#include <memory>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl::detail {

// Says that no vertex was left to solve for.
void report_nothing_to_solve(const SolverOptions& options, Ending& report);

// Prepares and runs a solver; times and outcome go to `report`. An empty block is not solved.
// `prepared` receives the solver, for more of the same, unless there was nothing to solve.
Block solve(GroundedLaplacian system, const Block& b, SolverOptions options, const RunContext& run,
            Report& report, std::unique_ptr<LinearSolver>* prepared = nullptr);

}  // namespace gssl::detail
