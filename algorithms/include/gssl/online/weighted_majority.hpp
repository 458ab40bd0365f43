#pragma once
// Weighted majority: predicts the class with the most weight behind it, and multiplies the weight
// of every expert that was wrong by beta. beta = 0 is Halving where some expert is never wrong.
//
//   gssl::WeightedMajorityLearner learner({.beta = 0.5});
//   auto session = learner.start({.width = 16, .class_names = {"0", "1"}}, run);
//   session->predict({.values = advice});     // advice[i]: the class number expert i predicts
//
// Two classes; a tie predicts the second. With n experts, the best of which made m mistakes
// (N. Littlestone and M. Warmuth 1994, doi:10.1006/inco.1994.1009),
//   vote=majority   mistakes ≤ (ln n + m·ln(1/beta)) / ln(2/(1+beta))
//   vote=random     the class of an expert drawn by weight: in the mean
//                   mistakes ≤ (ln n + m·ln(1/beta)) / (1−beta), for outcomes that were fixed before
// With beta = 0 those of fewest mistakes vote: m (⌊log₂ n⌋ + 1) + ⌊log₂ n⌋ by majority, and
// m (ln n + 1) + ln n in the mean.
// O(n) time a trial, 8n bytes: mistakes are kept, not weights, so that nothing underflows.

#include "gssl/learn/registry.hpp"

namespace gssl {

struct WeightedMajorityOptions {
  enum class Vote { majority, random };
  double beta = 0.5;  // in [0, 1)
  Vote vote = Vote::majority;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class WeightedMajorityLearner final : public OnlineLearner {
 public:
  explicit WeightedMajorityLearner(WeightedMajorityOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::advice; }
  // Throws ErrorCode::usage unless there are two class names.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  WeightedMajorityOptions options_;
};

LearnerEntry weighted_majority_entry();

}  // namespace gssl
