#pragma once
// The quadratic program of support vector machines, over rows of a Gram matrix on demand:
//
//   min ½ Σ_ts y_t y_s α_t α_s K(i_t, i_s) + Σ p_t α_t,   Σ y_t α_t = 0,   0 ≤ α_t ≤ c_t
//
// Two levels: a working set of the variables that break optimality most (and half of the one
// before), solved on its own small matrix by pairs of second order, then one update of
// f_i = Σ_t y_t α_t K(i_t, i). Rows are kept, in single precision first where that is near enough,
// and dropped when memory is full; the end is in double precision where the tolerance asks for it,
// and the last digits are those of a linear system (dual_polish.hpp).
//
//   DualSolution s = solve_dual(problem, {.tolerance = 1e-6}, run);
//
// Optimal where g_t = −y_t p_t − f(i_t) is no larger for any t that may go up (y_t α_t can grow)
// than for any that may go down; `violation` is by how much it is. Cost: 2·m·columns for each row
// used once, m for each row a round; rows·4m or 8m bytes. Sources: R.-E. Fan, P.-H. Chen and C.-J.
// Lin 2005 (JMLR 6, 1889–1918); Z. Wen et al. 2018 (ThunderSVM, JMLR 19, 21) for the two levels.
// Internal: not installed.

#include <cstdint>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/kernel/gram.hpp"

namespace gssl::detail {

struct DualProblem {
  const Gram* gram = nullptr;
  std::vector<std::int32_t> item = {};  // of each variable
  std::vector<double> sign = {};        // y, ±1
  std::vector<double> linear = {};      // p
  std::vector<double> bound = {};       // c > 0; may be infinite
};

struct DualOptions {
  double tolerance = 1e-3;     // of the violation
  std::int64_t max_steps = 0;  // pairs changed; 0: the larger of 10^7 and 100 variables
  double memory = 2e9;         // bytes for rows
};

struct DualSolution {
  std::vector<double> alpha;
  std::vector<double> f;  // of each item
  double bias = 0.0;      // mean g of variables between their bounds, else the middle of the gap
  double objective = 0.0;
  double half_square = 0.0;  // ½‖w‖²
  double violation = 0.0;
  bool unbounded = false;         // some α grew beyond all measure: there is no margin
  bool single_precision = false;  // f is from rows of floats
  bool polished = false;          // the variables between their bounds are from a linear system
  Outcome outcome = Outcome::converged;
  std::int64_t steps = 0;
  std::int64_t rounds = 0;
  std::int64_t rows_computed = 0;
};

DualSolution solve_dual(const DualProblem& problem, const DualOptions& options,
                        const RunContext& run);

}  // namespace gssl::detail
