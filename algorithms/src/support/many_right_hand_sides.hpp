#pragma once
// Many right-hand sides of one system, a few columns at a time: one factorization, bounded memory.
// The solver is prepared before any of them. Blocks of classes, whose first one also decides what
// solves them, and which a checkpoint keeps, are of transductive/support/class_columns.hpp.
// Internal: not installed.
//
//   ManyRightHandSides solves(std::move(system), options, count, run, report);
//   solves.each("leave one out", count, run, fill, take);   // fill(j, c, b), take(first, width, x)

#include <algorithm>
#include <memory>
#include <string_view>

#include "gssl/core/report.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl::detail {

class ManyRightHandSides {
 public:
  static constexpr std::int64_t width = 16;  // columns solved together; b and x are n×16

  // Prepares the solver unless there is nothing to solve. `report` must outlive this object.
  ManyRightHandSides(GroundedLaplacian system, SolverOptions options, std::int64_t count,
                     const RunContext& run, Report& report);

  // For columns j = 0 … count−1 in groups: fill(j, c, b) writes column j into column c of the zero
  // block b, take(first, columns, x) gets the answers of columns first … first+columns−1. Stops
  // between groups when the run says so; false then, and the report says why.
  template <class Fill, class Take>
  bool each(std::string_view stage, std::int64_t count, const RunContext& run, Fill&& fill,
            Take&& take) {
    if (!solver_) return true;
    for (std::int64_t first = 0; first < count; first += width) {
      if (stopped(run)) return false;
      run.report_progress(stage, static_cast<double>(first) / static_cast<double>(count));
      const std::int64_t columns = std::min(width, count - first);
      Block b(rows_, columns);
      for (std::int64_t c = 0; c < columns; ++c) fill(first + c, c, b);
      take(first, columns, solve(b, run));
    }
    return true;
  }

  // A X = B, counted in the report. B must have as many rows as the system.
  Block solve(const Block& b, const RunContext& run);

  std::int64_t rows() const { return rows_; }

 private:
  bool stopped(const RunContext& run);

  std::int64_t rows_;
  Report& report_;
  std::unique_ptr<LinearSolver> solver_;
};

}  // namespace gssl::detail
