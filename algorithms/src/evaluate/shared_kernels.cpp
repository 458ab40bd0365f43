#include "evaluate/shared_kernels.hpp"

#include <algorithm>
#include <numeric>

#include "evaluate/trial_answers.hpp"
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

// Rows class by class: a machine that parts two classes then reads neighbors.
std::vector<std::int32_t> by_class(const Targets& truth) {
  std::vector<std::int32_t> order(truth.size());
  std::iota(order.begin(), order.end(), 0);
  if (!truth.is_regression())
    std::ranges::stable_sort(order, {}, [&](std::int32_t row) {
      return truth.class_of()[static_cast<std::size_t>(row)];
    });
  return order;
}

}  // namespace

SharedKernels::SharedKernels(const EvaluationProblem& problem,
                             const std::vector<const MadeLearner*>& learners,
                             const std::vector<Trial>& trials, double bytes,
                             const RunContext& run) {
  if (!takes_rows_as_they_are(problem)) return;
  const auto n = static_cast<double>(problem.truth.size());
  if (entries_of_fits(trials) < n * n) return;
  const std::vector<std::int32_t> order = by_class(problem.truth);
  std::vector<VertexId> rows;
  place_.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    rows.push_back(problem.vertices[static_cast<std::size_t>(order[i])]);
    place_[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
  }
  for (const MadeLearner* learner : learners) {
    const auto* method = learner->as<KernelMethod>();
    if (method == nullptr) continue;
    const std::string kernel = method->fixed_kernel();
    if (kernel.empty() || of_kernel_.contains(kernel)) continue;
    bytes -= 8.0 * n * n;
    if (bytes < 0.0) return;
    try {
      const auto gram = gram_of_points(make_kernel(kernel), select(*problem.points, rows));
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

std::vector<std::int32_t> SharedKernels::places(const std::vector<std::int32_t>& rows) const {
  std::vector<std::int32_t> found;
  found.reserve(rows.size());
  for (const std::int32_t row : rows) found.push_back(place_[static_cast<std::size_t>(row)]);
  return found;
}

}  // namespace gssl::detail
