#pragma once
// Logistic regression: the w and b of the least
//   ½‖w‖² + C Σ_i w_i·ln(1 + exp(−y_i (x_i·w + b))),   y_i = ±1, w_i the weight of row i.
// The probability of the second class is 1/(1 + exp(−f)). More than two classes: one against the
// rest, probabilities scaled to sum 1.
//
//   gssl::LogisticLearner learner({.c = 10});
//   gssl::Trained trained = learner.fit(data, run);
//   trained.model->scores(points);            // probabilities, a column for each class
//
// Newton's method with conjugate gradients: some ten steps of ten products with the rows each, on
// all threads. 12 bytes a value of sparse rows (4 where all are 1) and as much for the columns.
// What proves the answer is the duality gap ("duality_gap", one for each class), which bounds how
// far the objective ("objective") is above the least. A run that is stopped returns the weights so
// far. (Lin, Weng, Keerthi, JMLR 9, 2008; dual: Yu, Huang, Lin 2011, doi:10.1007/s10994-010-5221-8)

#include "gssl/batch/linear_model.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

struct LogisticOptions {
  double c = 1.0;  // C > 0
  Bias bias = Bias::free;
  double tolerance = 1e-5;   // duality gap over the objective, in (0, 1]
  std::int64_t steps = 200;  // of Newton, at most

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class LogisticLearner final : public InductiveLearner {
 public:
  explicit LogisticLearner(LogisticOptions options = {});
  // Classes. Rows of one class only give a model that always decides for it, and a warning.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  LogisticOptions options_;
};

LearnerEntry logistic_entry();

}  // namespace gssl
