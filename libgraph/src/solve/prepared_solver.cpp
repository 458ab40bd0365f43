#include "prepared_solver.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "column_scale.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/residual.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "solve/method/kept_steps.hpp"

namespace gssl::solve {
namespace {

// What is left of a column when its mean is taken away and that was all it had.
constexpr double rounding = 1e-14;
// The inner solver aims a little lower, so that folding and unfolding do not spoil its answer.
constexpr double margin = 0.8;
// Columns that a solver is to have room for when nobody says how many come at once.
constexpr std::int64_t usual_columns = 20;
// Multiplications, a fifth of a second, that may yet be spent on what was stopped.
constexpr double most_measured_late = 3e8;

[[noreturn]] void refuse_other_pattern() {
  throw Error(ErrorCode::bad_data,
              "updated system: must have the vertices and edges of the one prepared");
}

[[noreturn]] void refuse_overflow() {
  throw Error(ErrorCode::bad_data,
              "right-hand side: the answer exceeds the largest number: scale it down");
}

// From ‖b‖ to what may be left of it. A column of which the projection has left rounding alone, by
// its norm `given` before, is given up: its answer is 0.
void set_targets(const std::vector<double>& given, double tolerance, bool has_guess,
                 SolveProblem& problem) {
  for (std::size_t j = 0; j < given.size(); ++j) {
    if (problem.targets[j] <= rounding * given[j]) {
      problem.targets[j] = 0.0;
      clear_column(problem.b, static_cast<std::int64_t>(j));
      if (has_guess) clear_column(problem.x, static_cast<std::int64_t>(j));
    }
    problem.targets[j] *= tolerance;
  }
}

}  // namespace

void check_system(const SharedSystem& system) {
  if (system == nullptr)
    throw Error(ErrorCode::usage, "solver: a null system: must be a grounded Laplacian");
}

PreparedSolver::PreparedSolver(SharedSystem system, const SolverOptions& options,
                               const RunContext& run)
    : options_((options.validate(), options)),
      system_(std::move(system)),
      renumbering_(order_fits(run) ? Renumbering(system_->graph()) : Renumbering()),
      singular_(system_),
      elimination_(eliminated(run)) {}

PreparedSolver::PreparedSolver(const PreparedSolver& other, SharedSystem system,
                               const RunContext& run)
    : options_(other.options_),
      system_(std::move(system)),
      renumbering_(other.renumbering_),
      singular_(system_),
      elimination_(eliminated(run)) {}

// A graph in another order, and the network of the elimination, are as large again. Without an
// elimination memory may be short for the method itself, which goes before an order.
bool PreparedSolver::order_fits(const RunContext& run) const {
  const Graph& graph = system_->graph();
  const double rest =
      options_.eliminate ? 0.0 : solver_memory(graph, options_.kind, false).bytes(1.0).high;
  return fits(run, 2.0 * graph_bytes(graph) + rest);
}
bool PreparedSolver::elimination_fits(const RunContext& run) const {
  const SolverKind least = SolverKind::conjugate_gradient;
  return fits(run, solver_memory(system_->graph(), least).bytes(0.0).high);
}
RunContext PreparedSolver::beside_columns(const RunContext& run, std::int64_t columns) const {
  const MemoryRange column =
      solver_memory(system_->graph(), options_.kind, options_.eliminate).column;
  return with_taken(run, static_cast<double>(columns) * column.high);
}

Elimination PreparedSolver::eliminated(const RunContext& run) {
  if (!options_.eliminate || !elimination_fits(run) || !elimination_pays(system_->graph()))
    return Elimination(renumbering_.system(singular_.pinned()));
  return {singular_.pinned(), renumbering_, run.thread_count()};
}

void PreparedSolver::choose(const RunContext& run) {
  choice_ = choose_solver(elimination_.reduced(), options_,
                          beside_columns(run, std::min(expected_columns(options_), usual_columns)));
}

// The method of a system with the same pattern, or a new one where it cannot be kept.
void PreparedSolver::reuse(const Choice& other, const RunContext& run) {
  if (other.solver != nullptr) {
    reused_ = !other.solver->updates_fully();
    choice_ = {other.solver->updated(elimination_.reduced(), run), other.method,
               other.reason + "; its preparation reused", ""};
  }
  if (choice_.solver != nullptr) return;
  reused_ = false;
  choose(run);
}

std::unique_ptr<LinearSolver> PreparedSolver::updated(SharedSystem system,
                                                      const RunContext& run) const {
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

Inner PreparedSolver::by(const ReducedSolver* solver) const {
  return [this, solver](const Block& b, Block& x, const std::vector<double>& targets,
                        const RunContext& run) -> InnerResult {
    if (solver != nullptr) return kept_solve(*solver, b, x, targets, run);
    if (!choice_.failure.empty()) return {Outcome::breakdown, 0, choice_.failure};
    return {};
  };
}

// What the method aims at, so that pinning and unfolding do not spoil its answer.
std::vector<double> PreparedSolver::safe(std::vector<double> targets) const {
  const bool whole = singular_.largest() == 0 && elimination_.eliminated_count() == 0;
  const double safety =
      whole ? 1.0 : margin / (1.0 + std::sqrt(static_cast<double>(singular_.largest())));
  for (double& target : targets) target *= safety;
  return targets;
}

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
  if (!renumbering_.changed() && elimination_.eliminated_count() == 0) {
    if (!has_guess) x = Block(b.rows(), b.columns());
    return inner(b, x, safe(targets), run);
  }
  Block folded = renumbering_.in_order(b, threads);
  Block reduced_b = elimination_.reduce(folded, threads);
  Block reduced_x = has_guess ? elimination_.restrict_to_kept(renumbering_.in_order(x, threads))
                              : Block(reduced_b.rows(), reduced_b.columns());
  InnerResult result = inner(reduced_b, reduced_x, safe(targets), run);
  x = renumbering_.as_given(elimination_.extend(folded, reduced_x, threads), threads);
  return result;
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

void PreparedSolver::conclude(SolveReport& report, const InnerResult& result, double worst,
                              const std::optional<ProvenError>& proven,
                              const RunContext& run) const {
  report.requested = to_string(options_.kind);
  report.method = choice_.method;
  report.used = to_string(choice_.method);
  report.iterations = result.iterations;
  report.relative_residual = worst * options_.tolerance;
  report.outcome = concluded(result.outcome, worst <= 1.0 || proven.has_value(), run);
  std::string& text = report.sentence;
  text = report.used + " (" + choice_.reason + ")";
  if (elimination_.eliminated_count() > 0)
    text += ", after eliminating " + std::to_string(elimination_.eliminated_count()) + " of " +
            std::to_string(system_->size()) + " vertices";
  text += report.outcome == Outcome::converged         ? ", converged"
          : report.outcome == Outcome::iteration_limit ? ", stopped at the iteration limit"
          : report.outcome == Outcome::time_limit      ? ", stopped at the time limit"
          : report.outcome == Outcome::cancelled       ? ", was cancelled"
                                                       : ", stalled";
  if (report.iterations > 0) text += " after " + std::to_string(report.iterations) + " iterations";
  text += " at relative residual " + to_brief_text(worst * options_.tolerance);
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

// Of very many columns some were not begun when the run was stopped, and to measure what the others
// leave takes as long as a step of them all.
bool PreparedSolver::worth_measuring(std::int64_t columns, const RunContext& run) const {
  const Graph& graph = system_->graph();
  const double work = 2.0 * static_cast<double>(graph.edge_count()) + graph.vertex_count();
  return work * static_cast<double>(columns) <= most_measured_late || !run.should_stop();
}

// What a column of zeros leaves.
std::vector<double> PreparedSolver::not_begun(std::vector<double> targets) const {
  for (double& target : targets) target /= options_.tolerance;
  return targets;
}

SolveReport PreparedSolver::solve_by(const Inner& inner, const Block& b, Block& x,
                                     const RunContext& run, bool warm_start) const {
  const std::int64_t n = system_->size(), c = b.columns();
  if (b.rows() != n)
    throw Error(ErrorCode::bad_data, "right-hand side: " + std::to_string(b.rows()) + " rows for " +
                                         std::to_string(n) + " vertices: must be one for each");
  const int threads = run.thread_count();
  SolveReport report;
  if (run.should_stop() && !warm_start) {
    x = Block(n, c);
    conclude(report, stopped(run), 1.0 / options_.tolerance, {}, run);
    return report;
  }
  const std::vector<int> exponent = column_exponents(b, threads);

  SolveProblem problem{.b = scaled(b, exponent, -1, threads)};
  if (&b == &x) x = Block();  // its memory is somebody's who needs it now
  const std::vector<double> given = column_norms(problem.b, threads);
  report.inconsistency = project_right_hand_side(problem.b, given, threads);

  const bool has_guess = warm_start && x.rows() == n && x.columns() == c && all_finite(x);
  problem.targets = column_norms(problem.b, threads);
  if (has_guess) {
    problem.x = scaled(x, exponent, -1, threads);
    drop_bad_guesses(*system_, problem, threads);
  }
  set_targets(given, options_.tolerance, has_guess, problem);

  InnerResult result;
  if (run.should_stop()) {
    result.outcome = stopped(run).outcome;
    if (!has_guess) problem.x = Block(n, c);
    singular_.project(problem.x);
  } else {
    if (has_guess) singular_.shift_to_pin(problem.x);
    result = solve_pinned(inner, problem.b, problem.x, problem.targets, run, has_guess);
  }
  const bool measured = worth_measuring(c, run);
  if (measured)
    measure(*system_, problem, threads);
  else
    problem.norms = not_begun(problem.targets);
  if (wants_rescue(problem, result, run)) rescue(problem, result, run);
  // What elimination alone has solved has digits that refinement would spoil.
  std::optional<ProvenError> proven;
  if (nothing_is_left()) proven = prove(problem, result, run);
  if (!proven) refine(by(choice_.solver.get()), problem, result, run);
  if (!proven && !nothing_is_left()) proven = prove(problem, result, run);
  conclude(report, result, worst_ratio(problem.norms, problem.targets), proven, run);
  if (proven)
    report.error_estimate = proven->energy;
  else if (measured && options_.estimates_error)
    report.error_estimate = estimate_error(problem, result, run);
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

SolveReport PreparedSolver::solve(const Block& b, Block& x, const RunContext& run,
                                  bool warm_start) const {
  if (!reused_) return solve_by(by(choice_.solver.get()), b, x, run, warm_start);
  const Block given = &b == &x ? b : Block();  // to begin anew with
  SolveReport report = solve_by(by(choice_.solver.get()), b, x, run, warm_start);
  if (stalled(report)) prepare_anew(given.rows() > 0 ? given : b, x, run, report);
  return report;
}

// `seconds` grows by what choosing took, unless it came to be the solve itself.
SolveReport PreparedSolver::choose_and_solve(const Block& b, Block& x, const RunContext& run,
                                             double& seconds) {
  if (run.should_stop()) {
    choose(run);
    return solve(b, x, run, false);
  }
  choice_.method = SolverMethod::conjugate_gradient;  // should the time be over before
  choice_.reason = "no time was left to choose";
  const std::int64_t columns = b.columns();  // b may be x
  const Inner choosing = [&](const Block& reduced_b, Block& reduced_x,
                             const std::vector<double>& targets, const RunContext& inner_run) {
    const Stopwatch watch;
    FirstColumns first{reduced_b, reduced_x, targets};
    choice_ =
        choose_solver(elimination_.reduced(), options_, beside_columns(inner_run, columns), &first);
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

}  // namespace gssl::solve
