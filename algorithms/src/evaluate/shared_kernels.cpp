#include "evaluate/shared_kernels.hpp"

#include "gssl/core/error.hpp"

namespace gssl::detail {
namespace {

// Entries that one fit of each trial takes.
double entries_of_fits(const std::vector<Trial>& trials) {
  double all = 0.0;
  for (const Trial& trial : trials) {
    const auto training =
        static_cast<double>(trial.split.training.size() + trial.validation.size());
    all += training * (training + static_cast<double>(trial.split.test.size()));
  }
  return all;
}

}  // namespace

SharedKernels::SharedKernels(const EvaluationProblem& problem,
                             const std::vector<const MadeLearner*>& learners,
                             const std::vector<Trial>& trials, double bytes,
                             const RunContext& run) {
  if (problem.points == nullptr) return;
  const auto n = static_cast<double>(problem.truth.size());
  if (entries_of_fits(trials) < n * n) return;
  for (const MadeLearner* learner : learners) {
    const auto* method = learner->as<KernelMethod>();
    if (method == nullptr) continue;
    const std::string kernel = method->fixed_kernel();
    if (kernel.empty() || of_kernel_.contains(kernel)) continue;
    bytes -= 8.0 * n * n;
    if (bytes < 0.0) return;
    try {
      const auto gram =
          gram_of_points(make_kernel(kernel), select(*problem.points, problem.vertices));
      of_kernel_[kernel] = std::make_shared<const GramMatrix>(
          GramMatrix{.values = gram->whole(run), .fits_float = gram->fits_float()});
    } catch (const Error&) {
      if (run.should_stop()) return;
    }
  }
}

std::shared_ptr<const GramMatrix> SharedKernels::of(const KernelMethod& method) const {
  const auto found = of_kernel_.find(method.fixed_kernel());
  return found == of_kernel_.end() ? nullptr : found->second;
}

}  // namespace gssl::detail
