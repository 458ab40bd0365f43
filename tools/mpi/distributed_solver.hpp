#pragma once
// Conjugate gradients of PETSc on one matrix and many right-hand sides, with the diagonal or with
// hypre's BoomerAMG.
//
//   DistributedSolver solver(system, {.tolerance = 1e-10}, run, ranks);
//   std::vector<double> x = solver.solve(b, 1e-10);     // collective
//   solver.report();
//
// Which of the two, `automatic` tells as one machine does: it forecasts from 15 steps with the
// diagonal how many more there will be, and where that is above 200, hypre is worth its set-up.
// Where the forecast was too hopeful, the work goes on with hypre from where it stands. Every answer
// is judged by b − Ax, computed anew from x.

#include <optional>
#include <string>
#include <vector>

#include "distributed_system.hpp"

namespace gssl::mpi {

enum class Preconditioning { automatic, jacobi, hypre };
// automatic, jacobi, hypre; throws ErrorCode::usage.
Preconditioning parse_preconditioning(const std::string& name);

struct DistributedSolverOptions {
  Preconditioning kind = Preconditioning::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖
  std::int64_t max_iterations = 0;  // of one column; 0: 10·rows + 1000
};

class DistributedSolver {
 public:
  // Collective. `system` must outlive this.
  DistributedSolver(const DistributedSystem& system, const DistributedSolverOptions& options,
                    const RunContext& run, const Communicator& ranks);

  // The rows of this rank; those of b likewise. `tolerance` may be below that of the options.
  std::vector<double> solve(const std::vector<double>& b, double tolerance);

  // ‖b−Ax‖₂/‖b‖₂ of the last column, b − Ax itself, and the largest |b−Ax|_v/A_vv.
  double relative_residual() const { return relative_; }
  const std::vector<double>& residual() const { return residual_; }

  // Of all columns so far.
  const SolveReport& report() const { return report_; }
  double entrywise_residual() const { return entrywise_; }
  double setup_seconds() const { return setup_seconds_; }

 private:
  double forecast(const std::vector<double>& b);
  void choose(const std::vector<double>& b, double tolerance);
  void use(Preconditioning kind);
  void judge(const std::vector<double>& b);
  std::int64_t run_solver(double tolerance, std::int64_t most, bool from_x);
  std::optional<Outcome> agreed_stop() const;
  static PetscErrorCode test_convergence(KSP ksp, PetscInt step, PetscReal norm,
                                         KSPConvergedReason* reason, void* self);

  const DistributedSystem& system_;
  const DistributedSolverOptions options_;
  const RunContext& run_;
  const Communicator& ranks_;
  Handle<KSP> ksp_;
  Handle<Vec> x_, b_, r_;
  Preconditioning used_ = Preconditioning::automatic;
  std::string why_;
  double forecast_ = 0.0;
  std::int64_t iterations_before_ = 0;  // steps of the forecast that x_ holds
  double target_ = 0.0;                 // of ‖b−Ax‖
  std::optional<Outcome> stopped_;
  SolveReport report_;
  double relative_ = 0.0;
  double entrywise_ = 0.0;
  double setup_seconds_ = 0.0;
  std::vector<double> residual_;
};

}  // namespace gssl::mpi
