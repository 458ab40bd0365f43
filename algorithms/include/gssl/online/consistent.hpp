#pragma once
// Learners for experts of whom one is never wrong: consistent follows the first expert that was
// right so far, halving the majority of them.
//
//   gssl::HalvingLearner learner;
//   auto session = learner.start({.width = 16, .class_names = {"0", "1"}}, run);
//   session->predict({.values = advice});     // advice[i]: the class number expert i predicts
//
// Any number of classes; a tie goes to the last class. Once every expert was wrong, all are taken
// back and an epoch ends. With m mistakes of the best expert of n, at most m epochs end, and
//   mistakes of consistent ≤ m n + n − 1
//   mistakes of halving    ≤ m (⌊log₂ n⌋ + 1) + ⌊log₂ n⌋   for two classes
// For more classes halving has no such bound, since a plurality may be few: n in place of log₂ n
// holds for it too. O(n) a trial, 9n bytes.

#include "gssl/learn/registry.hpp"

namespace gssl {

class ConsistentLearner final : public OnlineLearner {
 public:
  InstanceKind instance_kind() const override { return InstanceKind::advice; }
  // Throws ErrorCode::usage unless there are at least two class names.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;
};

class HalvingLearner final : public OnlineLearner {
 public:
  InstanceKind instance_kind() const override { return InstanceKind::advice; }
  // Throws ErrorCode::usage unless there are at least two class names.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;
};

LearnerEntry consistent_entry();
LearnerEntry halving_entry();

}  // namespace gssl
