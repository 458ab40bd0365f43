#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/learn/calibration.hpp"

namespace gssl {
namespace {

// Rows of scores low … high that share one value.
struct Step {
  double low = 0.0;
  double high = 0.0;
  double weight = 0.0;
  double total = 0.0;  // Σ w·outcome
  double value() const { return total / weight; }
};

// A step for each score, ascending.
std::vector<Step> distinct_scores(std::span<const double> scores, std::span<const double> outcome,
                                  std::span<const double> weights) {
  std::vector<std::size_t> order(scores.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return scores[i]; });
  std::vector<Step> steps;
  for (const std::size_t i : order) {
    const double w = weights.empty() ? 1.0 : weights[i];
    if (w == 0.0) continue;
    if (steps.empty() || steps.back().high != scores[i])
      steps.push_back({scores[i], scores[i], 0.0, 0.0});
    steps.back().weight += w;
    steps.back().total += w * outcome[i];
  }
  return steps;
}

}  // namespace

double IsotonicCurve::at(double score) const {
  if (scores.empty()) return 0.0;
  const auto above = std::ranges::upper_bound(scores, score);
  if (above == scores.begin()) return values.front();
  if (above == scores.end()) return values.back();
  const auto i = static_cast<std::size_t>(above - scores.begin());
  const double part = (score - scores[i - 1]) / (scores[i] - scores[i - 1]);
  // As a mean of the two, which neither rounding nor a wide gap takes out of their range.
  return std::clamp((1.0 - part) * values[i - 1] + part * values[i], values[i - 1], values[i]);
}

IsotonicCurve fit_isotonic(std::span<const double> scores, std::span<const double> outcome,
                           std::span<const double> weights) {
  std::vector<Step> pooled;
  for (Step step : distinct_scores(scores, outcome, weights)) {
    while (!pooled.empty() && pooled.back().value() >= step.value()) {
      step.low = pooled.back().low;
      step.weight += pooled.back().weight;
      step.total += pooled.back().total;
      pooled.pop_back();
    }
    pooled.push_back(step);
  }
  IsotonicCurve curve;
  for (const Step& step : pooled) {
    curve.scores.push_back(step.low);
    curve.values.push_back(step.value());
    if (step.high == step.low) continue;
    curve.scores.push_back(step.high);
    curve.values.push_back(step.value());
  }
  return curve;
}

}  // namespace gssl
