#pragma once
// Perceptrons in the space of a kernel: the score of a row is Σ a_i K(x_i, x) over the rows that were
// added.
//
//   gssl::KernelPerceptronLearner learner({.kernel = "anova"});      // disjunctions of conjunctions
//   auto session = learner.start({.class_names = {"0", "1"}}, run);
//
// kernel-perceptron adds ±1 times each row that it mistook. With u of the kernel's space that
// separates the stream with margin 1, mistakes ≤ ‖u‖² max K(x, x) (Y. Freund and R. Schapire 1999,
// doi:10.1023/A:1007662407062); for other u the bounds are those of perceptron.hpp, proved by
// second_look() for u the last function and the one that the model has. With `budget` B only the
// last B rows are kept (K. Crammer, J. Kandola, Y. Singer 2003), and nothing is proved once one was
// left. For features of 0 and 1 the kernel anova has a coordinate for each conjunction, and a
// disjunction of k of them makes O(k·2ⁿ) mistakes.
//
// randomized-kernel-descent predicts 1 with chance (1 + score)/2, held in [0, 1], and adds
// rate·(±1) times each row with y·score ≤ 1. For h of the space that is ±1 on the stream and right,
// its mean mistakes are at most ‖h‖²/(4 rate) + rate·T·max K(x, x)/4.
//
// Two classes. O(rows·d) a trial, and memory grows with the rows added unless there is a budget.

#include "gssl/learn/registry.hpp"
#include "gssl/online/online_to_batch.hpp"

namespace gssl {

struct KernelPerceptronOptions {
  std::string kernel = "auto";  // see kernel.hpp; auto: gaussian
  std::int64_t budget = 0;      // ≥ 0; 0: all rows are kept
  bool ties = false;            // a score of 0 is followed by an update whatever the outcome
  // The model that is left: online_to_batch.hpp; other than `last` without a budget only.
  HypothesisForm form = HypothesisForm::last;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct RandomizedKernelDescentOptions {
  std::string kernel = "gaussian";
  std::int64_t budget = 0;
  double rate = 0.1;                           // > 0
  HypothesisForm form = HypothesisForm::last;  // as above

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class KernelPerceptronLearner final : public OnlineLearner {
 public:
  explicit KernelPerceptronLearner(KernelPerceptronOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::row; }
  // Throws ErrorCode::usage unless there are two class names, and where the kernel is one of graphs,
  // which are of batches alone.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  KernelPerceptronOptions options_;
};

class RandomizedKernelDescentLearner final : public OnlineLearner {
 public:
  explicit RandomizedKernelDescentLearner(RandomizedKernelDescentOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::row; }
  // Throws ErrorCode::usage unless there are two class names.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  RandomizedKernelDescentOptions options_;
};

LearnerEntry kernel_perceptron_entry();
LearnerEntry randomized_kernel_descent_entry();

}  // namespace gssl
