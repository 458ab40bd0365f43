#include "gssl/online/batch_kernel_perceptron.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/option_binding.hpp"
#include "kernel/row_products.hpp"
#include "kernel/row_store.hpp"
#include "online/hypothesis.hpp"
#include "online/kernel_expansion.hpp"

namespace gssl {
namespace {

constexpr double memory = 1e9;        // bytes for rows of the kernel
constexpr double of_rounding = 1e-8;  // of the largest value that a function could have

const OptionBinding<BatchKernelPerceptronOptions>& batch_kernel_perceptron_binding() {
  static const auto options =
      OptionBinding<BatchKernelPerceptronOptions>("kernel-perceptron")
          .text(&BatchKernelPerceptronOptions::kernel, "kernel",
                "an expression, a graph kernel, or auto")
          .integer(&BatchKernelPerceptronOptions::passes, "passes", {1}, "over the rows, at most")
          .integer(&BatchKernelPerceptronOptions::budget, "budget", {.low = 0},
                   "mistakes that are kept, the oldest go first; 0: all");
  return options;
}

// The functions at some time: coefficients, items × classes, and values, classes × items.
struct BatchFunctions {
  Block coefficients, values;

  void subtract(const BatchFunctions& other, double by) {
    for (std::size_t i = 0; i < coefficients.values().size(); ++i)
      coefficients.data()[i] -= by * other.coefficients.data()[i];
    for (std::size_t i = 0; i < values.values().size(); ++i)
      values.data()[i] -= by * other.values.data()[i];
  }
};

// What a mistake added to the functions.
struct Addition {
  std::int32_t item = 0;
  std::vector<std::pair<int, double>> steps;  // of a class
};

// The state between two rows: the values of all functions at all items.
class Learning {
 public:
  Learning(const Gram& gram, const Targets& targets, std::span<const double> weights,
           const BatchKernelPerceptronOptions& options, const RunContext& run)
      : targets_(targets),
        weights_(weights),
        run_(run),
        rows_(gram, memory, 1),
        lengths_(gram.diagonal(run)),
        choice_(options.form, run.seed),
        budget_(options.budget) {
    for (double& length : lengths_) length = std::sqrt(std::max(0.0, length));
    e_.reading = Expansion::Reading::classes;
    e_.class_count = targets.class_count();
    const std::vector<std::int64_t> sizes = targets.class_sizes();
    for (std::int32_t k = 0; k < e_.class_count; ++k)
      if (sizes[index(k)] > 0) e_.present.push_back(k);
    e_.bias.assign(index(e_.class_count), 0.0);
    now_ = {Block(gram.size(), e_.class_count), Block(e_.class_count, gram.size())};
    if (options.form == HypothesisForm::averaged) kept_ = now_;
  }

  // Mistakes; fewer than there are where the run is stopped.
  double pass() {
    double mistakes = 0.0;
    for (std::int64_t i = 0; i < now_.values.columns(); ++i) {
      const int truth = targets_.class_of()[index(i)];
      const std::vector<int> rivals = best_rivals(i, truth);
      if (rivals.empty()) {
        end_trial(false);
        continue;
      }
      if (run_.should_stop()) break;
      ++mistakes;
      if (choice_.takes_before_change()) kept_ = now_;
      Addition mistake{static_cast<std::int32_t>(i), {{truth, weights_[index(i)]}}};
      for (const int rival : rivals)
        mistake.steps.emplace_back(rival, -weights_[index(i)] / static_cast<double>(rivals.size()));
      add(mistake);
      if (budget_ > 0) keep(std::move(mistake));
      end_trial(true);
    }
    return mistakes;
  }

  // Shortest and longest row in the space of the kernel, √K(x, x), of those that are not 0 there.
  std::pair<double, double> lengths() const {
    double least = std::numeric_limits<double>::infinity(), most = 0.0;
    for (const double length : lengths_) {
      if (length > 0.0) least = std::min(least, length);
      most = std::max(most, length);
    }
    return {least, most};
  }

  // Of the form that was asked for. Its unit is the mean of the largest value at each item.
  Expansion take() {
    if (choice_.leaves_taken())
      now_ = std::move(kept_);
    else if (choice_.averages() && choice_.trials() > 0)
      now_.subtract(kept_, 1.0 / static_cast<double>(choice_.trials()));
    double sum = 0.0;
    for (std::int64_t i = 0; i < now_.values.columns(); ++i) {
      double largest = 0.0;
      for (const std::int32_t k : e_.present)
        largest = std::max(largest, std::abs(now_.values(k, i)));
      sum += largest;
    }
    e_.unit = sum > 0.0 ? sum / static_cast<double>(now_.values.columns()) : 1.0;
    e_.coefficients = std::move(now_.coefficients);
    return std::move(e_);
  }

 private:
  void end_trial(bool changed) {
    if (choice_.takes_after_trial(changed)) kept_ = now_;
  }

  // The other classes of the largest f, if that of the truth is no larger; in order. Values that
  // rounding alone tells apart are equal, so that no step hangs on the order of a sum.
  std::vector<int> best_rivals(std::int64_t i, int truth) const {
    double largest = -std::numeric_limits<double>::infinity();
    for (const std::int32_t k : e_.present)
      if (k != truth) largest = std::max(largest, now_.values(k, i));
    const double near = of_rounding * lengths_[index(i)] * added_;
    std::vector<int> best;
    if (largest < now_.values(truth, i) - near) return best;
    for (const std::int32_t k : e_.present)
      if (k != truth && now_.values(k, i) >= largest - near) best.push_back(k);
    return best;
  }

  void add(const Addition& mistake) {
    want(mistake.item);
    for (const auto& [k, step] : mistake.steps) {
      added_ += std::abs(step) * lengths_[index(mistake.item)];
      add_to(now_, k, mistake.item, step);
      // Σ_s (trials before that of s)·(its step), so that the mean over T trials is now_ − kept_/T.
      if (choice_.averages())
        add_to(kept_, k, mistake.item, step * static_cast<double>(choice_.trials()));
    }
  }

  void keep(Addition mistake) {
    window_.push_back(std::move(mistake));
    if (std::ssize(window_) <= budget_) return;
    const Addition oldest = std::move(window_.front());
    window_.pop_front();
    want(oldest.item);
    for (const auto& [k, step] : oldest.steps) {
      added_ -= std::abs(step) * lengths_[index(oldest.item)];
      add_to(now_, k, oldest.item, -step);
    }
    // Thirds do not cancel to the last bit: a row that is gone has the coefficient 0.
    std::ranges::fill(now_.coefficients.row(oldest.item), 0.0);
    for (const Addition& one : window_)
      if (one.item == oldest.item)
        for (const auto& [k, step] : one.steps) now_.coefficients(one.item, k) += step;
  }

  void want(std::int32_t item) {
    const std::int32_t items[] = {item};
    rows_.want(
        items, [](std::int32_t) { return true; }, run_);
  }

  void add_to(BatchFunctions& to, int k, std::int64_t i, double step) {
    to.coefficients(i, k) += step;
    detail::add_multiple(to.values.columns(), step, rows_.row(static_cast<std::int32_t>(i)),
                         to.values.row(k).data());
  }

  const Targets& targets_;
  std::span<const double> weights_;
  const RunContext& run_;
  detail::RowStore<double> rows_;
  std::vector<double> lengths_;  // √K(x, x) of each item
  detail::HypothesisChoice choice_;
  Expansion e_;  // its coefficients come in the end
  BatchFunctions now_;
  BatchFunctions kept_;  // those put aside, or what the mean is made of
  double added_ = 0.0;   // Σ |step|·√K(x, x) of what is kept
  std::int64_t budget_;
  std::deque<Addition> window_;  // where there is a budget: the last of them
};

// A step on the longest row undoes what as many steps on the shortest have done as it is longer.
void warn_of_lengths(const Learning& learning, Outcome outcome, Report& report) {
  constexpr double far_apart = 1000.0;
  const auto [least, most] = learning.lengths();
  if (outcome != Outcome::iteration_limit || most < far_apart * least) return;
  report.warnings.push_back(
      "kernel-perceptron: in the space of the kernel the longest row is " +
      to_brief_text(most / least) +
      " times as long as the shortest, and decides for all: take kernel=normalize(…)");
}

}  // namespace

void BatchKernelPerceptronOptions::validate() const {
  batch_kernel_perceptron_binding().validate(*this);
  detail::check_form("kernel-perceptron", form, budget);
}

BatchKernelPerceptronLearner::BatchKernelPerceptronLearner(BatchKernelPerceptronOptions options)
    : KernelMethod("kernel-perceptron", options.kernel, TargetKind::classes),
      options_(std::move(options)) {
  options_.validate();
}

Expansion BatchKernelPerceptronLearner::expand(const Gram& gram, const Targets& targets,
                                               std::span<const double> weights,
                                               const RunContext& run, Report& report) const {
  Learning learning(gram, targets, weights, options_, run);
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
  Ending& how = report;
  how.requested = how.used = "passes";
  how.iterations += std::ssize(mistakes.values);
  how.outcome = worse(how.outcome, outcome);
  how.sentence = std::to_string(mistakes.values.size()) + " passes, " +
                 std::to_string(static_cast<std::int64_t>(mistakes.values.back())) +
                 " mistakes in the last";
  report.certificates.push_back(std::move(mistakes));
  warn_of_lengths(learning, outcome, report);
  return learning.take();
}

}  // namespace gssl
