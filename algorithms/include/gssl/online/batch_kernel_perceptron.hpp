#pragma once
// Kernel perceptron over a set of rows, some passes in their order: each row whose own class has
// not the largest function, alone, is added to the function of its class and taken from that of the
// class that has (in equal parts where several have),
//
//   f_k(x) = Σ_i c_ik K(x_i, x),   the class of the largest f_k
//
// until a pass makes no mistake. Classes of other names give the same functions. For two classes
// f_1 = −f_0, the perceptron. Where the classes are
// separable in the space of the kernel with margin γ, the mistakes of all passes together are at
// most max K(x, x)/γ². A row of weight w is added w times at once.
//
//   gssl::BatchKernelPerceptronLearner learner({.kernel = "polynomial(a=1,r=2)", .passes = 20});
//   gssl::Trained trained = learner.fit(data, run);
//
// Which of the functions it went through is left is the option `form` (online_to_batch.hpp): the
// last, their mean over all trials of all passes, the one that stayed for the most trials, or that
// after a random trial. With `budget` B only the last B mistakes are kept, in the form `last`.
//
// O(n) for a row that is right, a row of the kernel for one that is not. Certificates: `mistakes` of
// each pass; without any in the last one the rows are all right. On a graph it takes kernels of
// graphs (kernel_method.hpp), whose labels can always be told apart; scores are shares in
// proportion to exp(f_k/u), u the mean over the labels of the largest |f_k|. Sources: M. Aizerman,
// E. Braverman, L. Rozonoer 1964; A. Novikoff 1962 (the bound). The same learner trial by trial is
// gssl/online/kernel_perceptron.hpp.

#include <cstdint>

#include "gssl/kernel/kernel_method.hpp"
#include "gssl/online/online_to_batch.hpp"

namespace gssl {

struct BatchKernelPerceptronOptions {
  std::string kernel = "auto";  // see kernel_method.hpp
  int passes = 10;              // at most; ≥ 1
  std::int64_t budget = 0;      // ≥ 0; 0: all mistakes are kept
  HypothesisForm form = HypothesisForm::last;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class BatchKernelPerceptronLearner final : public KernelMethod {
 public:
  explicit BatchKernelPerceptronLearner(BatchKernelPerceptronOptions options = {});

 private:
  Expansion expand(const Gram& gram, const Targets& targets, std::span<const double> weights,
                   const RunContext& run, Report& report) const override;

  BatchKernelPerceptronOptions options_;
};

}  // namespace gssl
