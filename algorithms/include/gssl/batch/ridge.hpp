#pragma once
// Ridge regression, and least squares as its limit λ = 0: the w and b of the least
//   Σ_i w_i (y_i − x_i·w − b)² + λ‖w‖²,
// w_i the weight of row i. Classes are learned as targets 0 and 1, a column for each class, and the
// largest value decides.
//
//   gssl::RidgeLearner learner({.lambda = 0.1});
//   gssl::Trained trained = learner.fit(data, run);
//   gssl::RidgePath path(data);                       // every λ from one eigendecomposition
//   path.leave_one_out(0.1);                          // residuals of rows that were left out
//
// solver   primal      (X'X + λI) w = X'y        n·d² + d³/3 multiplications, 8d² bytes
//          dual        w = X'(XX' + λI)⁻¹ y      d·n² + n³/3, 8n² bytes
//          iterative   conjugate gradients       2·values a step, for sparse rows past both
//          automatic   the cheapest of them; dense rows are copied (8nd bytes), sparse ones never
// λ = 0 takes a rank-revealing orthogonal decomposition, and so does a λ that rounding would drown:
// of all solutions that of the least norm ‖w‖ (with bias=regularized of ‖(w, b)‖).
//
// What proves the answer: the relative norm of the gradient, recomputed (relative_residual), and of
// direct solutions the leave-one-out residuals (y − ŷ)_i/(1 − h_i) in closed form: their weighted
// mean square ("leave_one_out_mse"), and for classes the share of rows that their left-out model
// mistakes ("leave_one_out_error"); "degrees_of_freedom" is Σ h_i. Of a row of weight w > 1 one of
// its w copies is left out. A row that alone determines a direction has no such residual
// (h_i = 1): it is infinite. (Golub, Heath, Wahba 1979, doi:10.1080/00401706.1979.10489751)

#include <memory>
#include <vector>

#include "gssl/batch/linear_model.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

enum class RidgeSolver { automatic, primal, dual, iterative };

struct RidgeOptions {
  double lambda = 1.0;         // ≥ 0
  bool choose_lambda = false;  // of RidgePath::grid() that of the least leave-one-out mean square
  Bias bias = Bias::free;
  RidgeSolver solver = RidgeSolver::automatic;
  double tolerance = 1e-10;    // of the iterative solver: relative norm of the gradient
  std::int64_t steps = 10000;  // of the iterative solver

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class RidgeLearner final : public InductiveLearner {
 public:
  explicit RidgeLearner(RidgeOptions options = {});
  // Real targets or classes. Throws ErrorCode::bad_data where squares of the values overflow, and
  // when a direct solver is stopped: the iterative one returns the model so far.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  RidgeOptions options_;
};

struct LeastSquaresOptions {
  Bias bias = Bias::free;
  double tolerance = 1e-12;  // as of ridge
  std::int64_t steps = 10000;

  void validate() const;
};

// Ridge with λ = 0.
class LeastSquaresLearner final : public InductiveLearner {
 public:
  explicit LeastSquaresLearner(LeastSquaresOptions options = {});
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  LeastSquaresOptions options_;
};

// All λ > 0 from one symmetric eigendecomposition of the smaller Gram matrix: m = min(n, d), about
// 9m³ + nd·m operations once and O(nm) for each λ; 8nm bytes. The decomposition itself does not
// look at the clock (some 10 s at m = 2,000).
class RidgePath {
 public:
  // Throws ErrorCode::usage where m > 6,000.
  explicit RidgePath(const Dataset& data, Bias bias = Bias::free, const RunContext& run = {});
  ~RidgePath();
  RidgePath(RidgePath&&) noexcept;
  RidgePath& operator=(RidgePath&&) noexcept;

  // Each throws ErrorCode::usage unless λ is finite and > 0.
  LinearFit at(double lambda) const;
  // y_i − ŷ_i of the model without row i (one copy of it), a column for each target; rows of weight
  // 0 are not among them. Infinite where h_i = 1.
  Block leave_one_out(double lambda) const;
  double leave_one_out_mean_square(double lambda) const;  // over all targets together
  double degrees_of_freedom(double lambda) const;

  // 61 values, ten decades in equal ratios from the largest eigenvalue down.
  std::vector<double> grid() const;
  // That of the grid with the least leave-one-out mean square; of equals the largest.
  double best() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

LearnerEntry ridge_entry();
LearnerEntry least_squares_entry();

}  // namespace gssl
