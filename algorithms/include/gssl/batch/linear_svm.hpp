#pragma once
// A linear support vector machine: the w and b of the least
//   ½‖w‖² + C Σ_i w_i·loss(y_i (x_i·w + b)),   y_i = ±1, w_i the weight of row i,
// with loss(m) = max(0, 1 − m) (hinge) or its square. More than two classes: one against the rest,
// the largest value decides.
//
//   gssl::LinearSvmLearner learner({.c = 0.5, .bias = gssl::Bias::none});
//   gssl::Trained trained = learner.fit(data, run);
//
// For many rows and sparse columns; `svm` takes any kernel, and with kernel=linear and the hinge
// has the same answer as bias=free here. LIBLINEAR's default is bias=none, its -B 1
// bias=regularized.
//
// solver   dual    coordinate descent, O(values) a pass; hinge always
//          newton  squared hinge: some ten steps of ten products with the rows each
//          automatic: newton for the squared hinge; for the hinge dual, and where 200 passes do not
//                   suffice, as where columns differ in size, and columns are so few that it costs
//                   no more than all passes: 10 to 50 steps of an interior point method, of
//                   rows·columns² operations each, which units of columns do not matter to
// 12 bytes a value of sparse rows (4 where all are 1), 8 of dense ones, and as much again; 8 a column.
//
// What proves the answer is the duality gap ("duality_gap", one for each class), which bounds how
// far the objective ("objective") is above the least; "support_vectors" counts rows with α > 0. A
// run that is stopped, or out of passes, returns the weights so far with their gap. (Hsieh, Chang,
// Lin, Keerthi, Sundararajan, ICML 2008, doi:10.1145/1390156.1390208)

#include "gssl/batch/linear_model.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

enum class SvmLoss { hinge, squared_hinge };
enum class SvmSolver { automatic, dual, newton };

struct LinearSvmOptions {
  double c = 1.0;  // C > 0
  SvmLoss loss = SvmLoss::hinge;
  Bias bias = Bias::free;
  SvmSolver solver = SvmSolver::automatic;
  double tolerance = 1e-3;     // duality gap over the objective, in (0, 1]
  std::int64_t passes = 2000;  // at most, or Newton steps

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class LinearSvmLearner final : public InductiveLearner {
 public:
  // Throws ErrorCode::usage for the hinge with solver=newton: it has no second derivative.
  explicit LinearSvmLearner(LinearSvmOptions options = {});
  // Classes. Rows of one class only give a model that always decides for it, and a warning.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  LinearSvmOptions options_;
};

LearnerEntry linear_svm_entry();

}  // namespace gssl
