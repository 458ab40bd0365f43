#pragma once
// Completing a matrix of which some cells are known: biases and a product of thin factors.
//
//   value(r, c) = mean + row_bias_r + column_bias_c + U_r · V_c
//
//   gssl::Completion fit = gssl::complete_by_als(cells, {.rank = 8, .lambda = 15.0}, run);
//   fit.value(r, c);
//   gssl::root_mean_square_error(fit, held_out);
//   gssl::builtin_learners().make("als:rank=8").completer().complete(cells, run);
//
// alternating least squares (als): biases first, minimizing
//     Σ (a − mean − b_r − b_c)² + bias_lambda·(Σ b_r² + Σ b_c²),   mean that of all cells,
//   then U and V alternately on what is left, each row one system of rank unknowns, minimizing
//     Σ (e − U_r·V_c)² + lambda·(‖U‖² + ‖V‖²),
//   which never rises; a local minimum. rank = 0: biases alone. Certificates: "bias_objective",
//   "objective" after each sweep.
//   (Y. Koren, R. Bell, C. Volinsky 2009, doi:10.1109/MC.2009.263.)
// soft-impute: the one minimum of  ½Σ (a − Z)² + lambda·‖Z‖_*  (nuclear norm), by proximal steps on
//   a warm-started subspace along a path of lambdas from the largest singular value downward; the
//   certificate "duality_gap" proves it. Without biases unless asked. Certificates: "lambda",
//   "objective", "duality_gap" and "rank", one for each lambda of the path.
//   (R. Mazumder, T. Hastie, R. Tibshirani 2010, JMLR 11:2287.)
//
// O(cells·rank² + (rows + columns)·rank³) a sweep of als, O(cells·rank + (rows + columns)·rank²) a
// step of soft-impute. A row without cells has bias 0 and U_r = 0. Same bytes at any number of
// threads.

#include <cstdint>

#include "gssl/complete/cells.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/learn/completer.hpp"

namespace gssl {

struct LearnerEntry;

struct AlsOptions {
  std::int64_t rank = 8;      // columns of U and V; ≥ 0
  double lambda = 15.0;       // > 0
  double bias_lambda = 5.0;   // > 0
  bool biases = true;         // without: mean and biases are 0
  std::int64_t sweeps = 200;  // most of them; ≥ 1
  double tolerance = 1e-5;    // stop where a sweep lowers the objective by less, relatively; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct SoftImputeOptions {
  double lambda = 10.0;       // the last of the path; > 0
  std::int64_t path = 10;     // lambdas, in equal ratios; ≥ 1
  bool biases = false;        // taken away first, as als does
  double bias_lambda = 5.0;   // > 0
  std::int64_t steps = 2000;  // most of them for each lambda; ≥ 1
  double tolerance = 1e-6;    // of the duality gap, relative to the objective; > 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// Throw ErrorCode::bad_data without cells, and ErrorCode::usage as validate(). A run that is
// stopped gives what it has, and report.outcome says so. `held_out`, cells of the same
// matrix that were not learned from, is measured at each lambda.
Completion complete_by_als(const Cells& cells, const AlsOptions& options = {},
                           const RunContext& run = {});
Completion complete_by_soft_impute(const Cells& cells, const SoftImputeOptions& options = {},
                                   const RunContext& run = {}, const Cells* held_out = nullptr);

LearnerEntry als_entry();
LearnerEntry soft_impute_entry();

// NaN without cells.
double root_mean_square_error(const Completion& completion, const Cells& cells);

}  // namespace gssl
