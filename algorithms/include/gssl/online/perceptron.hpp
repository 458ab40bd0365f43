#pragma once
// The perceptron: predicts the sign of w·x and, after a mistake, adds ±rate·x to w. Two classes;
// the second of setting.class_names is the positive one, and w·x = 0 predicts it.
//
//   gssl::PerceptronLearner learner({.bias = true});
//   auto session = learner.start({.class_names = {"-1", "+1"}}, run);
//   auto model = session->model();       // a linear threshold, by `form`
//
// Bound of the run, by second_look(): for every u, with L = Σ max(0, 1 − y_t u·x_t) over all trials
// and R² the largest ‖x_t‖² that was added,
//   mistakes ≤ updates ≤ (R‖u‖/2 + √(R²‖u‖²/4 + L))²
// which is R²‖u‖² where u separates the stream with margin 1 (A. Novikoff 1962; S. Shalev-Shwartz
// and Y. Singer 2005; M. Mohri and A. Rostamizadeh 2013, arXiv:1305.0208); and, with Q = Σ ‖x_t‖²
// over the rows added, ≥ ‖w‖² for their sum w, updates ≤ L + u·w ≤ L + ‖u‖√Q. The u are the last
// weights, their mean and those that the model has, each in the best scale. What is proved without
// u, for w the sum of the rows y_t x_t that were added: ‖w‖² ≤ R²·updates; both sides are
// certificates ("weight_square", "added_square", and "updates"). O(non-zeros) time a trial, 16
// bytes a column; forms `survivor` and `random` 24. Rows may be sparse and grow in width. A bias is
// a constant feature 1: its weight is part of w, and R² is larger by 1.
//
// The model that is left, by `form`: online_to_batch.hpp; averaged and survivor are the averaged and
// the pocketed perceptron (Y. Freund and R. Schapire 1999, doi:10.1023/A:1007662407062).

#include "gssl/learn/registry.hpp"
#include "gssl/online/online_to_batch.hpp"

namespace gssl {

struct PerceptronOptions {
  double rate = 1.0;  // > 0; without a start other than 0 it changes no prediction
  bool bias = true;   // a constant feature 1
  bool ties = false;  // w·x = 0 is followed by an update whatever the outcome
  HypothesisForm form = HypothesisForm::last;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class PerceptronLearner final : public OnlineLearner {
 public:
  explicit PerceptronLearner(PerceptronOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::row; }
  // Throws ErrorCode::usage unless there are two class names.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  PerceptronOptions options_;
};

LearnerEntry perceptron_entry();

}  // namespace gssl
