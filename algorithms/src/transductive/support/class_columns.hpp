#pragma once
// Decisions among many classes in memory that does not grow with their number: a few columns are
// solved at a time, and of each vertex only the best class so far is kept.
//
//   ClassBlockSolver solver(system, classes, plan, report);   // prepared once for all columns
//   RunningDecision best(rows, top);
//   const KeptClasses kept{.state = …, .take = …};                // for a checkpoint
//   for_class_columns(classes, solver, run, kept,
//                     [&](int first, int count) { return right_hand_side(first, count); },
//                     [&](Block x, int first) { best.take(x, first, threads); });   // scores ≥ 0
//
// A block of columns is solved by the same steps whether or not anyone keeps its scores, so that
// decisions and confidence are the same bytes either way. Every class has a column of its own: what
// the solver leaves open in one is not added to another, as it is where the last class is one minus
// the others. Memory: O(rows · width of a block). Internal: not installed.

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "column_plan.hpp"
#include "gssl/core/block.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/checkpoint.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/learn/fit_record.hpp"
#include "gssl/learn/top_classes.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::detail {

// Solves the columns of the classes, a block at a time, as the plan says.
class ClassBlockSolver {
 public:
  // `columns`: how many are to come in all. The report is of the worst block; it must outlive this.
  ClassBlockSolver(GroundedLaplacian system, std::int64_t columns, const ColumnPlan& plan,
                   Report& report);
  ClassBlockSolver(const ClassBlockSolver&) = delete;
  ClassBlockSolver& operator=(const ClassBlockSolver&) = delete;

  int width() const { return width_; }  // of a block
  const GroundedLaplacian& system() const { return *system_; }

  // Another way to solve for a block, in place of a linear solver.
  using Solve = std::function<SolveReport(const GroundedLaplacian&, const Block& b, Block& x)>;
  void use(Solve solve) { other_ = std::move(solve); }

  // The first call also prepares the solver. Zeros where nothing is to be solved. The answer takes
  // the place of b.
  Block solve(Block b);

  // Goes on with the report of a run that ended here.
  void take_report(SolveReport report) { take_solve(report_, std::move(report)); }
  SolveReport report() const { return solve_report(report_); }

  // To be called after each block, with the columns that are done.
  void tell_done(std::int64_t columns);
  // To be called when all of several blocks are solved: the sentence is of the first.
  void tell_of_all_blocks();
  // To be called where so many were not begun: zeros leave all of their right-hand side.
  void tell_not_begun(int classes);

  // Whether the run was stopped before the next block, which the report then says.
  bool stopped();
  // Whether stopped() said so, or the last block ended early.
  bool stopped_early() const { return ended_by_run(report_.outcome); }

 private:
  std::shared_ptr<const GroundedLaplacian> system_;
  SolverOptions options_;
  RunContext run_;
  int width_;
  Report& report_;
  std::unique_ptr<LinearSolver> solver_;
  Solve other_;
  std::int64_t columns_;
  std::int64_t done_ = 0;
};

// The largest score of each row, its class, and the sum of the scores. The lowest class wins a tie.
class RunningDecision {
 public:
  // `top`: how many of the best classes are kept of each row, with their scores.
  explicit RunningDecision(std::int64_t rows, int top = 0);

  // Scores of the classes first, first + 1, …, all ≥ 0 and finite. Blocks come in ascending order.
  void take(const Block& scores, int first, int threads);
  // The same of scores times factors_of(row), a factor for each of the classes; a row without
  // factors keeps its scores, and so does one whose products are all 0: is_scaled() tells.
  template <class FactorsOf>
  void take(const Block& scores, int first, int threads, FactorsOf&& factors_of);

  bool is_scaled(std::int64_t row) const { return class_[index(row)] < 0; }
  double sum(std::int64_t row) const { return sum_[index(row)]; }
  double largest(std::int64_t row) const { return largest_[index(row)]; }
  int decision(std::int64_t row) const {  // 0 where all scores are 0
    return is_scaled(row) ? scaled_class(class_[index(row)]) : class_[index(row)];
  }
  // Whether another class has the largest score, too. Of one class: precondition, it is above 0.
  bool is_tied(std::int64_t row) const { return largest(row) == 0.0 || tied_[index(row)] != 0; }
  // The share of the largest score in the sum; 0 where that is 0.
  double confidence(std::int64_t row) const;

  // All of it, to go on from.
  void put(const std::string& name, Record& record) const;
  void take(const std::string& name, const Record& record);
  // Those of the best classes whose score is above 0, best first.
  std::span<const int> top_classes(std::int64_t row) const;
  std::span<const double> top_scores(std::int64_t row) const;

 private:
  static constexpr int scaled_class(int k) { return -1 - k; }  // and back

  void add(std::int64_t row, double score, int k);
  void insert(std::int64_t row, double score, int k);
  void begin_scaled(std::int64_t row, int k);

  std::vector<double> largest_;
  std::vector<double> sum_;
  std::vector<int> class_;  // of a row that is scaled: scaled_class of it
  std::vector<std::int32_t> tied_;
  TopClasses top_;
};

template <class FactorsOf>
void RunningDecision::take(const Block& scores, int first, int threads, FactorsOf&& factors_of) {
  parallel_blocks(scores.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      const std::span<const double> factors = factors_of(r);
      int k = first;
      for (const double score : scores.row(r)) {
        const double product = factors.empty() ? 0.0 : score * factors[index(k - first)];
        if (product > 0.0 && !is_scaled(r)) begin_scaled(r, k);
        add(r, is_scaled(r) ? product : score, k);
        ++k;
      }
    }
  });
}

// What a sweep over the classes is made of, beside the solver: what it keeps, and takes back.
struct KeptClasses {
  std::function<void(Record& record)> put;
  std::function<void(const Record& record)> take;
};

// Solves right_hand_side(first, count) for blocks of classes in ascending order and calls
// take(answer, first), until the run is stopped; the answer of the last block may be unfinished
// then, and is not in what is kept. A run that goes on solves the first block again, by which the
// solver is chosen, out of its checkpoint; then it takes what was kept.
template <class RightHandSide, class Take>
void for_class_columns(int classes, ClassBlockSolver& solver, const RunContext& run,
                       const KeptClasses& kept, RightHandSide&& right_hand_side, Take&& take) {
  int next = 0;
  SolveReport so_far;  // of the blocks before `next`
  const auto state = [&] {
    Record record;
    record.put("next", std::int64_t{next});
    put_report("solver", so_far, record);
    kept.put(record);
    return record;
  };
  CheckpointStep step(run.checkpoint, "classes", static_cast<std::uint64_t>(classes));
  std::size_t first_steps = 0;
  while (next < classes && !solver.stopped()) {
    const int first = next;
    Block x = solver.solve(right_hand_side(first, std::min(solver.width(), classes - first)));
    if (solver.stopped_early()) step.keep_state();
    take(std::move(x), first);
    next += solver.width();
    if (solver.stopped_early()) break;
    solver.tell_done(next);
    if (!step.kept()) continue;
    so_far = solver.report();
    bool goes_on = false;
    if (first == 0) {
      first_steps = step.inner_steps();
      if (const Record* left = step.state()) {
        next = static_cast<int>(left->integer("next"));
        so_far = report_from("solver", *left);
        solver.take_report(so_far);
        kept.take(*left);
        solver.tell_done(next);
        goes_on = true;
      }
      step.state_from(state);
    }
    // The steps of the block that was at work are still to be taken.
    if (!goes_on) step.passed(first_steps);
  }
  if (next < classes)
    solver.tell_not_begun(classes - next);
  else if (classes > solver.width() && !solver.stopped_early())
    solver.tell_of_all_blocks();
}

// The same for blocks that keep nothing.
template <class Body>
void for_class_columns(int classes, ClassBlockSolver& solver, Body&& body) {
  for (int first = 0; first < classes && !solver.stopped(); first += solver.width())
    body(first, std::min(solver.width(), classes - first));
}

}  // namespace gssl::detail
