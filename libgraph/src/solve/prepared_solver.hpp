#pragma once
// A system reduced, its method prepared, and one solve from the right-hand side to the report.
//
//   PreparedSolver solver(system, options, run);
//   solver.choose(run);                          // or choose_and_solve() with the first columns
//   SolveReport report = solver.solve(b, x, run, false);
//
// A solve scales each column by a power of two, takes from it what no x can meet, folds it into the
// system that elimination left, lets the method work on that, unfolds the answer and measures the
// residual of the whole. What is then too large goes through three remedies in turn: another method
// (rescue), the error proven in place of the residual (prove), and solving for the residual
// (refine). These and the error's estimate are in recovered_digits.cpp, the rest in
// prepared_solver.cpp.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gssl/solve/linear_solver.hpp"
#include "singular_part.hpp"
#include "solve/accuracy/proven_error.hpp"
#include "solve/choose/choose_solver.hpp"
#include "solve/order/renumbering.hpp"
#include "solve/reduce/exact_elimination.hpp"
#include "solve_problem.hpp"

namespace gssl::solve {

// Solves what is left after pinning and elimination, as ReducedSolver::solve() does.
using Inner = std::function<InnerResult(const Block& b, Block& x,
                                        const std::vector<double>& targets, const RunContext& run)>;

// Throws ErrorCode::usage if it is null.
void check_system(const SharedSystem& system);

class PreparedSolver final : public LinearSolver {
 public:
  PreparedSolver(SharedSystem system, const SolverOptions& options, const RunContext& run);

  // Another system of the same pattern.
  PreparedSolver(const PreparedSolver& other, SharedSystem system, const RunContext& run);

  // Nothing is chosen until one of these was called, or reuse().
  void choose(const RunContext& run);
  SolveReport choose_and_solve(const Block& b, Block& x, const RunContext& run, double& seconds);

  SolveReport solve(const Block& b, Block& x, const RunContext& run,
                    bool warm_start) const override;

  std::unique_ptr<LinearSolver> updated(SharedSystem system, const RunContext& run) const override;

 private:
  bool order_fits(const RunContext& run) const;
  bool elimination_fits(const RunContext& run) const;
  // What is left for a method when `columns` are solved at once.
  RunContext beside_columns(const RunContext& run, std::int64_t columns) const;

  Elimination eliminated(const RunContext& run);

  // The method of a system with the same pattern, or a new one where it cannot be kept.
  void reuse(const Choice& other, const RunContext& run);

  // Whether another preparation may do better, and has iterations left.
  bool stalled(const SolveReport& report) const {
    return (report.outcome == Outcome::breakdown || report.outcome == Outcome::iteration_limit) &&
           (options_.max_iterations == 0 || report.iterations < options_.max_iterations);
  }
  void prepare_anew(const Block& b, Block& x, const RunContext& run, SolveReport& report) const;

  Inner by(const ReducedSolver* solver) const;
  SolveReport solve_by(const Inner& inner, const Block& b, Block& x, const RunContext& run,
                       bool warm_start) const;
  std::vector<double> safe(std::vector<double> targets) const;
  InnerResult solve_pinned(const Inner& inner, const Block& b, Block& x,
                           const std::vector<double>& targets, const RunContext& run,
                           bool has_guess) const;
  InnerResult solve_grounded(const Inner& inner, const Block& b, Block& x,
                             const std::vector<double>& targets, const RunContext& run,
                             bool has_guess) const;
  double project_right_hand_side(Block& b, const std::vector<double>& norms, int threads) const;
  std::optional<double> estimate_error(const SolveProblem& problem, const InnerResult& result,
                                       const RunContext& run) const;
  double refine(const Inner& inner, SolveProblem& problem, InnerResult& result,
                const RunContext& run) const;
  const ReducedSolver* without_subtraction(std::int64_t columns, const RunContext& run) const;
  bool nothing_is_left() const { return elimination_.reduced()->size() == 0; }
  std::optional<ProvenError> prove(SolveProblem& problem, InnerResult& result,
                                   const RunContext& run) const;
  bool worth_measuring(std::int64_t columns, const RunContext& run) const;
  std::vector<double> not_begun(std::vector<double> targets) const;
  bool wants_rescue(const SolveProblem& problem, const InnerResult& result,
                    const RunContext& run) const;
  void rescue(SolveProblem& problem, InnerResult& result, const RunContext& run) const;
  void conclude(SolveReport& report, const InnerResult& result, double worst,
                const std::optional<ProvenError>& proven, const RunContext& run) const;

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

}  // namespace gssl::solve
