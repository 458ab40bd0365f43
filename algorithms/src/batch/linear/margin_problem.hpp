#pragma once
// Two classes told apart by the sign of f(x) = x·w + b:
//
//   minimize P(w, b) = ½‖w‖² [+ ½b²] + Σ_i C_i·loss(y_i f(x_i)),   y_i = ±1
//
// [with a regularized bias]. Its dual has a number α_i for each row and w = Σ α_i y_i x_i:
//
//   loss             of the margin m          dual value less −½‖w‖² [−½b²]          α_i in
//   hinge            max(0, 1 − m)            Σ α_i                                  [0, C_i]
//   squared hinge    max(0, 1 − m)²           Σ α_i − α_i²/4C_i                      [0, ∞)
//   logistic         ln(1 + exp(−m))          −Σ α ln(α/C) + (C − α) ln(1 − α/C)     [0, C_i]
//
// and, for a free bias, Σ α_i y_i = 0. P of any (w, b) less the dual value of any such α bounds how
// far P is from the least: the duality gap.

#include <vector>

#include "batch/linear/training_rows.hpp"
#include "gssl/batch/linear_model.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::detail {

enum class MarginLoss { hinge, squared_hinge, logistic };

struct MarginProblem {
  const TrainingRows* rows = nullptr;
  std::vector<double> sign;  // y
  std::vector<double> cost;  // C, > 0
  MarginLoss loss = MarginLoss::hinge;
  Bias bias = Bias::none;

  // Σ C_i·loss(y_i f_i)
  double total_loss(const std::vector<double>& f, int threads) const;
};

struct MarginOptions {
  double tolerance = 1e-4;     // duality gap over P
  std::int64_t passes = 1000;  // over the rows, or Newton steps
};

struct MarginSolution {
  std::vector<double> w;
  double b = 0.0;
  double objective = 0.0;  // P(w, b)
  double gap = 0.0;
  std::int64_t passes = 0;
  std::int64_t support = 0;  // rows with α > 0
  bool interior = false;     // by interior_point()
  Outcome outcome = Outcome::converged;
};

struct MarginValue {
  double primal = 0.0;
  double gap = 0.0;
};
// Of (w, b) with f = Xw + b beside α, which is first made to satisfy Σ α y = 0 where the bias is
// free: the heavier side is scaled down.
MarginValue margin_value(const MarginProblem& problem, const std::vector<double>& w, double b,
                         const std::vector<double>& f, std::vector<double> alpha, int threads);

// Coordinate descent in the dual, a row at a time in a new random order for each pass, leaving out
// rows that have come to rest at a bound (Hsieh et al., ICML 2008, doi:10.1145/1390156.1390208). A
// free bias is the multiplier of Σ α y = 0, found by the method of multipliers. Hinge and squared
// hinge. `rows` should be in random order.
MarginSolution descend_dual(const MarginProblem& problem, const MarginOptions& options, Rng rng,
                            const RunContext& run);

// A primal-dual interior point method with Mehrotra's corrector for the hinge (S. Mehrotra 1992,
// doi:10.1137/0802028; M. Ferris, T. Munson 2002, doi:10.1137/S1052623400374379): 10 to 50 steps of
// rows·columns² operations whatever the units of the columns and C, 8·columns² bytes.
MarginSolution interior_point(const MarginProblem& problem, const MarginOptions& options,
                              const RunContext& run);

// Newton's method on P with conjugate gradients and a line search (Lin, Weng, Keerthi, JMLR 2008).
// Squared hinge and logistic.
MarginSolution newton(const MarginProblem& problem, const MarginOptions& options,
                      const RunContext& run);

}  // namespace gssl::detail
