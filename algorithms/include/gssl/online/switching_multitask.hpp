#pragma once
// Prediction with the advice of n experts for several tasks at once, each of which switches now and
// then between few good experts, and back: an expert that was good before, in any task, is found
// again faster than a new one.
//
//   gssl::SwitchingMultitaskLearner learner({.modes = 3, .switches = 9, .tasks = 4});
//   auto session = learner.start({.width = 64, .class_names = {"0", "1"}, .horizon = 4000}, run);
//   session->predict({.values = advice, .first = task});     // advice[i]: class of expert i
//   session->update({.value = 1});
//
// Draws an expert by π ⊙ w(task) and says what it says; π are weights of experts over all tasks, w
// of each task in [0, 1]. Rates come from the numbers of modes m, switches k, tasks s and trials T
// that are expected; with C as in the certificate "complexity" the expected loss is at most that of
// any sequence of m experts with k switches, plus C/η + ηT/2, which is √(2CT) at the tuned rate η
// (M. Herbster, S. Pasteris, L. Tse, NeurIPS 2020; W. Koolen, D. Adamskiy, M. Warmuth, NIPS 2012):
// certificate "regret_bound". The bound printed needs no comparator: for any outcomes the expected
// loss is at most Σ −ln(Σ v_i e^(−η loss_i))/η + η·trials/8.
// O(n) time a trial, 16n bytes a task. The weights are updated without a subtraction.

#include "gssl/learn/registry.hpp"

namespace gssl {

struct SwitchingMultitaskOptions {
  std::int64_t modes = 2;     // experts that are good at some time; 2 ≤ modes ≤ experts
  std::int64_t switches = 1;  // changes of the good expert, over all tasks; ≥ 1
  std::int64_t tasks = 1;     // ≥ 1
  std::int64_t horizon = 0;   // trials to come over all tasks; 0: setting.horizon
  double rate = 0.0;          // η; 0: tuned to the numbers above; finite, ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class SwitchingMultitaskLearner final : public OnlineLearner {
 public:
  explicit SwitchingMultitaskLearner(SwitchingMultitaskOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::task_row; }
  // Throws ErrorCode::usage unless there are two classes, a width of at least `modes`, and a
  // horizon with more trials than tasks, enough for the switches.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  SwitchingMultitaskOptions options_;
};

LearnerEntry switching_multitask_entry();

}  // namespace gssl
