#pragma once
// Several tasks at once, each of which changes now and then among a few functions of the space of a
// kernel, and comes back to them: switching multitask prediction with long-term memory. It is
// matrix exponentiated gradient (meg.hpp) on the matrix of times by instances, where times have the
// path-tree kernel and instances the kernel K, brought to K(x, x) = 1.
//
//   gssl::SwitchingKernelLearner learner({.kernel = "gaussian(beta=1)", .modes = 2, .switches = 9});
//   auto session = learner.start({.class_names = {"-", "+"}, .horizon = 1000}, run);
//   session->predict({.values = row});                // one task: a row of features
//   session->update({.value = 1});
//
// With `tasks` > 1 the first value of each row is its task, 0 … tasks − 1, and no feature. T is the
// horizon, the trials of all tasks together. Proved in expectation, against any `modes` functions
// that the tasks follow with `switches` changes: mistakes ≤ their hinge loss + 4√(2 C T ln 2T),
// with C = norm + 2(tasks + switches − 1)·modes·⌈log₂T⌉² + 2·modes² and norm = Σ‖h‖²_K over the
// modes; certificate "regret_bound" (M. Herbster, S. Pasteris, L. Tse. Online multitask learning
// with long-term memory. NeurIPS 2020). Bound of the run: that of meg.hpp for h = 0, D = 4;
// second_look() compares it with kernel ridge functions of the rows for all times and tasks, which
// takes room for all trials. A trial costs O(r² + r·columns) for r updates kept, r·columns numbers
// of memory.

#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl {

struct SwitchingKernelOptions {
  std::string kernel = "gaussian(beta=1)";  // of features, kernel.hpp
  int tasks = 1;                            // ≥ 1
  int modes = 2;                            // functions that the tasks choose from; ≥ 1
  std::int64_t switches = 0;  // changes of all tasks together that are expected; ≥ 0
  double norm = 1.0;          // Σ‖h‖² of the modes; > 0
  bool conservative = false;  // update on mistakes only, and draw nothing
  std::int64_t horizon = 0;   // T; 0: setting.horizon

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class SwitchingKernelLearner final : public OnlineLearner {
 public:
  explicit SwitchingKernelLearner(SwitchingKernelOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::row; }
  // Throws ErrorCode::usage unless there are two classes and a horizon.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  SwitchingKernelOptions options_;
};

LearnerEntry switching_kernel_entry();

}  // namespace gssl
