// What a solve does when its residual is larger than was asked for, and how far off the answer is.

#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/linalg/residual.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "linalg/block_kernels.hpp"
#include "prepared_solver.hpp"
#include "solve/accuracy/rounding_floor.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/network/network_method.hpp"
#include "solve/method/sampled/approximate_cholesky.hpp"

namespace gssl::solve {
namespace {

// Solving once more for the residual gains digits that rounding took, or shows that it cannot.
constexpr int most_refinements = 3;
constexpr std::int64_t rescue_iterations = 10'000;
constexpr std::int64_t plain_rescue_iterations = 3000;
// A residual so many times what rounding leaves has another cause.
constexpr double not_rounding = 100.0;
// The relative residual of an answer worth going on from.
constexpr double good_guess = 0.1;
// How well the error itself is known.
constexpr double few_digits = 0.01;

}  // namespace

// Solves for what is left over, keeps each column that gained, and returns the worst norm/target.
double PreparedSolver::refine(const Inner& inner, SolveProblem& problem, InnerResult& result,
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

// Whether another method may do what the one chosen did not; one reused is prepared anew instead.
bool PreparedSolver::wants_rescue(const SolveProblem& problem, const InnerResult& result,
                                  const RunContext& run) const {
  if (reused_) return false;
  const bool too_many = result.outcome == Outcome::iteration_limit && options_.max_iterations == 0;
  if (!too_many && result.outcome != Outcome::breakdown) return false;
  // The method that failed, its columns and the problem are still there.
  const auto factor_fits = [&] {
    const NetworkSize size(elimination_.reduced()->graph());
    const bool levels = choice_.method == SolverMethod::multigrid;
    return fits(beside_columns(run, 2 * problem.b.columns()),
                approximate_factor_bytes(size) + (levels ? multigrid_bytes(size) : 0.0));
  };
  if (choice_.method == SolverMethod::multigrid) return factor_fits();
  if (options_.kind != SolverKind::automatic) return false;
  if (choice_.method == SolverMethod::conjugate_gradient) return too_many && factor_fits();
  return choice_.method == SolverMethod::approximate_cholesky &&
         worst_ratio(problem.norms, column_norms(rounding_floors(*system_, problem.b, problem.x,
                                                                 run.thread_count()),
                                                 run.thread_count())) > not_rounding;
}

// Solves by another method, and keeps its answer if that is nearer. Multigrid and a forecast have
// no bound on their iterations. Approximate Cholesky multiplies what rounding leaves of 1ᵀr by the
// inverse of a weak ground; conjugate gradients with the diagonal alone never see it.
void PreparedSolver::rescue(SolveProblem& problem, InnerResult& result,
                            const RunContext& run) const {
  const auto& reduced = elimination_.reduced();
  const bool stalled = choice_.method != SolverMethod::approximate_cholesky;
  const auto solver =
      stalled ? make_conjugate_gradient(
                    reduced, make_approximate_cholesky(*reduced, run.seed, run.thread_count(), run),
                    rescue_iterations)
              : make_conjugate_gradient(reduced, nullptr, plain_rescue_iterations);
  SolveProblem other = problem;
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
  again.note = (stalled ? std::string(to_string(choice_.method)) +
                              " stalled and approximate-cholesky took over"
                        : "approximate-cholesky broke down and cg took over") +
               (again.note.empty() ? "" : "; " + again.note);
  result = std::move(again);
  problem = std::move(other);
}

// The factor that never subtracts, made when first wanted; null if it is too large, or a method was
// asked for by name. Who solves systems of one pattern by the dozen did not ask for one each.
const ReducedSolver* PreparedSolver::without_subtraction(std::int64_t columns,
                                                         const RunContext& run) const {
  if (choice_.solver != nullptr && choice_.solver->never_subtracts()) return choice_.solver.get();
  if (options_.kind != SolverKind::automatic && options_.kind != SolverKind::cholesky)
    return nullptr;
  if (updated_) return nullptr;
  const std::lock_guard lock(exact_.making);
  if (!exact_.tried) {
    // What is prepared and at work stays beside it.
    const SolverMemory held = solver_memory(system_->graph(), options_.kind, options_.eliminate);
    const double most = held.prepared.high + static_cast<double>(columns) * held.column.high;
    exact_.factor = make_network_method(elimination_.reduced(), with_taken(run, most));
    exact_.tried = exact_.factor != nullptr || !run.should_stop();
  }
  return exact_.factor.get();
}

// Where rounding alone may keep the residual up: the answer of a method that never subtracts, if
// its error is proven to be within the tolerance. That method is elimination, if it left nothing to
// the others, or else a factor.
std::optional<ProvenError> PreparedSolver::prove(SolveProblem& problem, InnerResult& result,
                                                 const RunContext& run) const {
  const bool limited = result.outcome == Outcome::iteration_limit && options_.max_iterations > 0;
  if (limited || run.should_stop() || worst_ratio(problem.norms, problem.targets) <= 1.0) return {};
  const bool factored = !nothing_is_left();
  const ReducedSolver* factor = factored ? without_subtraction(problem.b.columns(), run) : nullptr;
  if (factored && factor == nullptr) return {};
  const int threads = run.thread_count();
  const auto solve = [&](const Block& b) {
    Block x;
    const std::vector<double> targets(static_cast<std::size_t>(b.columns()), 0.0);
    solve_grounded(by(factor), b, x, targets, run, false);
    return x;
  };
  const auto center = [&](Block& x) { singular_.project(x); };
  SolveProblem other{.b = problem.b, .x = solve(problem.b), .targets = problem.targets};
  center(other.x);
  measure(*system_, other, threads);
  const ProvenError proven = prove_error(*system_, other.b, other.x, solve, center, threads);
  if (run.should_stop() || !(proven.relative <= options_.tolerance)) return {};
  problem = std::move(other);
  const bool other_took_over = factored && factor != choice_.solver.get();
  result.note = other_took_over ? std::string(to_string(choice_.method)) +
                                      " stalled and a factor without subtraction took over"
                                : "";
  return proven;
}

// max ‖error‖_A/‖x‖_A. Conjugate gradients know their error; elsewhere the worst column is solved
// once more for what its residual hides, ‖error‖²_A = rᵀA⁻¹r.
std::optional<double> PreparedSolver::estimate_error(const SolveProblem& problem,
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
        make_approximate_cholesky(*elimination_.reduced(), run.seed, run.thread_count(), run),
        1000);
  solve_pinned(by(sharper ? sharper.get() : choice_.solver.get()), r, e,
               {few_digits * column_norms(r, run.thread_count()).front()}, run, false);
  double hidden = 0.0;
  for (std::int64_t v = 0; v < n; ++v) hidden += r(v, 0) * e(v, 0);
  if (!(hidden >= 0.0)) return std::nullopt;  // the solver itself is lost in rounding
  return std::max(worst, std::sqrt(hidden / energy[i]));
}

}  // namespace gssl::solve
