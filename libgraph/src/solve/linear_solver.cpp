#include "gssl/solve/linear_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "approximate_cholesky.hpp"
#include "block_kernels.hpp"
#include "choose_solver.hpp"
#include "conjugate_gradient.hpp"
#include "elimination.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "renumbering.hpp"
#include "singular_part.hpp"

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
// The relative residual of an answer worth going on from.
constexpr double good_guess = 0.1;
// How well the error itself is known.
constexpr double few_digits = 0.01;

[[noreturn]] void refuse_non_finite(const Block& b) {
  const auto bad = std::ranges::find_if_not(b.values(), [](double d) { return std::isfinite(d); });
  const std::int64_t place = bad - b.values().begin();
  throw Error(ErrorCode::bad_data, "right-hand side, row " + std::to_string(place / b.columns()) +
                                       ", column " + std::to_string(place % b.columns()) +
                                       ": must be finite");
}

// Scaled by 2^−exponent, a column's largest value is about 1: exact, and nothing can overflow.
std::vector<int> column_exponents(const Block& b, int threads) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto c = static_cast<std::size_t>(b.columns());
  std::vector<double> largest(c, 0.0);
  std::mutex merging;
  parallel_blocks(b.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> own(c, 0.0);
    for (std::int64_t v = begin; v < end; ++v) {
      const double* row = b.data() + v * b.columns();
      for (std::size_t j = 0; j < c; ++j) {
        const double size = std::abs(row[j]);
        if (!(size <= own[j])) own[j] = std::isnan(size) ? infinity : size;
      }
    }
    const std::lock_guard lock(merging);
    for (std::size_t j = 0; j < c; ++j) largest[j] = std::max(largest[j], own[j]);
  });
  std::vector<int> exponent(c, 0);
  for (std::size_t j = 0; j < c; ++j) {
    if (largest[j] == infinity) refuse_non_finite(b);
    if (largest[j] > 0.0) std::frexp(largest[j], &exponent[j]);
    exponent[j] = std::clamp(exponent[j], -1000, 1000);
  }
  return exponent;
}

// 2^(sign·exponent) for each column.
std::vector<double> powers_of_two(const std::vector<int>& exponent, int sign) {
  std::vector<double> power;
  power.reserve(exponent.size());
  for (const int e : exponent) power.push_back(std::ldexp(1.0, sign * e));
  return power;
}

void clear_column(Block& b, std::int64_t column) {
  for (std::int64_t v = 0; v < b.rows(); ++v) b(v, column) = 0.0;
}

[[noreturn]] void refuse_other_pattern() {
  throw Error(ErrorCode::bad_data,
              "updated system: must have the vertices and edges of the one prepared");
}

class Facade final : public LinearSolver {
 public:
  Facade(SharedSystem system, const SolverOptions& options, const RunContext& run)
      : options_((options.validate(), options)),
        renumbering_(std::move(system), run.thread_count()),
        singular_(renumbering_.system()),
        elimination_(eliminated(run)),
        choice_(choose_solver(elimination_.reduced(), options_, run)) {}

  // With nothing chosen yet.
  Facade(const Facade& other, SharedSystem system, const RunContext& run)
      : options_(other.options_),
        renumbering_(other.renumbering_, std::move(system), run.thread_count()),
        singular_(renumbering_.system()),
        elimination_(eliminated(run)),
        choice_{} {}

  SolveReport solve(const Block& b, Block& x, const RunContext& run,
                    bool warm_start) const override;

  std::unique_ptr<LinearSolver> updated(SharedSystem system, const RunContext& run) const override {
    GSSL_ASSERT(system != nullptr);
    if (system->size() != this->system().size()) refuse_other_pattern();
    auto solver = std::make_unique<Facade>(*this, std::move(system), run);
    const Graph& before = this->system().graph();
    const Graph& now = solver->system().graph();
    if (!std::ranges::equal(before.offset_array(), now.offset_array()) ||
        !std::ranges::equal(before.neighbor_array(), now.neighbor_array()))
      refuse_other_pattern();
    solver->reuse(choice_, run);
    return solver;
  }

 private:
  struct Problem;

  Elimination eliminated(const RunContext& run) const {
    if (!options_.eliminate || !elimination_pays(system().graph(), expected_columns(options_)))
      return Elimination(singular_.pinned());
    return {singular_.pinned(), run.thread_count()};
  }

  // The method of a system with the same pattern, or a new one where it cannot be kept.
  void reuse(const Choice& other, const RunContext& run) {
    if (other.solver != nullptr) {
      choice_ = {other.solver->updated(elimination_.reduced()), other.used,
                 other.reason + "; its preparation reused", ""};
    }
    if (choice_.solver == nullptr) choice_ = choose_solver(elimination_.reduced(), options_, run);
  }

  InnerResult solve_pinned(const ReducedSolver* solver, Block& b, Block& x,
                           const std::vector<double>& targets, const RunContext& run,
                           bool has_guess) const;
  double project_right_hand_side(Block& b, const std::vector<double>& norms, int threads) const;
  Block gather(const Block& from, const std::vector<double>& factor, int threads) const;
  void scatter(const Block& from, const std::vector<double>& factor, Block& to, int threads) const;
  void measure(Problem& problem, int threads) const;
  std::optional<double> estimate_error(const Problem& problem, const InnerResult& result,
                                       const RunContext& run) const;
  double refine(Problem& problem, InnerResult& result, const RunContext& run) const;
  void rescue(Problem& problem, InnerResult& result, const RunContext& run) const;
  void conclude(SolveReport& report, const InnerResult& result, double worst) const;

  const GroundedLaplacian& system() const { return *renumbering_.system(); }

  SolverOptions options_;
  Renumbering renumbering_;
  SingularPart singular_;
  Elimination elimination_;
  Choice choice_;
};

// The renumbered, scaled and projected right-hand side, the answer so far, and what it leaves.
struct Facade::Problem {
  Block b, x, r;
  std::vector<double> targets;  // of ‖r‖, per column
  std::vector<double> norms;    // ‖r‖
};

// The answer of the pinned system; b is folded on the way, x holds the guess if there is one.
InnerResult Facade::solve_pinned(const ReducedSolver* solver, Block& b, Block& x,
                                 const std::vector<double>& targets, const RunContext& run,
                                 bool has_guess) const {
  Block reduced_b = elimination_.reduce(b);
  Block reduced_x =
      has_guess ? elimination_.restrict_to_kept(x) : Block(reduced_b.rows(), reduced_b.columns());
  InnerResult result;
  if (solver != nullptr) {
    const bool whole = singular_.largest() == 0 && elimination_.eliminated_count() == 0;
    const double safety =
        whole ? 1.0 : margin / (1.0 + std::sqrt(static_cast<double>(singular_.largest())));
    std::vector<double> inner_targets = targets;
    for (double& target : inner_targets) target *= safety;
    result = solver->solve(reduced_b, reduced_x, inner_targets, run);
  } else if (!choice_.failure.empty()) {
    result = {Outcome::breakdown, 0, choice_.failure};
  }
  x = elimination_.extend(b, reduced_x);
  singular_.project(x);
  return result;
}

// Solves for what is left over, keeps each column that gained, and returns the worst norm/target.
double Facade::refine(Problem& problem, InnerResult& result, const RunContext& run) const {
  const int threads = run.thread_count();
  double worst = worst_ratio(problem.norms, problem.targets);
  for (int round = 0; round < most_refinements && worst > 1.0 && !run.should_stop(); ++round) {
    if (result.outcome == Outcome::iteration_limit || !choice_.failure.empty()) break;
    Block correction, b = problem.r, r;
    singular_.project(b);
    const InnerResult again =
        solve_pinned(choice_.solver.get(), b, correction, problem.targets, run, false);
    result.iterations += again.iterations;
    if (again.outcome != Outcome::converged) result.outcome = again.outcome;
    const std::int64_t c = correction.columns();
    for (std::int64_t v = 0; v < correction.rows(); ++v)
      for (std::int64_t j = 0; j < c; ++j) correction(v, j) += problem.x(v, j);
    const std::vector<double> norms = residual(system(), problem.b, correction, r, threads);
    for (std::int64_t j = 0; j < c; ++j) {
      const auto i = static_cast<std::size_t>(j);
      if (!(norms[i] < problem.norms[i])) continue;
      problem.norms[i] = norms[i];
      if (!result.error.empty()) result.error[i] = again.error[i];
      for (std::int64_t v = 0; v < correction.rows(); ++v) {
        problem.x(v, j) = correction(v, j);
        problem.r(v, j) = r(v, j);
      }
    }
    const double before = std::exchange(worst, worst_ratio(problem.norms, problem.targets));
    if (worst > 0.5 * before) break;
  }
  return worst;
}

// Multigrid has no bound on its iterations; approximate Cholesky takes over where it fails.
void Facade::rescue(Problem& problem, InnerResult& result, const RunContext& run) const {
  const auto& reduced = elimination_.reduced();
  const auto solver = make_conjugate_gradient(
      reduced, make_approximate_cholesky(*reduced, run.seed), rescue_iterations);
  Block folded = problem.b;
  const bool has_guess =
      worst_ratio(problem.norms, problem.targets) * options_.tolerance <= good_guess;
  if (has_guess) singular_.shift_to_pin(problem.x);
  InnerResult again =
      solve_pinned(solver.get(), folded, problem.x, problem.targets, run, has_guess);
  again.iterations += result.iterations;
  again.note = "multigrid stalled and approximate-cholesky took over" +
               (again.note.empty() ? "" : "; " + again.note);
  result = std::move(again);
  measure(problem, run.thread_count());
}

// max ‖error‖_A/‖x‖_A. Conjugate gradients know their error; elsewhere the worst column is solved
// once more for what its residual hides, ‖error‖²_A = rᵀA⁻¹r.
std::optional<double> Facade::estimate_error(const Problem& problem, const InnerResult& result,
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
  Block r(n, 1), e;
  for (std::int64_t v = 0; v < n; ++v) r(v, 0) = problem.r(v, *unknown);
  singular_.project(r);
  const auto i = static_cast<std::size_t>(*unknown);
  // Relaxation hides its error best of all, and would be as slow to find it.
  std::unique_ptr<ReducedSolver> sharper;
  if (choice_.solver != nullptr && choice_.solver->slow())
    sharper = make_conjugate_gradient(
        elimination_.reduced(), make_approximate_cholesky(*elimination_.reduced(), run.seed), 1000);
  Block folded = r;
  solve_pinned(sharper ? sharper.get() : choice_.solver.get(), folded, e,
               {few_digits * problem.norms[i]}, run, false);
  double hidden = 0.0;
  for (std::int64_t v = 0; v < n; ++v) hidden += r(v, 0) * e(v, 0);
  return std::max(worst, std::sqrt(std::max(hidden, 0.0) / energy[i]));
}

void Facade::conclude(SolveReport& report, const InnerResult& result, double worst) const {
  report.requested = to_string(options_.kind);
  report.used = choice_.used;
  report.iterations = result.iterations;
  report.relative_residual = worst * options_.tolerance;
  report.outcome = worst <= 1.0                           ? Outcome::converged
                   : result.outcome == Outcome::converged ? Outcome::breakdown
                                                          : result.outcome;
  std::string& text = report.sentence;
  text = choice_.used + " (" + choice_.reason + ")";
  if (elimination_.eliminated_count() > 0)
    text += ", after eliminating " + std::to_string(elimination_.eliminated_count()) + " of " +
            std::to_string(system().size()) + " vertices";
  text += report.outcome == Outcome::converged         ? ", converged"
          : report.outcome == Outcome::iteration_limit ? ", stopped at the iteration limit"
          : report.outcome == Outcome::time_limit      ? ", stopped at the time limit"
          : report.outcome == Outcome::cancelled       ? ", was cancelled"
                                                       : ", stalled";
  if (report.iterations > 0) text += " after " + std::to_string(report.iterations) + " iterations";
  text += " at relative residual " + to_brief_text(report.relative_residual);
  if (report.outcome != Outcome::converged)
    text += ", asked for " + to_brief_text(options_.tolerance);
  if (!result.note.empty()) {
    text += ": " + result.note;
  } else if (report.outcome == Outcome::breakdown) {
    text += ": double precision allows no more here";
  }
}

// The rows in the order of system(), column j multiplied by factor[j]; scatter is the way back.
Block Facade::gather(const Block& from, const std::vector<double>& factor, int threads) const {
  Block to(from.rows(), from.columns());
  parallel_blocks(to.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::span<const double> in = from.row(renumbering_.vertex(static_cast<VertexId>(r)));
      const std::span<double> out = to.row(r);
      for (std::size_t j = 0; j < out.size(); ++j) out[j] = in[j] * factor[j];
    }
  });
  return to;
}

void Facade::scatter(const Block& from, const std::vector<double>& factor, Block& to,
                     int threads) const {
  parallel_blocks(from.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::span<const double> in = from.row(r);
      const std::span<double> out = to.row(renumbering_.vertex(static_cast<VertexId>(r)));
      for (std::size_t j = 0; j < out.size(); ++j) out[j] = in[j] * factor[j];
    }
  });
}

// Takes from b what no x can meet; returns how much that was, relative, in the worst column.
double Facade::project_right_hand_side(Block& b, const std::vector<double>& norms,
                                       int threads) const {
  if (system().singular_count() == 0) return 0.0;
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

// ‖r‖ of the answer; a column that is not finite is given up: its answer is 0.
void Facade::measure(Problem& problem, int threads) const {
  problem.norms = residual(system(), problem.b, problem.x, problem.r, threads);
  if (std::ranges::all_of(problem.norms, [](double norm) { return std::isfinite(norm); })) return;
  for (std::size_t j = 0; j < problem.norms.size(); ++j)
    if (!std::isfinite(problem.norms[j])) clear_column(problem.x, static_cast<std::int64_t>(j));
  problem.norms = residual(system(), problem.b, problem.x, problem.r, threads);
}

SolveReport Facade::solve(const Block& b, Block& x, const RunContext& run, bool warm_start) const {
  const std::int64_t n = system().size(), c = b.columns();
  if (b.rows() != n)
    throw Error(ErrorCode::bad_data, "right-hand side: " + std::to_string(b.rows()) + " rows for " +
                                         std::to_string(n) + " vertices: must be one for each");
  const int threads = run.thread_count();
  const std::vector<int> exponent = column_exponents(b, threads);
  const std::vector<double> down = powers_of_two(exponent, -1);
  SolveReport report;

  Problem problem{.b = gather(b, down, threads), .x = {}, .r = {}, .targets = {}, .norms = {}};
  const std::vector<double> given = column_norms(problem.b, threads);
  report.inconsistency = project_right_hand_side(problem.b, given, threads);

  const bool has_guess = warm_start && x.rows() == n && x.columns() == c &&
                         std::ranges::all_of(x.values(), [](double d) { return std::isfinite(d); });
  if (has_guess) problem.x = gather(x, down, threads);
  problem.targets = column_norms(problem.b, threads);
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
    Block folded = problem.b;
    if (has_guess) singular_.shift_to_pin(problem.x);
    result = solve_pinned(choice_.solver.get(), folded, problem.x, problem.targets, run, has_guess);
  }
  measure(problem, threads);
  const bool given_up =
      result.outcome == Outcome::breakdown ||
      (result.outcome == Outcome::iteration_limit && options_.max_iterations == 0);
  if (given_up && choice_.used == "multigrid") rescue(problem, result, run);
  const double worst = refine(problem, result, run);
  conclude(report, result, worst);
  report.error_estimate = estimate_error(problem, result, run);
  problem.b = problem.r = {};

  if (x.rows() != n || x.columns() != c) x = Block(n, c);
  scatter(problem.x, powers_of_two(exponent, 1), x, threads);
  return report;
}

}  // namespace

std::unique_ptr<LinearSolver> make_solver(std::shared_ptr<const GroundedLaplacian> system,
                                          const SolverOptions& options, const RunContext& run) {
  GSSL_ASSERT(system != nullptr);
  return std::make_unique<Facade>(std::move(system), options, run);
}

std::unique_ptr<LinearSolver> make_solver(GroundedLaplacian system, const SolverOptions& options,
                                          const RunContext& run) {
  return make_solver(std::make_shared<const GroundedLaplacian>(std::move(system)), options, run);
}

}  // namespace gssl
