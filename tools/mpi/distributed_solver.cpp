#include "distributed_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "solve/choose/forecast.hpp"

namespace gssl::mpi {
namespace {

constexpr int probe_steps = 15;
// Iterations with the diagonal that hypre's set-up and its dearer steps are worth.
constexpr double worth_hypre = 200.0;
// A forecast that is so many times too low is given up.
constexpr double wrong = 10.0;
constexpr PetscInt steps_between_looks = 8;
constexpr int most_restarts = 5;

#ifdef PETSC_HAVE_HYPRE
constexpr bool have_hypre = true;
#else
constexpr bool have_hypre = false;
#endif

// Coarsening by HMIS takes 7 steps less than PMIS on grids and as many on k-NN graphs, and minutes
// where some rows are long.
constexpr std::int64_t short_row = 64;
constexpr const char* coarsening = "-gssl_pc_hypre_boomeramg_coarsen_type";

// Measured on grids, k-NN graphs and RMAT graphs: the only settings without a bad case among them.
// PETSc takes them from its options alone.
struct HypreSetting {
  const char* name;
  const char* value;
};
constexpr std::array hypre_settings = {
    HypreSetting{"-gssl_pc_hypre_boomeramg_interp_type", "ext+i"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_P_max", "4"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_agg_nl", "1"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_relax_type_all", "Chebyshev"}};

// Options of PETSc that the user gave stay.
void set_unless_given(const char* name, const char* value) {
  PetscBool given = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, nullptr, name, &given));
  if (given == PETSC_FALSE) check(PetscOptionsSetValue(nullptr, name, value));
}

[[maybe_unused]] void set_options_of_hypre(std::int64_t widest_row) {
  for (const auto& [name, value] : hypre_settings) set_unless_given(name, value);
  set_unless_given(coarsening, widest_row <= short_row ? "HMIS" : "PMIS");
}

std::string name_of(Preconditioning kind) {
  return kind == Preconditioning::hypre ? "cg+hypre" : "cg";
}

}  // namespace

Preconditioning parse_preconditioning(const std::string& name) {
  if (name == "automatic") return Preconditioning::automatic;
  if (name == "jacobi") return Preconditioning::jacobi;
  if (name == "hypre" && have_hypre) return Preconditioning::hypre;
  throw Error(ErrorCode::usage,
              "--preconditioner " + name +
                  (name == "hypre" ? ": this PETSc was built without hypre; take jacobi"
                                   : ": expected automatic|jacobi|hypre"));
}

DistributedSolver::DistributedSolver(const DistributedSystem& system,
                                     const DistributedSolverOptions& options, const RunContext& run,
                                     const Communicator& ranks)
    : system_(system), options_(options), run_(run), ranks_(ranks) {
  check(MatCreateVecs(system.matrix(), x_.out(), b_.out()));
  check(VecDuplicate(b_, r_.out()));
  report_.requested =
      options.kind == Preconditioning::automatic ? "automatic" : name_of(options.kind);
}

// Steps of conjugate gradients with the diagonal, by hand: PETSc keeps their coefficients to itself.
// x_ is the direction meanwhile, and keeps how far they get.
double DistributedSolver::forecast(const std::vector<double>& b) {
  const std::size_t n = b.size();
  const std::vector<double>& d = system_.diagonal();
  std::vector<double> r = b, x(n, 0.0);
  solve::CgCoefficients found;
  double rz = 0.0;
  {
    OwnEntries p(x_);
    for (std::size_t i = 0; i < n; ++i) {
      p[i] = r[i] / d[i];
      rz += r[i] * p[i];
    }
  }
  rz = ranks_.sum(rz);
  const double start = rz;
  for (int step = 0; step < probe_steps; ++step) {
    check(MatMult(system_.matrix(), x_, r_));
    OwnEntries p(x_), q(r_);
    double pq = 0.0, next = 0.0;
    for (std::size_t i = 0; i < n; ++i) pq += p[i] * q[i];
    const double alpha = rz / ranks_.sum(pq);
    if (!std::isfinite(alpha) || alpha <= 0.0) {
      iterations_before_ = 0;
      return HUGE_VAL;
    }
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
      next += r[i] * r[i] / d[i];
    }
    next = ranks_.sum(next);
    found.alpha.push_back(alpha);
    found.beta.push_back(next / rz);
    iterations_before_ = step + 1;
    if (next <= options_.tolerance * options_.tolerance * start) break;
    for (std::size_t i = 0; i < n; ++i) p[i] = r[i] / d[i] + next / rz * p[i];
    rz = next;
  }
  OwnEntries entries(x_);
  for (std::size_t i = 0; i < n; ++i) entries[i] = x[i];
  if (iterations_before_ < probe_steps) return static_cast<double>(iterations_before_);
  return solve::forecast_iterations(found, solve::Start::given, static_cast<double>(system_.size()),
                                    options_.tolerance);
}

void DistributedSolver::choose(const std::vector<double>& b, double tolerance) {
  if (options_.kind != Preconditioning::automatic) {
    why_ = "as asked";
    use(options_.kind);
    return;
  }
  const Stopwatch watch;
  forecast_ = forecast(b) * std::log(tolerance) / std::log(options_.tolerance);
  setup_seconds_ += watch.seconds();
  why_ = std::isfinite(forecast_)
             ? fmt::format("{:.0f} iterations forecast with the diagonal", forecast_)
             : "the diagonal does not do";
  use(have_hypre && !(forecast_ <= worth_hypre) ? Preconditioning::hypre : Preconditioning::jacobi);
}

void DistributedSolver::use(Preconditioning kind) {
  const Stopwatch watch;
  used_ = kind;
  check(KSPCreate(ranks_.handle(), ksp_.out()));
  check(KSPSetOptionsPrefix(ksp_, "gssl_"));
  check(KSPSetOperators(ksp_, system_.matrix(), system_.matrix()));
  check(KSPSetType(ksp_, KSPCG));
  check(KSPSetNormType(ksp_, KSP_NORM_UNPRECONDITIONED));
  check(KSPSetConvergenceTest(ksp_, test_convergence, this, nullptr));
  PC pc = nullptr;
  check(KSPGetPC(ksp_, &pc));
#ifdef PETSC_HAVE_HYPRE
  if (kind == Preconditioning::hypre) {
    set_options_of_hypre(system_.widest_row());
    check(PCSetType(pc, PCHYPRE));
    check(PCHYPRESetType(pc, "boomeramg"));
  }
#endif
  if (kind == Preconditioning::jacobi) check(PCSetType(pc, PCJACOBI));
  check(KSPSetFromOptions(ksp_));
  check(KSPSetUp(ksp_));
  setup_seconds_ += watch.seconds();
}

// Every rank sees the same norm, and the same answer to whether it is time to stop.
PetscErrorCode DistributedSolver::test_convergence(KSP, PetscInt step, PetscReal norm,
                                                   KSPConvergedReason* reason, void* context) {
  auto& self = *static_cast<DistributedSolver*>(context);
  *reason = KSP_CONVERGED_ITERATING;
  if (norm <= self.target_) {
    *reason = KSP_CONVERGED_RTOL;
  } else if (!std::isfinite(norm)) {
    *reason = KSP_DIVERGED_NANORINF;
  } else if (step % steps_between_looks == 0) {
    self.run_.report_progress("solve");
    self.stopped_ = self.agreed_stop();
    if (self.stopped_) *reason = KSP_CONVERGED_ITS;
  }
  return 0;
}

std::optional<Outcome> DistributedSolver::agreed_stop() const {
  const std::optional<Outcome> own = run_.stop();
  const std::int64_t worst = ranks_.max(own ? static_cast<std::int64_t>(*own) : std::int64_t{-1});
  if (worst < 0) return std::nullopt;
  return static_cast<Outcome>(worst);
}

std::int64_t DistributedSolver::run_solver(double tolerance, std::int64_t most, bool from_x) {
  check(KSPSetInitialGuessNonzero(ksp_, from_x ? PETSC_TRUE : PETSC_FALSE));
  check(KSPSetTolerances(ksp_, tolerance, PETSC_DEFAULT, PETSC_DEFAULT,
                         static_cast<PetscInt>(std::min<std::int64_t>(most, PETSC_MAX_INT))));
  check(KSPSolve(ksp_, b_, x_));
  PetscInt steps = 0;
  check(KSPGetIterationNumber(ksp_, &steps));
  return steps;
}

// b − Ax from the answer, in every norm that is told.
void DistributedSolver::judge(const std::vector<double>& b) {
  check(MatMult(system_.matrix(), x_, r_));
  residual_.resize(b.size());
  double norm = 0.0, largest = 0.0;
  double length = 0.0;
  {
    OwnEntries entries(r_);
    for (std::size_t i = 0; i < b.size(); ++i) {
      residual_[i] = b[i] - entries[i];
      norm += residual_[i] * residual_[i];
      length += b[i] * b[i];
      largest = std::max(largest, std::abs(residual_[i]) / system_.diagonal()[i]);
    }
  }
  length = std::sqrt(ranks_.sum(length));
  relative_ = std::sqrt(ranks_.sum(norm)) / length;
  entrywise_ = std::max(entrywise_, ranks_.max(largest));
}

std::vector<double> DistributedSolver::solve(const std::vector<double>& b, double tolerance) {
  const std::size_t n = b.size();
  double square = 0.0;
  for (const double value : b) square += value * value;
  const double norm = std::sqrt(ranks_.sum(square));
  residual_.assign(n, 0.0);
  relative_ = 0.0;
  if (norm == 0.0 || system_.size() == 0) return std::vector<double>(n, 0.0);
  iterations_before_ = 0;
  if (used_ == Preconditioning::automatic) choose(b, tolerance);
  {
    OwnEntries entries(b_);
    for (std::size_t i = 0; i < n; ++i) entries[i] = b[i];
  }
  const std::int64_t limit =
      options_.max_iterations > 0 ? options_.max_iterations : 10 * system_.size() + 1000;
  // The forecast has begun the first column.
  std::int64_t steps = iterations_before_;
  const bool begun = steps > 0;
  // The recurrence of the residual may run ahead of the truth: then it starts anew from x.
  for (int restart = 0; restart < most_restarts && !stopped_; ++restart) {
    target_ = 0.9 * tolerance * norm;
    std::int64_t most = limit - steps;
    const bool may_give_up = options_.kind == Preconditioning::automatic && have_hypre &&
                             used_ == Preconditioning::jacobi;
    if (may_give_up) most = std::min(most, static_cast<std::int64_t>(wrong * forecast_) + 100);
    steps += run_solver(tolerance, most, begun || restart > 0);
    judge(b);
    if (relative_ <= tolerance || stopped_ || steps >= limit) break;
    if (may_give_up) {
      why_ += fmt::format(", {} were not enough", steps);
      use(Preconditioning::hypre);
    }
  }
  SolveReport column;
  column.outcome = stopped_                 ? *stopped_
                   : relative_ <= tolerance ? Outcome::converged
                   : steps >= limit         ? Outcome::iteration_limit
                                            : Outcome::breakdown;
  report_.outcome = worse(report_.outcome, column.outcome);
  report_.iterations = std::max(report_.iterations, steps);
  report_.relative_residual = std::max(report_.relative_residual, std::optional(relative_));
  report_.used = name_of(used_);
  report_.sentence =
      fmt::format("{} ({}) on {} ranks: {} iterations, residual {}", report_.used, why_,
                  ranks_.size(), report_.iterations, to_brief_text(*report_.relative_residual));
  std::vector<double> x(n);
  OwnEntries entries(x_);
  for (std::size_t i = 0; i < n; ++i) x[i] = entries[i];
  return x;
}

}  // namespace gssl::mpi
