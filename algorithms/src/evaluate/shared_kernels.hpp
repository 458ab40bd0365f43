#pragma once
// Gram matrices that all trials of an evaluation share: one for each kernel of points that does not
// depend on the rows it is learned from. Internal: not installed.
//
//   SharedKernels shared(problem, learners, trials, options, run);
//   if (const auto gram = shared.of(learner)) …       // else it is not shared

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "gssl/evaluate/evaluation.hpp"
#include "gssl/kernel/kernel_method.hpp"

namespace gssl::detail {

class SharedKernels {
 public:
  // Computes the matrices, by all threads, where the fits to come need about as many entries as
  // they hold and they fit `bytes` (the first ones, where not all do). A kernel that refuses the
  // rows is left to the fits, which say so.
  SharedKernels(const EvaluationProblem& problem, const std::vector<const MadeLearner*>& learners,
                const std::vector<Trial>& trials, double bytes, const RunContext& run);

  // Of all rows of the truth, class by class; nullptr: not shared.
  std::shared_ptr<const GramMatrix> of(const KernelMethod& method) const;
  // Where these rows are in it.
  std::vector<std::int32_t> places(const std::vector<std::int32_t>& rows) const;

 private:
  std::vector<std::int32_t> place_;  // of each row
  std::map<std::string, std::shared_ptr<const GramMatrix>> of_kernel_;
};

}  // namespace gssl::detail
