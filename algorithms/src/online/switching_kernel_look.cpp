#include "online/switching_kernel_look.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/index.hpp"
#include "gssl/data/points.hpp"
#include "kernel/dense_cholesky.hpp"
#include "kernel/lower_rows.hpp"
#include "online/counted_look.hpp"
#include "online/counted_session.hpp"

namespace gssl::detail {
namespace {

constexpr std::size_t most_rows = 3000;
// What a kernel's value, and so a function's, may be off by.
constexpr double function_digits = 1e-9;

class SwitchingKernelLook final : public CountedLook {
 public:
  SwitchingKernelLook(const ExponentialRun& run, std::shared_ptr<const Kernel> kernel,
                      bool first_is_task, RunContext context)
      : run_(run),
        kernel_(std::move(kernel)),
        first_(first_is_task ? 1 : 0),
        context_(std::move(context)) {}

 private:
  void see_trial(const Instance& instance, const Revealed& outcome, double times) override {
    const double sign = checked_class(outcome.value, 2) == 1 ? 1.0 : -1.0;
    if (signs_.size() > most_rows) return;
    signs_.push_back(sign);
    times_.push_back(times);
    for (std::size_t i = 0; i < instance.values.size(); ++i) {
      const auto column =
          instance.columns.empty() ? static_cast<std::int32_t>(i) : instance.columns[i];
      if (column < first_) continue;
      columns_.push_back(column - first_);
      values_.push_back(instance.values[i]);
      width_ = std::max<std::int64_t>(width_, column - first_ + 1);
    }
    offsets_.push_back(std::ssize(values_));
  }

  void prove_seen(OnlineReport& report) const override {
    if (signs_.empty() || signs_.size() > most_rows) return;
    const Points rows = Points::sparse(std::ssize(signs_), width_, offsets_, columns_, values_);
    const Block gram = kernel_->block(rows, rows, context_);
    for (const double ridge : {100.0, 10.0, 1.0, 0.1}) try_ridge(gram, ridge, report);
  }

  // f = Σ a_i K(x_i, ·) with (K + ridge) a = y.
  void try_ridge(const Block& gram, double ridge, OnlineReport& report) const {
    const std::int64_t n = gram.rows();
    LowerRows<double> sum(n);
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j <= i; ++j) sum.row(i)[j] = gram(i, j) + (i == j ? ridge : 0.0);
    const DenseCholesky<double> factor(std::move(sum), context_);
    if (!factor.positive()) return;
    Block a(n, 1);
    for (std::int64_t i = 0; i < n; ++i) a(i, 0) = signs_[index(i)];
    factor.solve(a, 1);
    std::vector<double> f(index(n), 0.0);
    double square = 0.0;
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) f[index(i)] += gram(i, j) * a(j, 0);
      square += a(i, 0) * f[index(i)];
    }
    compare(f, square, report);
  }

  // P constant over the times, of square p², whose kernel gives it norm² 2p², and Q = s f:
  // xᵀUx − 1 = (p² + s²f²)/2 − 1 + p s f.
  void compare(std::span<const double> f, double square, OnlineReport& report) const {
    for (const double p : {0.6, 0.8, 1.0, 1.2})
      for (const double s : {0.25, 0.5, 0.75, 1.0, 1.5, 2.0}) {
        double errors = 0.0;
        for (std::size_t i = 0; i < f.size(); ++i) {
          const double q = s * f[i];
          const double h = (p * p + q * q) / 2.0 - 1.0 + p * q;
          errors += times_[i] * std::max(0.0, run_.margin - signs_[i] * h + function_digits);
        }
        prove_exponential(report, run_,
                          {"a kernel ridge function of all rows", 2.0 * p * p + s * s * square,
                           errors / (2.0 * run_.margin)});
      }
  }

  ExponentialRun run_;
  std::shared_ptr<const Kernel> kernel_;
  std::int32_t first_;
  RunContext context_;
  std::vector<double> signs_, times_, values_;
  std::vector<std::int32_t> columns_;
  std::vector<std::int64_t> offsets_ = {0};
  std::int64_t width_ = 1;
};

}  // namespace

std::unique_ptr<SecondLook> switching_kernel_look(const ExponentialRun& run,
                                                  std::shared_ptr<const Kernel> kernel,
                                                  bool first_is_task, const RunContext& context) {
  return std::make_unique<SwitchingKernelLook>(run, std::move(kernel), first_is_task, context);
}

}  // namespace gssl::detail
