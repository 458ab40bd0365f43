#pragma once
// Random projections z = L⁺BᵀW^½q of the edges, q normal: (zᵀc)² is an unbiased estimate of cᵀL⁺c,
// and the mean of k of them is cᵀL⁺c·χ²_k/k. Internal: not installed.

#include <cstdint>
#include <memory>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "solve_group.hpp"

namespace gssl::detail {

class Projections {
 public:
  static constexpr std::int64_t group_width = 16;

  // Solved so well that what the solves leave is a small part of epsilon. The caller holds `bytes`
  // beside them. Throws MemoryError.
  Projections(const Graph& graph, double epsilon, double bytes, const RunContext& run);

  // The next `group_width` columns; empty if the run was stopped on the way.
  Block next_group(Report& report);
  // There will be no more of them: the solver is not needed.
  void finish() { solver_.reset(); }

  std::int64_t columns() const { return columns_; }
  // √(Σ‖error of z‖²_L / k): √(mean (zᵀc)²) is off by at most this, relative to √(cᵀL⁺c).
  double solve_error() const;

 private:
  Block random_columns() const;
  // `width` columns from `first` on become their solutions; false if the run was stopped.
  bool solve_part(Block& columns, std::int64_t first, std::int64_t width, Report& report);

  const Graph& graph_;
  SolveGroup group_;
  std::unique_ptr<LinearSolver> solver_;
  std::int64_t columns_ = 0;
  double lost_energy_ = 0.0;
};

// The interval that holds cᵀL⁺c, as factors of the estimate of k columns.
struct ProjectionInterval {
  double low, high;
};

// Each is left with probability at most `probability` in all, by any of `count` estimates at any of
// the checkpoints k = 16, 32, …
ProjectionInterval projection_interval(double columns, double count, double probability,
                                       double solve_error);

}  // namespace gssl::detail
