#pragma once
// The perceptron: predicts the sign of w·x and, after a mistake, adds ±rate·x to w. Two classes;
// the second of setting.class_names is the positive one, and w·x = 0 predicts it.
//
//   gssl::PerceptronLearner learner({.bias = true});
//   auto session = learner.start({.class_names = {"-1", "+1"}}, run);
//   auto model = session->model();       // a linear threshold, by `form`
//
// Bound of the run, where some u separates the stream with margin 1: mistakes ≤ R²‖u‖² (A. Novikoff
// 1962). It is not printed: no such u is known while the stream runs. What is proved without one,
// for w the sum of the rows y_t x_t that were added and R² the largest ‖x_t‖² of them:
// ‖w‖² ≤ R²·updates; both sides are certificates ("weight_square", "added_square", and "updates").
// O(non-zeros) time a trial, 8 bytes a column; forms other than `last` 16. Rows may be sparse and
// grow in width. A bias is a constant feature 1: its weight is part of w, and R² is larger by 1.
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
