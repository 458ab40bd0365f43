#include "gssl/solve/linear_solver.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "block_kernels.hpp"
#include "choose_solver.hpp"
#include "elimination.hpp"
#include "gssl/core/error.hpp"
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

std::string brief(double value) {
  char buffer[32];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 3).ptr;
  return {buffer, end};
}

// Multiplies column j by 2^exponent[j]: exact, but for results that underflow.
void scale_columns(Block& b, const std::vector<int>& exponent, int sign) {
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::int64_t j = 0; j < b.columns(); ++j)
      b(v, j) = std::ldexp(b(v, j), sign * exponent[static_cast<std::size_t>(j)]);
}

std::vector<int> column_exponents(const Block& b) {
  std::vector<double> largest(static_cast<std::size_t>(b.columns()), 0.0);
  for (std::int64_t v = 0; v < b.rows(); ++v) {
    for (std::size_t j = 0; j < largest.size(); ++j) {
      const double value = std::abs(b(v, static_cast<std::int64_t>(j)));
      if (!std::isfinite(value))
        throw Error(ErrorCode::bad_data, "right-hand side, row " + std::to_string(v) + ", column " +
                                             std::to_string(j) + ": must be finite");
      largest[j] = std::max(largest[j], value);
    }
  }
  std::vector<int> exponent(largest.size(), 0);
  for (std::size_t j = 0; j < largest.size(); ++j)
    if (largest[j] > 0.0) std::frexp(largest[j], &exponent[j]);
  return exponent;
}

void clear_column(Block& b, std::int64_t column) {
  for (std::int64_t v = 0; v < b.rows(); ++v) b(v, column) = 0.0;
}

class Facade final : public LinearSolver {
 public:
  Facade(SharedSystem system, const SolverOptions& options, const RunContext& run)
      : system_(std::move(system)),
        options_((options.validate(), options)),
        singular_(system_),
        elimination_(options.eliminate ? Elimination(singular_.pinned(), run.thread_count())
                                       : Elimination(singular_.pinned())),
        choice_(choose_solver(elimination_.reduced(), options_, run)) {}

  SolveReport solve(const Block& b, Block& x, const RunContext& run,
                    bool warm_start) const override;

 private:
  struct Problem;

  InnerResult solve_pinned(Block& b, Block& x, const std::vector<double>& targets,
                           const RunContext& run, bool has_guess) const;
  double refine(Problem& problem, InnerResult& result, const RunContext& run) const;
  void conclude(SolveReport& report, const InnerResult& result, double worst) const;

  SharedSystem system_;
  SolverOptions options_;
  SingularPart singular_;
  Elimination elimination_;
  Choice choice_;
};

// The scaled and projected right-hand side, the answer so far, and what it leaves.
struct Facade::Problem {
  Block b, x, r;
  std::vector<double> targets;  // of ‖r‖, per column
  std::vector<double> norms;    // ‖r‖
};

// The answer of the pinned system; b is folded on the way, x holds the guess if there is one.
InnerResult Facade::solve_pinned(Block& b, Block& x, const std::vector<double>& targets,
                                 const RunContext& run, bool has_guess) const {
  Block reduced_b = elimination_.reduce(b);
  Block reduced_x =
      has_guess ? elimination_.restrict_to_kept(x) : Block(reduced_b.rows(), reduced_b.columns());
  InnerResult result;
  if (choice_.solver != nullptr) {
    const double safety = margin / (1.0 + std::sqrt(static_cast<double>(singular_.largest())));
    std::vector<double> inner_targets = targets;
    for (double& target : inner_targets) target *= safety;
    result = choice_.solver->solve(reduced_b, reduced_x, inner_targets, run);
  } else if (!choice_.failure.empty()) {
    result = {Outcome::breakdown, 0, choice_.failure};
  }
  x = elimination_.extend(b, reduced_x);
  singular_.project(x);
  for (std::int64_t j = 0; j < x.columns(); ++j) {
    bool finite = true;
    for (std::int64_t v = 0; v < x.rows() && finite; ++v) finite = std::isfinite(x(v, j));
    if (!finite) clear_column(x, j);
  }
  return result;
}

// Solves for what is left over, keeps each column that gained, and returns the worst norm/target.
double Facade::refine(Problem& problem, InnerResult& result, const RunContext& run) const {
  const int threads = run.thread_count();
  double worst = worst_ratio(problem.norms, problem.targets);
  for (int round = 0; round < most_refinements && worst > 1.0 && !run.should_stop(); ++round) {
    if (result.outcome == Outcome::iteration_limit || choice_.failure.size() > 0) break;
    Block correction, b = problem.r, r;
    singular_.project(b);
    const InnerResult again = solve_pinned(b, correction, problem.targets, run, false);
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
            std::to_string(system_->size()) + " vertices";
  text += report.outcome == Outcome::converged         ? ", converged"
          : report.outcome == Outcome::iteration_limit ? ", stopped at the iteration limit"
          : report.outcome == Outcome::time_limit      ? ", stopped at the time limit"
          : report.outcome == Outcome::cancelled       ? ", was cancelled"
                                                       : ", stalled";
  if (report.iterations > 0) text += " after " + std::to_string(report.iterations) + " iterations";
  text += " at relative residual " + brief(report.relative_residual);
  if (report.outcome != Outcome::converged) text += ", asked for " + brief(options_.tolerance);
  if (report.outcome == Outcome::breakdown)
    text += ": " + (result.note.empty() ? "double precision allows no more here" : result.note);
}

SolveReport Facade::solve(const Block& b, Block& x, const RunContext& run, bool warm_start) const {
  if (b.rows() != system_->size())
    throw Error(ErrorCode::bad_data, "right-hand side: " + std::to_string(b.rows()) + " rows for " +
                                         std::to_string(system_->size()) +
                                         " vertices: must be one for each");
  const int threads = run.thread_count();
  const std::vector<int> exponent = column_exponents(b);
  SolveReport report;

  Problem problem{.b = b, .x = {}, .r = {}, .targets = {}, .norms = {}};
  scale_columns(problem.b, exponent, -1);
  const std::vector<double> given = column_norms(problem.b, threads);
  {
    Block lost = problem.b;
    singular_.project(problem.b);
    for (std::int64_t v = 0; v < b.rows(); ++v)
      for (std::int64_t j = 0; j < b.columns(); ++j) lost(v, j) -= problem.b(v, j);
    const std::vector<double> lost_norms = column_norms(lost, threads);
    for (std::size_t j = 0; j < given.size(); ++j)
      if (given[j] > 0.0)
        report.inconsistency = std::max(report.inconsistency, lost_norms[j] / given[j]);
  }

  const bool has_guess = warm_start && x.rows() == b.rows() && x.columns() == b.columns() &&
                         std::ranges::all_of(x.values(), [](double d) { return std::isfinite(d); });
  problem.x = has_guess ? x : Block(b.rows(), b.columns());
  if (has_guess) scale_columns(problem.x, exponent, -1);
  problem.targets = column_norms(problem.b, threads);
  for (std::size_t j = 0; j < given.size(); ++j) {
    if (problem.targets[j] <= rounding * given[j]) {
      problem.targets[j] = 0.0;
      clear_column(problem.b, static_cast<std::int64_t>(j));
      clear_column(problem.x, static_cast<std::int64_t>(j));
    }
    problem.targets[j] *= options_.tolerance;
  }

  InnerResult result;
  if (run.should_stop()) {
    result.outcome = run.cancelled() ? Outcome::cancelled : Outcome::time_limit;
    singular_.project(problem.x);
  } else {
    Block folded = problem.b;
    if (has_guess) singular_.shift_to_pin(problem.x);
    result = solve_pinned(folded, problem.x, problem.targets, run, has_guess);
  }
  problem.norms = residual(*system_, problem.b, problem.x, problem.r, threads);
  const double worst = refine(problem, result, run);
  conclude(report, result, worst);
  scale_columns(problem.x, exponent, 1);
  x = std::move(problem.x);
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
