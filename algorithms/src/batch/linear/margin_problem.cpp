#include "batch/linear/margin_problem.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

double loss_of(MarginLoss loss, double margin) {
  const double lack = std::max(0.0, 1.0 - margin);
  if (loss == MarginLoss::hinge) return lack;
  if (loss == MarginLoss::squared_hinge) return lack * lack;
  return std::max(0.0, -margin) + std::log1p(std::exp(-std::abs(margin)));
}

// a·ln(a/c), 0 for a = 0.
double entropy_part(double a, double c) { return a > 0.0 ? a * std::log(a / c) : 0.0; }

double dual_part(MarginLoss loss, double alpha, double cost) {
  if (loss == MarginLoss::hinge) return alpha;
  if (loss == MarginLoss::squared_hinge) return alpha - alpha * alpha / (4.0 * cost);
  return -entropy_part(alpha, cost) - entropy_part(cost - alpha, cost);
}

// Makes Σ α y = 0 by scaling down the α of the class whose sum is larger.
void balance(const std::vector<double>& sign, std::vector<double>& alpha) {
  double positive = 0.0;
  double negative = 0.0;
  for (std::size_t i = 0; i < alpha.size(); ++i) (sign[i] > 0 ? positive : negative) += alpha[i];
  const double least = std::min(positive, negative);
  const double up = positive > 0.0 ? least / positive : 0.0;
  const double down = negative > 0.0 ? least / negative : 0.0;
  for (std::size_t i = 0; i < alpha.size(); ++i) alpha[i] *= sign[i] > 0 ? up : down;
}

double square_of(const std::vector<double>& w) {
  double square = 0.0;
  for (const double x : w) square += x * x;
  return square;
}

}  // namespace

double MarginProblem::total_loss(const std::vector<double>& f, int threads) const {
  return blocked_sum(
      static_cast<std::int64_t>(f.size()), threads, [&](std::int64_t begin, std::int64_t end) {
        double sum = 0.0;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
          sum += cost[i] * loss_of(loss, sign[i] * f[i]);
        return sum;
      });
}

MarginValue margin_value(const MarginProblem& problem, const std::vector<double>& w, double b,
                         const std::vector<double>& f, std::vector<double> alpha, int threads) {
  if (problem.bias == Bias::free) balance(problem.sign, alpha);
  double dual = 0.0;
  double sum = 0.0;
  for (std::size_t i = 0; i < alpha.size(); ++i) {
    dual += dual_part(problem.loss, alpha[i], problem.cost[i]);
    alpha[i] *= problem.sign[i];
    sum += alpha[i];
  }
  dual -= 0.5 * square_of(problem.rows->transposed_times(alpha, threads));
  MarginValue value;
  value.primal = 0.5 * square_of(w) + problem.total_loss(f, threads);
  if (problem.bias == Bias::regularized) {
    dual -= 0.5 * sum * sum;
    value.primal += 0.5 * b * b;
  }
  // No gap is negative but for rounding.
  value.gap = std::max(0.0, value.primal - dual);
  return value;
}

}  // namespace gssl::detail
