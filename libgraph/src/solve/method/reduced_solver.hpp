#pragma once
// What PreparedSolver asks of a method: the contract of all that solve the system left after pinning
// and elimination. The matrix is positive definite (up to rounding).
//
//   std::unique_ptr<ReducedSolver> inner = make_conjugate_gradient(system, limit);
//   InnerResult result = inner->solve(b, x, targets, run);
//
// A new method (approximate Cholesky, multigrid) is a source beside the others with a factory
// in its header, and a line in choose_solver.cpp.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

using SharedSystem = std::shared_ptr<const GroundedLaplacian>;

struct InnerResult {
  Outcome outcome = Outcome::converged;
  std::int64_t iterations = 0;
  std::string note = {};           // why it stopped early, or empty
  std::vector<double> error = {};  // estimated ‖error‖_A of each column, NaN or empty: no estimate
};

// What a solver returns that was told to stop.
inline InnerResult stopped(const RunContext& run) { return {.outcome = run.stop_reason()}; }

// What is told of an answer, good or not, of a method that ended so. A run that can go on comes to
// the bytes of one that was not stopped: what would do is not taken, and whatever the stop may have
// cut short is made again.
inline Outcome concluded(Outcome method, bool good, const RunContext& run) {
  const std::optional<Outcome> why = ended_by_run(method) ? method : run.stop();
  if (why && (run.checkpoint != nullptr || !good)) return *why;
  if (good) return Outcome::converged;
  return method == Outcome::converged ? Outcome::breakdown : method;
}

class ReducedSolver {
 public:
  virtual ~ReducedSolver() = default;

  // x comes in as the initial guess, with the shape of b, and leaves finite. Stops when the
  // residual of column j has a norm ≤ targets[j]. Safe to call from several threads at once.
  virtual InnerResult solve(const Block& b, Block& x, const std::vector<double>& targets,
                            const RunContext& run) const = 0;

  // The same method for a system of the same pattern with other weights or another ground, keeping
  // what was prepared; null: that cannot be kept, or the run was stopped.
  virtual std::unique_ptr<ReducedSolver> updated(SharedSystem system,
                                                 const RunContext& run = {}) const = 0;

  // Whether updated() computes every number again, so that preparing anew gains nothing.
  virtual bool updates_fully() const { return false; }

  // Whether it adds positive numbers only, so that its answer can be proven where rounding keeps its
  // residual up.
  virtual bool never_subtracts() const { return false; }

  // Whether its residual may be small while its error is not, for thousands of iterations.
  virtual bool slow() const { return false; }
};

}  // namespace gssl::solve
