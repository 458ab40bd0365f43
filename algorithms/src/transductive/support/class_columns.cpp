#include "class_columns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/learn/learner.hpp"
#include "support/mark_stopped.hpp"
#include "support/reported_solve.hpp"

namespace gssl::detail {

ClassBlockSolver::ClassBlockSolver(GroundedLaplacian system, std::int64_t columns,
                                   const ColumnPlan& plan, Report& report)
    : system_(std::make_shared<const GroundedLaplacian>(std::move(system))),
      options_(plan.options),
      run_(plan.run),
      width_(plan.width),
      report_(report),
      columns_(columns) {
  options_.columns = columns;
  report_nothing_to_solve(options_, report_);
  // "solve, residual 1e-5", so far of a block, is so far of all classes.
  if (run_.progress && columns_ > width_)
    run_.progress = [this, tell = run_.progress](std::string_view stage, double fraction) {
      const double done = static_cast<double>(done_) + width_ * std::clamp(fraction, 0.0, 1.0);
      std::string text(classes_stage);
      if (stage != classes_stage)
        text.append(", ").append(stage.starts_with("solve, ") ? stage.substr(7) : stage);
      tell(text, std::min(1.0, done / static_cast<double>(columns_)));
    };
}

void ClassBlockSolver::tell_done(std::int64_t columns) {
  done_ = std::min(columns, columns_);
  run_.report_progress(classes_stage);
}

Block ClassBlockSolver::solve(Block b) {
  if (b.rows() == 0) return Block(0, b.columns());
  Block x;
  const Stopwatch watch;
  double setup = 0.0;
  if (other_) {
    x = Block(b.rows(), b.columns());
    merge(report_, other_(*system_, b, x));
  } else if (solver_ == nullptr) {
    x = std::move(b);
    FirstSolve first = make_solver_and_solve(system_, options_, x, x, run_);
    solver_ = std::move(first.solver);
    setup = first.setup_seconds;
    merge(report_, first.report);
  } else {
    x = std::move(b);
    merge(report_, solver_->solve(x, x, run_));
  }
  report_.setup_seconds += setup;
  report_.solve_seconds += watch.seconds() - setup;
  for (std::int64_t r = 0; r < x.rows(); ++r)
    for (const double value : x.row(r))
      if (!std::isfinite(value))
        throw Error(ErrorCode::bad_data,
                    "scores are not finite: edge weights span more than a double can hold; "
                    "rescale them");
  return x;
}

bool ClassBlockSolver::stopped() {
  const std::optional<Outcome> stop = run_.stop();
  if (!stop) return false;
  mark_stopped(report_, *stop);
  return true;
}

void ClassBlockSolver::tell_not_begun(int classes) {
  SolveReport all = report();
  all.sentence += "; " + std::to_string(classes) +
                  (classes == 1 ? " class was not begun" : " classes were not begun");
  all.relative_residual = std::max(1.0, all.relative_residual.value_or(0.0));
  take_report(std::move(all));
}

void ClassBlockSolver::tell_of_all_blocks() {
  const SolveReport all = report();
  report_.sentence += "; all blocks: ";
  if (all.iterations > 0)
    report_.sentence += "at most " + std::to_string(all.iterations) + " iterations, ";
  report_.sentence +=
      "relative residual " + to_brief_text(all.relative_residual.value_or(0.0)) + " or less";
}

RunningDecision::RunningDecision(std::int64_t rows, int top)
    : largest_(static_cast<std::size_t>(rows), 0.0),
      sum_(static_cast<std::size_t>(rows), 0.0),
      class_(static_cast<std::size_t>(rows), 0),
      tied_(static_cast<std::size_t>(rows), 0),
      top_(rows, top) {}

// The lowest class wins a tie, and came first.
void RunningDecision::insert(std::int64_t row, double score, int k) {
  const std::span<double> scores = top_.scores(row);
  const std::span<int> classes = top_.classes(row);
  if (!(score > scores.back())) return;
  std::size_t at = scores.size() - 1;
  for (; at > 0 && score > scores[at - 1]; --at) {
    scores[at] = scores[at - 1];
    classes[at] = classes[at - 1];
  }
  scores[at] = score;
  classes[at] = k;
}

std::span<const int> RunningDecision::top_classes(std::int64_t row) const {
  return top_.classes(row);
}

std::span<const double> RunningDecision::top_scores(std::int64_t row) const {
  return top_.scores(row);
}

void RunningDecision::take(const Block& scores, int first, int threads) {
  take(scores, first, threads, [](std::int64_t) { return std::span<const double>(); });
}

void RunningDecision::add(std::int64_t row, double score, int k) {
  sum_[index(row)] += score;
  if (score > largest_[index(row)]) {
    largest_[index(row)] = score;
    class_[index(row)] = is_scaled(row) ? scaled_class(k) : k;
    tied_[index(row)] = 0;
  } else if (score == largest_[index(row)]) {
    tied_[index(row)] = 1;
  }
  if (top_.count() > 0) insert(row, score, k);
}

// What was kept were the scores as they are.
void RunningDecision::begin_scaled(std::int64_t row, int k) {
  largest_[index(row)] = sum_[index(row)] = 0.0;
  class_[index(row)] = scaled_class(k);
  tied_[index(row)] = 0;
  if (top_.count() == 0) return;
  std::ranges::fill(top_.classes(row), -1);
  std::ranges::fill(top_.scores(row), 0.0);
}

double RunningDecision::confidence(std::int64_t row) const {
  return sum(row) > 0.0 ? std::min(1.0, largest(row) / sum(row)) : 0.0;
}

void RunningDecision::put(const std::string& name, Record& record) const {
  record.put(name + "/largest", std::vector<double>(largest_));
  record.put(name + "/sum", std::vector<double>(sum_));
  record.put(name + "/class", std::vector<std::int32_t>(class_));
  record.put(name + "/tied", std::vector<std::int32_t>(tied_));
}

void RunningDecision::take(const std::string& name, const Record& record) {
  const auto rows = std::ssize(sum_);
  largest_ = record.reals(name + "/largest", rows);
  sum_ = record.reals(name + "/sum", rows);
  class_ = record.integers(name + "/class", rows);
  tied_ = record.integers(name + "/tied", rows);
}

}  // namespace gssl::detail
