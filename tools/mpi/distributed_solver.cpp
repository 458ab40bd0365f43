#include "distributed_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "solve/choose/forecast.hpp"

namespace gssl::mpi {
namespace {

constexpr std::size_t probe_steps = 15;
// Iterations on the reduced system that hypre's set-up and its dearer steps are worth: 140 to 280 on
// grids, 350 to 380 on k-NN graphs.
constexpr double worth_hypre = 300.0;
// A forecast that is so many times too low is given up.
constexpr double wrong = 10.0;
// Between two looks at the clock and for signals, on all ranks together.
constexpr double seconds_between_looks = 0.2;
constexpr double most_between_looks = 64.0;  // steps
constexpr int most_restarts = 5;

#ifdef PETSC_HAVE_HYPRE
constexpr bool have_hypre = true;
#else
constexpr bool have_hypre = false;
#endif

constexpr const char* preconditioner_option = "-gssl_pc_type";
constexpr const char* relaxation = "-gssl_pc_hypre_boomeramg_relax_type_all";

// Measured on grids, k-NN graphs and RMAT graphs: the only settings without a bad case among them.
// One sweep forward on the way down and one backward on the way up, in the order of the rows, is
// symmetric as conjugate gradients need it. PETSc takes the settings from its options alone.
struct HypreSetting {
  const char* name;
  const char* value;
  const char* instead = nullptr;  // an option that decides the same
};
constexpr std::array hypre_settings = {
    HypreSetting{"-gssl_pc_hypre_boomeramg_interp_type", "ext+i-cc"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_P_max", "4"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_agg_nl", "1"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_keeptranspose", "1"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_no_CF", "1"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_relax_type_down", "l1-Gauss-Seidel", relaxation},
    HypreSetting{"-gssl_pc_hypre_boomeramg_relax_type_up", "backward-l1-Gauss-Seidel", relaxation}};
// HMIS with two paths keeps more vertices on the first coarse level: a third of the steps less on
// grids, and minutes more where some rows are long.
constexpr std::int64_t short_row = 64;
constexpr std::array short_row_settings = {
    HypreSetting{"-gssl_pc_hypre_boomeramg_coarsen_type", "HMIS"},
    HypreSetting{"-gssl_pc_hypre_boomeramg_agg_num_paths", "2"}};
constexpr std::array long_row_settings = {
    HypreSetting{"-gssl_pc_hypre_boomeramg_coarsen_type", "PMIS"}};

bool is_given(const char* name) {
  PetscBool given = PETSC_FALSE;
  check(PetscOptionsHasName(nullptr, nullptr, name, &given));
  return given == PETSC_TRUE;
}

// Options of hypre while this lives; those that the user gave stay.
class HypreOptions {
 public:
  explicit HypreOptions(std::int64_t widest_row) {
    set(hypre_settings);
    if (widest_row <= short_row)
      set(short_row_settings);
    else
      set(long_row_settings);
  }
  HypreOptions(const HypreOptions&) = delete;
  HypreOptions& operator=(const HypreOptions&) = delete;
  ~HypreOptions() {
    for (const char* name : set_) PetscOptionsClearValue(nullptr, name);
  }

 private:
  void set(std::span<const HypreSetting> settings) {
    for (const auto& [name, value, instead] : settings) {
      if (is_given(name) || (instead != nullptr && is_given(instead))) continue;
      check(PetscOptionsSetValue(nullptr, name, value));
      set_.push_back(name);
    }
  }

  std::vector<const char*> set_;
};

// hypre may see only on one rank that it cannot go on: the job ends.
void check_hypre(PetscErrorCode code, Preconditioning kind) {
  if (code == PETSC_ERR_LIB && kind == Preconditioning::hypre)
    throw std::runtime_error(
        "hypre failed, as it may where weights are many orders of magnitude apart; "
        "--preconditioner jacobi, or gssl on one machine, does without it");
  check(code);
}

// No number is larger than none.
void keep_larger(double& kept, double value) {
  if (!std::isnan(kept) && !(value <= kept)) kept = value;
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

DistributedSolver::DistributedSolver(DistributedSystem& system,
                                     const DistributedSolverOptions& options, const RunContext& run,
                                     const Communicator& ranks)
    : system_(system), options_(options), run_(run), ranks_(ranks) {
  report_.requested =
      options.kind == Preconditioning::automatic ? "automatic" : name_of(options.kind);
}

// y = Ax. What a forecast needs of each step is noted in passing: p·Ap here, r·z below.
PetscErrorCode DistributedSolver::multiply(Mat product, Vec x, Vec y) {
  void* context = nullptr;
  check(MatShellGetContext(product, &context));
  auto& self = *static_cast<DistributedSolver*>(context);
  const ReadEntries in(x);
  const OwnEntries out(y);
  if (self.reduced_)
    self.reduced_->multiply(in.data(), out.data());
  else
    self.system_.multiply(in.data(), out.data());
  if (self.probing_ && self.reduced_ && self.rz_.size() > self.pq_.size())
    self.pq_.push_back(self.own_dot(in.data(), out.data()));
  return 0;
}

// z = D⁻¹r.
PetscErrorCode DistributedSolver::divide(PC diagonal, Vec r, Vec z) {
  void* context = nullptr;
  check(PCShellGetContext(diagonal, &context));
  auto& self = *static_cast<DistributedSolver*>(context);
  const ReadEntries in(r);
  const OwnEntries out(z);
  const std::vector<double>& d = self.reduced_->diagonal();
  for (std::size_t i = 0; i < d.size(); ++i) out[i] = in[i] / d[i];
  if (self.probing_) self.rz_.push_back(self.own_dot(in.data(), out.data()));
  return 0;
}

double DistributedSolver::own_dot(const double* x, const double* y) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < reduced_->kept().size(); ++i) sum += x[i] * y[i];
  return sum;
}

// From the steps so far, probe_steps of which are whole.
void DistributedSolver::forecast() {
  probing_ = false;
  rz_.resize(probe_steps + 1);
  pq_.resize(probe_steps);
  ranks_.sum(std::span<double>(rz_));
  ranks_.sum(std::span<double>(pq_));
  solve::CgCoefficients found;
  for (std::size_t k = 0; k < probe_steps; ++k) {
    found.alpha.push_back(rz_[k] / pq_[k]);
    found.beta.push_back(rz_[k + 1] / rz_[k]);
  }
  // The same on every rank, whatever its processor makes of a logarithm.
  forecast_ = ranks_.max(solve::forecast_iterations(
      found, solve::Start::given, static_cast<double>(reduced_->size()), tolerance_));
  if (may_use_hypre_) patience_ = wrong * forecast_ + 100.0;
  if (std::isfinite(forecast_))
    why_ = fmt::format("{:.0f} iterations forecast with the diagonal", forecast_);
  if (have_hypre && !may_use_hypre_ && !(forecast_ <= worth_hypre))
    why_ += ", and a rank has more entries than hypre counts";
}

void DistributedSolver::begin() {
  probing_ = options_.kind == Preconditioning::automatic && !is_given(preconditioner_option);
  may_use_hypre_ = probing_ && have_hypre && AssembledMatrix::fits(system_, ranks_);
  forecast_ = HUGE_VAL;
  why_ = probing_ ? "the diagonal does not do" : "as asked";
  use(options_.kind == Preconditioning::hypre ? Preconditioning::hypre : Preconditioning::jacobi);
}

// Of the rows that conjugate gradients go over, and their product.
void DistributedSolver::make_vectors() {
  const std::size_t rows = reduced_ ? reduced_->kept().size() : system_.rows().size();
  const auto own = static_cast<PetscInt>(rows);
  check(VecCreateMPI(ranks_.handle(), own, PETSC_DETERMINE, x_.out()));
  check(VecDuplicate(x_, b_.out()));
  check(MatCreateShell(ranks_.handle(), own, own, PETSC_DETERMINE, PETSC_DETERMINE, this,
                       product_.out()));
  check(MatShellSetOperation(product_, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  check(MatSetOption(product_, MAT_SPD, PETSC_TRUE));
}

void DistributedSolver::use(Preconditioning kind) {
  const Stopwatch watch;
  used_ = kind;
  if (kind == Preconditioning::hypre) probing_ = false;
  reduced_.reset();
  // A preconditioner of the user's looks at the entries, too.
  if (kind == Preconditioning::hypre || is_given(preconditioner_option))
    matrix_.emplace(system_, ranks_);
  else
    reduced_.emplace(system_, ranks_);
  make_vectors();
  check(KSPCreate(ranks_.handle(), ksp_.out()));
  check(KSPSetOptionsPrefix(ksp_, "gssl_"));
  check(KSPSetOperators(ksp_, product_, matrix_ ? matrix_->matrix() : Mat(product_)));
  check(KSPSetType(ksp_, KSPCG));
  check(KSPSetNormType(ksp_, KSP_NORM_UNPRECONDITIONED));
  check(KSPSetConvergenceTest(ksp_, test_convergence, this, nullptr));
  PC pc = nullptr;
  check(KSPGetPC(ksp_, &pc));
  std::optional<HypreOptions> options;
#ifdef PETSC_HAVE_HYPRE
  if (kind == Preconditioning::hypre) {
    options.emplace(system_.widest_row());
    check(PCSetType(pc, PCHYPRE));
    check(PCHYPRESetType(pc, "boomeramg"));
  }
#endif
  if (reduced_) {
    check(PCSetType(pc, PCSHELL));
    check(PCShellSetContext(pc, this));
    check(PCShellSetApply(pc, divide));
  }
  check(KSPSetFromOptions(ksp_));
  check_hypre(KSPSetUp(ksp_), kind);
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
  } else if (self.rz_.size() > probe_steps && self.probing_) {
    self.forecast();
    if (self.may_use_hypre_ && !(self.forecast_ <= worth_hypre)) *reason = KSP_CONVERGED_ITS;
  } else if (step >= self.patience_) {
    *reason = KSP_DIVERGED_ITS;
  } else if (step >= self.next_look_) {
    self.look(step);
    if (self.stopped_) *reason = KSP_CONVERGED_ITS;
  }
  return 0;
}

void DistributedSolver::look(PetscInt step) {
  run_.report_progress("solve");
  stopped_ = agreed_stop();
  const double seconds = ranks_.max(since_look_.seconds());
  const double steps = static_cast<double>(step - last_look_);
  // Nothing is known of the first step.
  const double more = steps > 0.0 ? steps * seconds_between_looks / std::max(seconds, 1e-9) : 1.0;
  next_look_ = step + static_cast<PetscInt>(std::clamp(more, 1.0, most_between_looks));
  last_look_ = step;
  since_look_ = Stopwatch();
}

std::optional<Outcome> DistributedSolver::agreed_stop() const {
  const std::optional<Outcome> own = run_.stop();
  const std::int64_t worst = ranks_.max(own ? static_cast<std::int64_t>(*own) : std::int64_t{-1});
  if (worst < 0) return std::nullopt;
  return static_cast<Outcome>(worst);
}

// Conjugate gradients on from x, which keeps the answer; returns their steps.
std::int64_t DistributedSolver::run_solver(const std::vector<double>& b, std::vector<double>& x,
                                           std::int64_t most, bool from_x) {
  if (reduced_) {
    reduced_->reduce(b, OwnEntries(b_).data());
    const OwnEntries start(x_);
    for (std::size_t i = 0; i < reduced_->kept().size(); ++i) start[i] = x[reduced_->kept()[i]];
  } else {
    std::ranges::copy(b, OwnEntries(b_).data());
    std::ranges::copy(x, OwnEntries(x_).data());
  }
  PetscInt steps = 0;
  rz_.clear();
  pq_.clear();
  ended_ = KSP_CONVERGED_RTOL;
  next_look_ = 0;
  if (!reduced_ || reduced_->size() > 0) {
    check(KSPSetInitialGuessNonzero(ksp_, from_x ? PETSC_TRUE : PETSC_FALSE));
    check(KSPSetTolerances(ksp_, tolerance_, PETSC_DEFAULT, PETSC_DEFAULT,
                           static_cast<PetscInt>(std::min<std::int64_t>(most, PETSC_MAX_INT))));
    check_hypre(KSPSolve(ksp_, b_, x_), used_);
    check(KSPGetIterationNumber(ksp_, &steps));
    check(KSPGetConvergedReason(ksp_, &ended_));
  }
  const OwnEntries found(x_);
  if (reduced_)
    reduced_->extend(b, found.data(), x);
  else
    std::copy_n(found.data(), x.size(), x.begin());
  return steps;
}

// b − Ax from the answer, in every norm that is told.
void DistributedSolver::judge(const std::vector<double>& b, const std::vector<double>& x) {
  if (reduced_)
    reduced_->multiply_extended(residual_.data());
  else
    system_.multiply(x.data(), residual_.data());
  double norm = 0.0, length = 0.0;
  largest_ = 0.0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    residual_[i] = b[i] - residual_[i];
    norm += residual_[i] * residual_[i];
    length += b[i] * b[i];
    largest_ = std::max(largest_, std::abs(residual_[i]) / system_.diagonal()[i]);
  }
  relative_ = std::sqrt(ranks_.sum(norm)) / std::sqrt(ranks_.sum(length));
}

std::vector<double> DistributedSolver::solve(const std::vector<double>& b, double tolerance) {
  const std::size_t n = b.size();
  double square = 0.0;
  for (const double value : b) square += value * value;
  const double norm = std::sqrt(ranks_.sum(square));
  residual_.assign(n, 0.0);
  relative_ = 0.0;
  if (norm == 0.0 || system_.size() == 0) return std::vector<double>(n, 0.0);
  tolerance_ = tolerance;
  if (used_ == Preconditioning::automatic) begin();
  std::vector<double> x(n, 0.0);
  const std::int64_t limit =
      options_.max_iterations > 0 ? options_.max_iterations : 10 * system_.size() + 1000;
  std::int64_t steps = 0;
  bool rounded = false;
  // The recurrence of the residual may run ahead of the truth: then it starts anew from x.
  for (int restart = 0; restart < most_restarts && !stopped_; ++restart) {
    target_ = 0.9 * tolerance * norm;
    const bool may_give_up = may_use_hypre_ && reduced_.has_value();
    patience_ = may_give_up ? wrong * forecast_ + 100.0 : HUGE_VAL;
    const bool from_x = restart > 0 && std::isfinite(relative_);
    const double before = from_x ? relative_ : HUGE_VAL;
    steps += run_solver(b, x, limit - steps, from_x);
    judge(b, x);
    if (relative_ <= tolerance || stopped_ || steps >= limit) break;
    if (ended_ == KSP_CONVERGED_RTOL) {
      // Another preconditioner would round as much.
      rounded = relative_ > 0.5 * before;
      if (rounded) break;
    } else if (may_give_up) {
      if (forecast_ <= worth_hypre) why_ += fmt::format(", {} were not enough", steps);
      use(Preconditioning::hypre);
    }
  }
  keep_larger(entrywise_, std::isfinite(relative_) ? ranks_.max(largest_) : relative_);
  SolveReport column;
  column.outcome = stopped_                 ? *stopped_
                   : relative_ <= tolerance ? Outcome::converged
                   : steps >= limit         ? Outcome::iteration_limit
                                            : Outcome::breakdown;
  report_.outcome = worse(report_.outcome, column.outcome);
  report_.iterations = std::max(report_.iterations, steps);
  double residual = report_.relative_residual.value_or(0.0);
  keep_larger(residual, relative_);
  report_.relative_residual = residual;
  report_.used = name_of(used_);
  report_.sentence = fmt::format("{} ({}) on {} ranks: {} iterations, residual {}", report_.used,
                                 probing_ ? "before a forecast was due" : why_, ranks_.size(),
                                 report_.iterations, to_brief_text(*report_.relative_residual));
  if (rounded) report_.sentence += ": rounding stopped the conjugate gradients";
  return x;
}

}  // namespace gssl::mpi
