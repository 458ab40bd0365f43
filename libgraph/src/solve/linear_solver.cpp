#include "gssl/solve/linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "column_scale.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "linalg/block_kernels.hpp"
#include "proven_error.hpp"
#include "rounding_floor.hpp"
#include "singular_part.hpp"
#include "solve/choose/choose_solver.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/kept_steps.hpp"
#include "solve/method/network/network_method.hpp"
#include "solve/method/sampled/approximate_cholesky.hpp"
#include "solve/order/renumbering.hpp"
#include "solve/reduce/elimination.hpp"
#include "solve_problem.hpp"

namespace gssl {
namespace {

using namespace solve;

// Solving once more for the residual gains digits that rounding took, or shows that it cannot.
constexpr int most_refinements = 3;
// What is left of a column when its mean is taken away and that was all it had.
constexpr double rounding = 1e-14;
// The inner solver aims a little lower, so that folding and unfolding do not spoil its answer.
constexpr double margin = 0.8;
constexpr std::int64_t rescue_iterations = 10'000;
constexpr std::int64_t plain_rescue_iterations = 3000;
// A residual so many times what rounding leaves has another cause.
constexpr double not_rounding = 100.0;
// The relative residual of an answer worth going on from.
constexpr double good_guess = 0.1;
// Columns that a solver is to have room for when nobody says how many come at once.
constexpr std::int64_t usual_columns = 20;
// How well the error itself is known.
constexpr double few_digits = 0.01;

[[noreturn]] void refuse_other_pattern() {
  throw Error(ErrorCode::bad_data,
              "updated system: must have the vertices and edges of the one prepared");
}

void check_system(const SharedSystem& system) {
  if (system == nullptr)
    throw Error(ErrorCode::usage, "solver: a null system: must be a grounded Laplacian");
}

[[noreturn]] void refuse_overflow() {
  throw Error(ErrorCode::bad_data,
              "right-hand side: the answer exceeds the largest number: scale it down");
}

// Solves what is left after pinning and elimination, as ReducedSolver::solve() does.
using Inner = std::function<InnerResult(const Block& b, Block& x,
                                        const std::vector<double>& targets, const RunContext& run)>;

class PreparedSolver final : public LinearSolver {
 public:
  PreparedSolver(SharedSystem system, const SolverOptions& options, const RunContext& run)
      : options_((options.validate(), options)),
        system_(std::move(system)),
        renumbering_(order_fits(run) ? Renumbering(system_->graph()) : Renumbering()),
        singular_(system_),
        elimination_(eliminated(run)) {}

  // Another system of the same pattern.
  PreparedSolver(const PreparedSolver& other, SharedSystem system, const RunContext& run)
      : options_(other.options_),
        system_(std::move(system)),
        renumbering_(other.renumbering_),
        singular_(system_),
        elimination_(eliminated(run)) {}

  // Nothing is chosen until one of these was called, or reuse().
  void choose(const RunContext& run) {
    choice_ =
        choose_solver(elimination_.reduced(), options_,
                      beside_columns(run, std::min(expected_columns(options_), usual_columns)));
  }
  SolveReport choose_and_solve(const Block& b, Block& x, const RunContext& run, double& seconds);

  SolveReport solve(const Block& b, Block& x, const RunContext& run,
                    bool warm_start) const override {
    SolveReport report = solve_by(by(choice_.solver.get()), b, x, run, warm_start);
    if (reused_ && stalled(report)) prepare_anew(b, x, run, report);
    return report;
  }

  std::unique_ptr<LinearSolver> updated(SharedSystem system, const RunContext& run) const override {
    check_system(system);
    const Graph& before = system_->graph();
    const Graph& now = system->graph();
    if (!std::ranges::equal(before.offset_array(), now.offset_array()) ||
        !std::ranges::equal(before.neighbor_array(), now.neighbor_array()))
      refuse_other_pattern();
    auto solver = std::make_unique<PreparedSolver>(*this, std::move(system), run);
    solver->updated_ = true;
    solver->reuse(choice_, run);
    return solver;
  }

 private:
  // A graph in another order, and the network of the elimination, are as large again.
  bool order_fits(const RunContext& run) const {
    return fits(run, 2.0 * graph_bytes(system_->graph()));
  }
  bool elimination_fits(const RunContext& run) const {
    const SolverKind least = SolverKind::conjugate_gradient;
    return fits(run, solver_memory(system_->graph(), least).bytes(0.0).high);
  }
  // What is left for a method when `columns` are solved at once.
  RunContext beside_columns(const RunContext& run, std::int64_t columns) const {
    const MemoryRange column = solver_memory(system_->graph(), options_.kind).column;
    return with_taken(run, static_cast<double>(columns) * column.high);
  }

  Elimination eliminated(const RunContext& run) {
    if (!options_.eliminate || !elimination_fits(run) || !elimination_pays(system_->graph()))
      return Elimination(renumbering_.system(singular_.pinned()));
    return {singular_.pinned(), renumbering_, run.thread_count()};
  }

  // The method of a system with the same pattern, or a new one where it cannot be kept.
  void reuse(const Choice& other, const RunContext& run) {
    if (other.solver != nullptr) {
      reused_ = !other.solver->updates_fully();
      choice_ = {other.solver->updated(elimination_.reduced()), other.used,
                 other.reason + "; its preparation reused", ""};
    }
    if (choice_.solver != nullptr) return;
    reused_ = false;
    choose(run);
  }

  // Whether another preparation may do better, and has iterations left.
  bool stalled(const SolveReport& report) const {
    return (report.outcome == Outcome::breakdown || report.outcome == Outcome::iteration_limit) &&
           (options_.max_iterations == 0 || report.iterations < options_.max_iterations);
  }
  void prepare_anew(const Block& b, Block& x, const RunContext& run, SolveReport& report) const;

  Inner by(const ReducedSolver* solver) const {
    return [this, solver](const Block& b, Block& x, const std::vector<double>& targets,
                          const RunContext& run) -> InnerResult {
      if (solver != nullptr) return kept_solve(*solver, b, x, targets, run);
      if (!choice_.failure.empty()) return {Outcome::breakdown, 0, choice_.failure};
      return {};
    };
  }
  SolveReport solve_by(const Inner& inner, const Block& b, Block& x, const RunContext& run,
                       bool warm_start) const;
  InnerResult solve_pinned(const Inner& inner, const Block& b, Block& x,
                           const std::vector<double>& targets, const RunContext& run,
                           bool has_guess) const;
  InnerResult solve_grounded(const Inner& inner, const Block& b, Block& x,
                             const std::vector<double>& targets, const RunContext& run,
                             bool has_guess) const;
  double project_right_hand_side(Block& b, const std::vector<double>& norms, int threads) const;
  std::optional<double> estimate_error(const Problem& problem, const InnerResult& result,
                                       const RunContext& run) const;
  double refine(const Inner& inner, Problem& problem, InnerResult& result,
                const RunContext& run) const;
  const ReducedSolver* without_subtraction(const RunContext& run) const;
  bool nothing_is_left() const { return elimination_.reduced()->size() == 0; }
  std::optional<ProvenError> prove(Problem& problem, InnerResult& result,
                                   const RunContext& run) const;
  bool wants_rescue(const Problem& problem, const InnerResult& result, const RunContext& run) const;
  void rescue(Problem& problem, InnerResult& result, const RunContext& run) const;
  void conclude(SolveReport& report, const InnerResult& result, double worst,
                const std::optional<ProvenError>& proven) const;

  SolverOptions options_;
  SharedSystem system_;  // as given; the system in order is not kept once elimination has it
  Renumbering renumbering_;
  SingularPart singular_;
  Elimination elimination_;
  Choice choice_;
  bool reused_ = false;   // choice_ holds numbers of another system
  bool updated_ = false;  // made by updated()
  struct Exact {
    std::mutex making;
    bool tried = false;
    std::unique_ptr<ReducedSolver> factor;
  };
  mutable Exact exact_;
};

// The answer of the pinned system, of mean zero where that is all that is known of it; x holds the
// guess if there is one.
InnerResult PreparedSolver::solve_pinned(const Inner& inner, const Block& b, Block& x,
                                         const std::vector<double>& targets, const RunContext& run,
                                         bool has_guess) const {
  InnerResult result = solve_grounded(inner, b, x, targets, run, has_guess);
  singular_.project(x);
  return result;
}

InnerResult PreparedSolver::solve_grounded(const Inner& inner, const Block& b, Block& x,
                                           const std::vector<double>& targets,
                                           const RunContext& run, bool has_guess) const {
  const int threads = run.thread_count();
  Block folded = renumbering_.in_order(b, threads);
  Block reduced_b = elimination_.reduce(folded, threads);
  Block reduced_x = has_guess ? elimination_.restrict_to_kept(renumbering_.in_order(x, threads))
                              : Block(reduced_b.rows(), reduced_b.columns());
  const bool whole = singular_.largest() == 0 && elimination_.eliminated_count() == 0;
  const double safety =
      whole ? 1.0 : margin / (1.0 + std::sqrt(static_cast<double>(singular_.largest())));
  std::vector<double> inner_targets = targets;
  for (double& target : inner_targets) target *= safety;
  InnerResult result = inner(reduced_b, reduced_x, inner_targets, run);
  x = renumbering_.as_given(elimination_.extend(folded, reduced_x, threads), threads);
  return result;
}

// Solves for what is left over, keeps each column that gained, and returns the worst norm/target.
double PreparedSolver::refine(const Inner& inner, Problem& problem, InnerResult& result,
                              const RunContext& run) const {
  const int threads = run.thread_count();
  double worst = worst_ratio(problem.norms, problem.targets);
  for (int round = 0; round < most_refinements && worst > 1.0 && !run.should_stop(); ++round) {
    if (result.outcome == Outcome::iteration_limit || !choice_.failure.empty()) break;
    Block correction, b = problem.r, r;
    singular_.project(b);
    const InnerResult again = solve_pinned(inner, b, correction, problem.targets, run, false);
    result.iterations += again.iterations;
    if (again.outcome != Outcome::converged) result.outcome = again.outcome;
    const std::int64_t c = correction.columns();
    for (std::int64_t v = 0; v < correction.rows(); ++v)
      for (std::int64_t j = 0; j < c; ++j) correction(v, j) += problem.x(v, j);
    const std::vector<double> norms = residual(*system_, problem.b, correction, r, threads);
    for (std::int64_t j = 0; j < c; ++j) {
      const auto i = static_cast<std::size_t>(j);
      if (!(norms[i] < problem.norms[i])) continue;
      problem.norms[i] = norms[i];
      if (again.error.empty()) result.error.clear();
      if (!result.error.empty()) result.error[i] = again.error[i];
      for (std::int64_t v = 0; v < correction.rows(); ++v) {
        problem.x(v, j) = correction(v, j);
        problem.r(v, j) = r(v, j);
      }
    }
    const double before = std::exchange(worst, worst_ratio(problem.norms, problem.targets));
    if (worst <= 1.0) result.note.clear();
    if (worst > 0.5 * before) break;
  }
  return worst;
}

// Solves by another method, and keeps its answer if that is nearer. Multigrid and a forecast have
// no bound on their iterations. Approximate Cholesky multiplies what rounding leaves of 1ᵀr by the
// inverse of a weak ground; conjugate gradients with the diagonal alone never see it.
void PreparedSolver::rescue(Problem& problem, InnerResult& result, const RunContext& run) const {
  const auto& reduced = elimination_.reduced();
  const bool stalled = choice_.used != "approximate-cholesky";
  const auto solver =
      stalled ? make_conjugate_gradient(
                    reduced, make_approximate_cholesky(*reduced, run.seed, run.thread_count()),
                    rescue_iterations)
              : make_conjugate_gradient(reduced, nullptr, plain_rescue_iterations);
  Problem other = problem;
  const bool has_guess =
      stalled && worst_ratio(problem.norms, problem.targets) * options_.tolerance <= good_guess;
  if (has_guess) singular_.shift_to_pin(other.x);
  InnerResult again =
      solve_pinned(by(solver.get()), other.b, other.x, other.targets, run, has_guess);
  measure(*system_, other, run.thread_count());
  refine(by(solver.get()), other, again, run);
  if (!(worst_ratio(other.norms, other.targets) < worst_ratio(problem.norms, problem.targets)))
    return;
  again.iterations += result.iterations;
  again.note = (stalled ? choice_.used + " stalled and approximate-cholesky took over"
                        : "approximate-cholesky broke down and cg took over") +
               (again.note.empty() ? "" : "; " + again.note);
  result = std::move(again);
  problem = std::move(other);
}

// The factor that never subtracts, made when first wanted; null if it is too large, or a method was
// asked for by name. Who solves systems of one pattern by the dozen did not ask for one each.
const ReducedSolver* PreparedSolver::without_subtraction(const RunContext& run) const {
  if (options_.kind != SolverKind::automatic && options_.kind != SolverKind::cholesky)
    return nullptr;
  if (updated_) return nullptr;
  const std::lock_guard lock(exact_.making);
  if (!exact_.tried) {
    exact_.factor = make_network_method(elimination_.reduced(), run);
    exact_.tried = exact_.factor != nullptr || !run.should_stop();
  }
  return exact_.factor.get();
}

// Where rounding alone may keep the residual up: the answer of a method that never subtracts, if
// its error is proven to be within the tolerance. That method is elimination, if it left nothing to
// the others, or else a factor.
std::optional<ProvenError> PreparedSolver::prove(Problem& problem, InnerResult& result,
                                                 const RunContext& run) const {
  const bool limited = result.outcome == Outcome::iteration_limit && options_.max_iterations > 0;
  if (limited || run.should_stop() || worst_ratio(problem.norms, problem.targets) <= 1.0) return {};
  const bool factored = !nothing_is_left();
  const ReducedSolver* factor = factored ? without_subtraction(run) : nullptr;
  if (factored && factor == nullptr) return {};
  const int threads = run.thread_count();
  const auto solve = [&](const Block& b) {
    Block x;
    const std::vector<double> targets(static_cast<std::size_t>(b.columns()), 0.0);
    solve_grounded(by(factor), b, x, targets, run, false);
    return x;
  };
  const auto center = [&](Block& x) { singular_.project(x); };
  Problem other{.b = problem.b, .x = solve(problem.b), .targets = problem.targets};
  center(other.x);
  measure(*system_, other, threads);
  const ProvenError proven = prove_error(*system_, other.b, other.x, solve, center, threads);
  if (run.should_stop() || !(proven.relative <= options_.tolerance)) return {};
  problem = std::move(other);
  result.note =
      factored ? choice_.used + " stalled and a factor without subtraction took over" : "";
  return proven;
}

// max ‖error‖_A/‖x‖_A. Conjugate gradients know their error; elsewhere the worst column is solved
// once more for what its residual hides, ‖error‖²_A = rᵀA⁻¹r.
std::optional<double> PreparedSolver::estimate_error(const Problem& problem,
                                                     const InnerResult& result,
                                                     const RunContext& run) const {
  const std::int64_t n = problem.x.rows(), c = problem.x.columns();
  std::vector<double> energy;
  column_sums(n, c, run.thread_count(), energy,
              [&](std::int64_t begin, std::int64_t end, double* sum) {
                for (std::int64_t v = begin; v < end; ++v)
                  for (std::int64_t j = 0; j < c; ++j) sum[j] += problem.x(v, j) * problem.b(v, j);
              });
  double worst = 0.0;
  std::optional<std::int64_t> unknown;
  for (std::int64_t j = 0; j < c; ++j) {
    const auto i = static_cast<std::size_t>(j);
    if (problem.norms[i] == 0.0) continue;
    if (!(energy[i] > 0.0)) return std::nullopt;
    if (!result.error.empty() && std::isfinite(result.error[i])) {
      worst = std::max(worst, result.error[i] / std::sqrt(energy[i]));
    } else if (!unknown ||
               problem.norms[i] * problem.targets[static_cast<std::size_t>(*unknown)] >
                   problem.norms[static_cast<std::size_t>(*unknown)] * problem.targets[i]) {
      unknown = j;
    }
  }
  if (!unknown) return worst;
  if (run.should_stop() || !choice_.failure.empty()) return std::nullopt;
  // What was eliminated alone has no sums that may hide something.
  Block r = elimination_.reduced()->size() == 0
                ? column_of(problem.r, *unknown)
                : measurable_residual(*system_, problem, *unknown, run);
  Block e;
  singular_.project(r);
  const auto i = static_cast<std::size_t>(*unknown);
  // Relaxation hides its error best of all, and would be as slow to find it.
  std::unique_ptr<ReducedSolver> sharper;
  if (choice_.solver != nullptr && choice_.solver->slow())
    sharper = make_conjugate_gradient(
        elimination_.reduced(),
        make_approximate_cholesky(*elimination_.reduced(), run.seed, run.thread_count()), 1000);
  solve_pinned(by(sharper ? sharper.get() : choice_.solver.get()), r, e,
               {few_digits * column_norms(r, run.thread_count()).front()}, run, false);
  double hidden = 0.0;
  for (std::int64_t v = 0; v < n; ++v) hidden += r(v, 0) * e(v, 0);
  if (!(hidden >= 0.0)) return std::nullopt;  // the solver itself is lost in rounding
  return std::max(worst, std::sqrt(hidden / energy[i]));
}

void PreparedSolver::conclude(SolveReport& report, const InnerResult& result, double worst,
                              const std::optional<ProvenError>& proven) const {
  report.requested = to_string(options_.kind);
  report.used = choice_.used;
  report.iterations = result.iterations;
  report.relative_residual = worst * options_.tolerance;
  report.outcome = worst <= 1.0 || proven                 ? Outcome::converged
                   : result.outcome == Outcome::converged ? Outcome::breakdown
                                                          : result.outcome;
  std::string& text = report.sentence;
  text = choice_.used + " (" + choice_.reason + ")";
  if (elimination_.eliminated_count() > 0)
    text += ", after eliminating " + std::to_string(elimination_.eliminated_count()) + " of " +
            std::to_string(system_->size()) + " vertices";
  text += report.outcome == Outcome::converged         ? ", converged"
          : report.outcome == Outcome::iteration_limit ? ", stopped at the iteration limit"
          : report.outcome == Outcome::time_limit      ? ", stopped at the time limit"
          : report.outcome == Outcome::cancelled       ? ", was cancelled"
                                                       : ", stalled";
  if (report.iterations > 0) text += " after " + std::to_string(report.iterations) + " iterations";
  text += " at relative residual " + to_brief_text(report.relative_residual);
  if (proven)
    text += ", which is rounding alone: the values are proven to " +
            to_brief_text(proven->relative) + " of the largest";
  if (report.outcome != Outcome::converged)
    text += ", asked for " + to_brief_text(options_.tolerance);
  if (!result.note.empty()) {
    text += ": " + result.note;
  } else if (report.outcome == Outcome::breakdown) {
    text += ": double precision allows no more here";
  }
}

// Takes from b what no x can meet; returns how much that was, relative, in the worst column.
double PreparedSolver::project_right_hand_side(Block& b, const std::vector<double>& norms,
                                               int threads) const {
  if (system_->singular_count() == 0) return 0.0;
  Block lost = b;
  singular_.project(b);
  parallel_blocks(b.rows() * b.columns(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) lost.data()[i] -= b.data()[i];
  });
  const std::vector<double> lost_norms = column_norms(lost, threads);
  double worst = 0.0;
  for (std::size_t j = 0; j < norms.size(); ++j)
    if (norms[j] > 0.0) worst = std::max(worst, lost_norms[j] / norms[j]);
  return worst;
}

// Whether another method may do what the one chosen did not; one reused is prepared anew instead.
bool PreparedSolver::wants_rescue(const Problem& problem, const InnerResult& result,
                                  const RunContext& run) const {
  if (reused_) return false;
  const bool too_many = result.outcome == Outcome::iteration_limit && options_.max_iterations == 0;
  if (!too_many && result.outcome != Outcome::breakdown) return false;
  if (choice_.used == "multigrid") return true;
  if (options_.kind != SolverKind::automatic) return false;
  if (choice_.used == "cg")
    return too_many && fits(run, approximate_factor_bytes(elimination_.reduced()->graph()));
  return choice_.used == "approximate-cholesky" &&
         worst_ratio(problem.norms, column_norms(rounding_floors(*system_, problem.b, problem.x,
                                                                 run.thread_count()),
                                                 run.thread_count())) > not_rounding;
}

SolveReport PreparedSolver::solve_by(const Inner& inner, const Block& b, Block& x,
                                     const RunContext& run, bool warm_start) const {
  const std::int64_t n = system_->size(), c = b.columns();
  if (b.rows() != n)
    throw Error(ErrorCode::bad_data, "right-hand side: " + std::to_string(b.rows()) + " rows for " +
                                         std::to_string(n) + " vertices: must be one for each");
  const int threads = run.thread_count();
  const std::vector<int> exponent = column_exponents(b, threads);
  SolveReport report;

  Problem problem{.b = scaled(b, exponent, -1, threads)};
  const std::vector<double> given = column_norms(problem.b, threads);
  report.inconsistency = project_right_hand_side(problem.b, given, threads);

  const bool has_guess = warm_start && x.rows() == n && x.columns() == c && all_finite(x);
  problem.targets = column_norms(problem.b, threads);
  if (has_guess) {
    problem.x = scaled(x, exponent, -1, threads);
    drop_bad_guesses(*system_, problem, threads);
  }
  for (std::size_t j = 0; j < given.size(); ++j) {
    if (problem.targets[j] <= rounding * given[j]) {
      problem.targets[j] = 0.0;
      clear_column(problem.b, static_cast<std::int64_t>(j));
      if (has_guess) clear_column(problem.x, static_cast<std::int64_t>(j));
    }
    problem.targets[j] *= options_.tolerance;
  }

  InnerResult result;
  if (run.should_stop()) {
    result.outcome = stopped(run).outcome;
    if (!has_guess) problem.x = Block(n, c);
    singular_.project(problem.x);
  } else {
    if (has_guess) singular_.shift_to_pin(problem.x);
    result = solve_pinned(inner, problem.b, problem.x, problem.targets, run, has_guess);
  }
  measure(*system_, problem, threads);
  if (wants_rescue(problem, result, run)) rescue(problem, result, run);
  // What elimination alone has solved has digits that refinement would spoil.
  std::optional<ProvenError> proven;
  if (nothing_is_left()) proven = prove(problem, result, run);
  if (!proven) refine(by(choice_.solver.get()), problem, result, run);
  if (!proven && !nothing_is_left()) proven = prove(problem, result, run);
  conclude(report, result, worst_ratio(problem.norms, problem.targets), proven);
  report.error_estimate =
      proven ? std::optional(proven->energy) : estimate_error(problem, result, run);
  x = scaled(std::move(problem.x), exponent, 1, threads);
  if (std::ranges::any_of(exponent, [](int e) { return e > 0; }) && !all_finite(x))
    refuse_overflow();
  return report;
}

// Solves by a preparation of its own, and keeps the answer if that is nearer.
void PreparedSolver::prepare_anew(const Block& b, Block& x, const RunContext& run,
                                  SolveReport& report) const {
  Block other;
  SolverOptions options = options_;
  if (options.max_iterations > 0) options.max_iterations -= report.iterations;
  SolveReport again = make_solver(system_, options, run)->solve(b, other, run);
  if (!(again.relative_residual < report.relative_residual)) return;
  again.iterations += report.iterations;
  again.sentence += "; prepared anew, since the preparation reused broke down";
  report = std::move(again);
  x = std::move(other);
}

// `seconds` grows by what choosing took, unless it came to be the solve itself.
SolveReport PreparedSolver::choose_and_solve(const Block& b, Block& x, const RunContext& run,
                                             double& seconds) {
  if (run.should_stop()) {
    choose(run);
    return solve(b, x, run, false);
  }
  choice_.used = "cg";  // should the time be over before
  choice_.reason = "no time was left to choose";
  const Inner choosing = [&](const Block& reduced_b, Block& reduced_x,
                             const std::vector<double>& targets, const RunContext& inner_run) {
    const Stopwatch watch;
    FirstColumns first{reduced_b, reduced_x, targets};
    choice_ = choose_solver(elimination_.reduced(), options_,
                            beside_columns(inner_run, b.columns()), &first);
    if (first.solved) return first.begun;
    seconds += watch.seconds();
    InnerResult result = by(choice_.solver.get())(reduced_b, reduced_x, targets, inner_run);
    result.iterations += first.begun.iterations;
    return result;
  };
  SolveReport report = solve_by(choosing, b, x, run, false);
  if (choice_.solver == nullptr && choice_.failure.empty()) choose(run);
  return report;
}

}  // namespace

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
