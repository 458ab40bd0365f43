#include "class_columns.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "solve/mark_stopped.hpp"
#include "support/fit_support.hpp"

namespace gssl::detail {

bool has_many_classes(const LabeledSet& labeled) {
  return !labeled.is_regression() && labeled.class_count() > 2 * columns_at_once;
}

ColumnSolver::ColumnSolver(GroundedLaplacian system, std::int64_t columns,
                           const SolverOptions& options, const RunContext& run, Report& report)
    : system_(std::make_shared<const GroundedLaplacian>(std::move(system))),
      options_(options),
      run_(run),
      report_(report) {
  options_.columns = columns;
  report_.solver.requested = to_string(options.kind);
  report_.solver.used = "none";
  report_.solver.sentence = "nothing to solve: the given labels decide every vertex";
}

Block ColumnSolver::solve(const Block& b) {
  Block x(b.rows(), b.columns());
  if (b.rows() == 0) return x;
  const Stopwatch watch;
  double setup = 0.0;
  if (solver_ == nullptr) {
    FirstSolve first = make_solver_and_solve(system_, options_, b, x, run_);
    solver_ = std::move(first.solver);
    setup = first.setup_seconds;
    merge(report_.solver, first.report);
  } else {
    merge(report_.solver, solver_->solve(b, x, run_));
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

bool ColumnSolver::stopped() {
  const std::optional<Outcome> stop = run_.stop();
  if (!stop) return false;
  mark_stopped(report_.solver, *stop);
  return true;
}

RunningDecision::RunningDecision(std::int64_t rows)
    : largest_(static_cast<std::size_t>(rows), 0.0),
      sum_(static_cast<std::size_t>(rows), 0.0),
      class_(static_cast<std::size_t>(rows), 0) {}

void RunningDecision::take(const Block& scores, int first, int threads) {
  parallel_blocks(scores.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      int k = first;
      for (const double score : scores.row(r)) {
        sum_[index(r)] += score;
        if (score > largest_[index(r)]) {
          largest_[index(r)] = score;
          class_[index(r)] = k;
        }
        ++k;
      }
    }
  });
}

double RunningDecision::confidence(std::int64_t row) const {
  return sum(row) > 0.0 ? std::min(1.0, largest(row) / sum(row)) : 0.0;
}

void RunningDecision::put(const std::string& name, Record& record) const {
  record.put(name + "/largest", std::vector<double>(largest_));
  record.put(name + "/sum", std::vector<double>(sum_));
  record.put(name + "/class", std::vector<std::int32_t>(class_));
}

void RunningDecision::take(const std::string& name, const Record& record) {
  const auto rows = std::ssize(sum_);
  largest_ = record.reals(name + "/largest", rows);
  sum_ = record.reals(name + "/sum", rows);
  class_ = record.integers(name + "/class", rows);
}

}  // namespace gssl::detail
