#pragma once
// Conjugate gradients of PETSc on one system and many right-hand sides, with the diagonal or with
// hypre's BoomerAMG. With the diagonal they go over a reduced system, and need no matrix; hypre has
// the entries as one.
//
//   DistributedSolver solver(system, {.tolerance = 1e-10}, run, ranks);
//   std::vector<double> x = solver.solve(b, 1e-10);     // collective
//   solver.report();
//
// Which of the two, `automatic` tells as one machine does: it forecasts from the first 15 steps with
// the diagonal how many there will be, and where that is above 300, hypre is worth its set-up.
// Where the forecast was too hopeful, the work goes on with hypre from where it stands. Every answer
// is judged by b − Ax, computed anew from x.

#include <optional>
#include <string>
#include <vector>

#include "assembled_matrix.hpp"
#include "gssl/core/stopwatch.hpp"
#include "reduced_system.hpp"

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
  // Collective. `system` must outlive this, which PETSc points at.
  DistributedSolver(DistributedSystem& system, const DistributedSolverOptions& options,
                    const RunContext& run, const Communicator& ranks);

  DistributedSolver(const DistributedSolver&) = delete;
  DistributedSolver& operator=(const DistributedSolver&) = delete;
  ~DistributedSolver() = default;

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
  void begin();
  void use(Preconditioning kind);
  void forecast();
  void make_vectors();
  void judge(const std::vector<double>& b, const std::vector<double>& x);
  std::int64_t run_solver(const std::vector<double>& b, std::vector<double>& x, std::int64_t most,
                          bool from_x);
  double own_dot(const double* x, const double* y) const;
  void look(PetscInt step);
  std::optional<Outcome> agreed_stop() const;
  static PetscErrorCode multiply(Mat product, Vec x, Vec y);
  static PetscErrorCode divide(PC diagonal, Vec r, Vec z);
  static PetscErrorCode test_convergence(KSP ksp, PetscInt step, PetscReal norm,
                                         KSPConvergedReason* reason, void* self);

  DistributedSystem& system_;
  const DistributedSolverOptions options_;
  const RunContext& run_;
  const Communicator& ranks_;
  std::optional<ReducedSystem> reduced_;  // with the diagonal
  Handle<Vec> x_, b_;                     // of its rows, or of all
  Handle<Mat> product_;
  std::optional<AssembledMatrix> matrix_;  // where a preconditioner looks at entries
  Handle<KSP> ksp_;
  Preconditioning used_ = Preconditioning::automatic;
  std::string why_;
  double forecast_ = 0.0;       // iterations of a column with the diagonal
  bool may_use_hypre_ = false;  // where that is not asked for
  bool probing_ = false;        // the first steps, as long as there was no forecast
  KSPConvergedReason ended_ = KSP_CONVERGED_ITERATING;  // the last run
  std::vector<double> rz_, pq_;                         // of its steps, of this rank
  double tolerance_ = 0.0;                              // of the column at work
  double target_ = 0.0;                                 // of ‖b−Ax‖
  double patience_ = 0.0;   // iterations before the diagonal is given up
  PetscInt next_look_ = 0;  // steps of the last run
  PetscInt last_look_ = 0;
  Stopwatch since_look_;
  std::optional<Outcome> stopped_;
  SolveReport report_;
  double relative_ = 0.0;
  double largest_ = 0.0;  // |b−Ax|_v/A_vv of this rank and column
  double entrywise_ = 0.0;
  double setup_seconds_ = 0.0;
  std::vector<double> residual_;
};

}  // namespace gssl::mpi
