#include "gssl/solve/linear_solver.hpp"

#include <utility>

#include "gssl/core/stopwatch.hpp"
#include "prepared_solver.hpp"

namespace gssl {

using namespace solve;

std::unique_ptr<LinearSolver> make_solver(std::shared_ptr<const GroundedLaplacian> system,
                                          const SolverOptions& options, const RunContext& run) {
  check_system(system);
  auto solver = std::make_unique<PreparedSolver>(std::move(system), options, run);
  solver->choose(run);
  return solver;
}

std::unique_ptr<LinearSolver> make_solver(GroundedLaplacian system, const SolverOptions& options,
                                          const RunContext& run) {
  return make_solver(std::make_shared<const GroundedLaplacian>(std::move(system)), options, run);
}

FirstSolve make_solver_and_solve(std::shared_ptr<const GroundedLaplacian> system,
                                 const SolverOptions& options, const Block& b, Block& x,
                                 const RunContext& run) {
  check_system(system);
  const Stopwatch watch;
  auto solver = std::make_unique<PreparedSolver>(std::move(system), options, run);
  FirstSolve first;
  first.setup_seconds = watch.seconds();
  first.report = solver->choose_and_solve(b, x, run, first.setup_seconds);
  first.solver = std::move(solver);
  return first;
}

}  // namespace gssl
