#include "gssl/batch/kernel_perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/option_binding.hpp"
#include "kernel/row_products.hpp"
#include "kernel/row_store.hpp"

namespace gssl {
namespace {

constexpr double memory = 1e9;        // bytes for rows of the kernel
constexpr double of_rounding = 1e-8;  // of the largest value that a function could have

const OptionBinding<BatchKernelPerceptronOptions>& kernel_perceptron_binding() {
  static const auto options =
      OptionBinding<BatchKernelPerceptronOptions>("kernel-perceptron")
          .text(&BatchKernelPerceptronOptions::kernel, "kernel",
                "an expression, a graph kernel, or auto")
          .integer(&BatchKernelPerceptronOptions::passes, "passes", {1}, "over the rows, at most");
  return options;
}

// The state between two rows: the values of all functions at all items.
class Learning {
 public:
  Learning(const Gram& gram, const Targets& targets, std::span<const double> weights,
           const RunContext& run)
      : targets_(targets), weights_(weights), run_(run), rows_(gram, memory, 1) {
    for (const double square : gram.diagonal(run)) longest_ = std::max(longest_, square);
    e_.reading = Expansion::Reading::classes;
    e_.class_count = targets.class_count();
    const std::vector<std::int64_t> sizes = targets.class_sizes();
    for (std::int32_t k = 0; k < e_.class_count; ++k)
      if (sizes[index(k)] > 0) e_.present.push_back(k);
    e_.coefficients = Block(gram.size(), e_.class_count);
    e_.bias.assign(index(e_.class_count), 0.0);
    f_ = Block(e_.class_count, gram.size());
  }

  // Mistakes; fewer than there are where the run is stopped.
  double pass() {
    double mistakes = 0.0;
    for (std::int64_t i = 0; i < f_.columns(); ++i) {
      const int truth = targets_.class_of()[index(i)];
      const std::vector<int> rivals = best_rivals(i, truth);
      if (rivals.empty()) continue;
      if (run_.should_stop()) break;
      ++mistakes;
      const std::int32_t item[] = {static_cast<std::int32_t>(i)};
      rows_.want(
          item, [](std::int32_t) { return true; }, run_);
      add(truth, i, weights_[index(i)]);
      for (const int rival : rivals)
        add(rival, i, -weights_[index(i)] / static_cast<double>(rivals.size()));
    }
    return mistakes;
  }

  // Its unit is the mean of the largest value at each item.
  Expansion take() {
    double sum = 0.0;
    for (std::int64_t i = 0; i < f_.columns(); ++i) {
      double largest = 0.0;
      for (const std::int32_t k : e_.present) largest = std::max(largest, std::abs(f_(k, i)));
      sum += largest;
    }
    e_.unit = sum > 0.0 ? sum / static_cast<double>(f_.columns()) : 1.0;
    return std::move(e_);
  }

 private:
  // The other classes of the largest f, if that of the truth is no larger; in order. Values that
  // rounding alone tells apart are equal, so that no step hangs on the order of a sum.
  std::vector<int> best_rivals(std::int64_t i, int truth) const {
    double largest = -std::numeric_limits<double>::infinity();
    for (const std::int32_t k : e_.present)
      if (k != truth) largest = std::max(largest, f_(k, i));
    const double near = of_rounding * longest_ * added_;
    std::vector<int> best;
    if (largest < f_(truth, i) - near) return best;
    for (const std::int32_t k : e_.present)
      if (k != truth && f_(k, i) >= largest - near) best.push_back(k);
    return best;
  }

  void add(int k, std::int64_t i, double step) {
    added_ += std::abs(step);
    e_.coefficients(i, k) += step;
    detail::add_multiple(f_.columns(), step, rows_.row(static_cast<std::int32_t>(i)),
                         f_.row(k).data());
  }

  const Targets& targets_;
  std::span<const double> weights_;
  const RunContext& run_;
  detail::RowStore<double> rows_;
  Expansion e_;
  Block f_;               // classes × items
  double longest_ = 0.0;  // largest K(x, x)
  double added_ = 0.0;    // Σ |step|
};

}  // namespace

void BatchKernelPerceptronOptions::validate() const { kernel_perceptron_binding().validate(*this); }

BatchKernelPerceptronLearner::BatchKernelPerceptronLearner(BatchKernelPerceptronOptions options)
    : KernelMethod("kernel-perceptron", options.kernel, TargetKind::classes),
      options_(std::move(options)) {
  options_.validate();
}

Expansion BatchKernelPerceptronLearner::expand(const Gram& gram, const Targets& targets,
                                               std::span<const double> weights,
                                               const RunContext& run, Report& report) const {
  Learning learning(gram, targets, weights, run);
  Certificate mistakes{"mistakes", {}};
  Outcome outcome = Outcome::iteration_limit;
  for (int pass = 0; pass < options_.passes && outcome == Outcome::iteration_limit; ++pass) {
    run.report_progress("kernel-perceptron", static_cast<double>(pass) / options_.passes);
    mistakes.values.push_back(learning.pass());
    if (const auto why = run.stop())
      outcome = *why;
    else if (mistakes.values.back() == 0.0)
      outcome = Outcome::converged;
  }
  SolveReport& how = report.solver;
  how.requested = how.used = "passes";
  how.iterations += std::ssize(mistakes.values);
  how.outcome = worse(how.outcome, outcome);
  how.sentence = std::to_string(mistakes.values.size()) + " passes, " +
                 std::to_string(static_cast<std::int64_t>(mistakes.values.back())) +
                 " mistakes in the last";
  report.certificates.push_back(std::move(mistakes));
  return learning.take();
}

}  // namespace gssl
