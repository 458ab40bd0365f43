#include <algorithm>
#include <cmath>

#include "gssl/learn/calibration.hpp"

namespace gssl {
namespace {

constexpr int most_steps = 100;
constexpr double least_step = 1e-10;
constexpr double gradient_tolerance = 1e-9;  // of a mean over rows
constexpr double ridge = 1e-12;              // of a curvature, a mean over rows
constexpr double sufficient_decrease = 1e-4;
// Scores of a class that was not learned are of no scale; they are cut at this many medians.
constexpr double far_away = 1e6;

// The median size of the scores that are not 0, of rows that count; 1 where there are none.
double scale_of(std::span<const double> scores, std::span<const double> weights) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (scores[i] != 0.0 && (weights.empty() || weights[i] > 0.0))
      sizes.push_back(std::abs(scores[i]));
  if (sizes.empty()) return 1.0;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  return *middle;
}

struct Row {
  double score = 0.0;   // scaled
  double target = 0.0;  // smoothed
  double weight = 0.0;  // sum over rows is 1
};

struct Slopes {
  double g1 = 0.0, g2 = 0.0;                   // gradient
  double h11 = ridge, h22 = ridge, h21 = 0.0;  // curvature
};

double log_loss(const std::vector<Row>& rows, Sigmoid s) {
  double loss = 0.0;
  for (const Row& row : rows) {
    const double z = s.slope * row.score + s.offset;
    const double one = z >= 0.0 ? row.target * z + std::log1p(std::exp(-z))
                                : (row.target - 1.0) * z + std::log1p(std::exp(z));
    loss += row.weight * one;
  }
  return loss;
}

Slopes slopes_at(const std::vector<Row>& rows, Sigmoid s) {
  Slopes sum;
  for (const Row& row : rows) {
    const double p = s.at(row.score);
    const double q = Sigmoid{-s.slope, -s.offset}.at(row.score);  // 1 − p without cancellation
    const double d1 = row.weight * (row.target - p);
    const double d2 = row.weight * p * q;
    sum.g1 += row.score * d1;
    sum.g2 += d1;
    sum.h11 += row.score * row.score * d2;
    sum.h22 += d2;
    sum.h21 += row.score * d2;
  }
  return sum;
}

// One step of Newton's method, halved until the loss is less; false where no step makes it so.
bool descend(const std::vector<Row>& rows, const Slopes& at, Sigmoid& s, double& loss) {
  const double determinant = at.h11 * at.h22 - at.h21 * at.h21;
  const double da = -(at.h22 * at.g1 - at.h21 * at.g2) / determinant;
  const double db = -(at.h11 * at.g2 - at.h21 * at.g1) / determinant;
  const double slope = at.g1 * da + at.g2 * db;
  for (double step = 1.0; step >= least_step; step /= 2.0) {
    const Sigmoid next{s.slope + step * da, s.offset + step * db};
    const double found = log_loss(rows, next);
    if (found < loss + sufficient_decrease * step * slope) {
      s = next;
      loss = found;
      return true;
    }
  }
  return false;
}

}  // namespace

double Sigmoid::at(double score) const {
  const double z = slope * score + offset;
  return z >= 0.0 ? std::exp(-z) / (1.0 + std::exp(-z)) : 1.0 / (1.0 + std::exp(z));
}

Sigmoid fit_sigmoid(std::span<const double> scores, std::span<const double> outcome,
                    std::span<const double> weights) {
  const auto weight = [&](std::size_t i) { return weights.empty() ? 1.0 : weights[i]; };
  double yes = 0.0;
  double no = 0.0;
  for (std::size_t i = 0; i < scores.size(); ++i) (outcome[i] > 0.5 ? yes : no) += weight(i);
  if (yes + no == 0.0) return {};
  const double scale = scale_of(scores, weights);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < scores.size(); ++i)
    if (weight(i) > 0.0)
      rows.push_back({std::clamp(scores[i] / scale, -far_away, far_away),
                      outcome[i] > 0.5 ? (yes + 1.0) / (yes + 2.0) : 1.0 / (no + 2.0),
                      weight(i) / (yes + no)});
  Sigmoid found{0.0, std::log((no + 1.0) / (yes + 1.0))};
  double loss = log_loss(rows, found);
  for (int step = 0; step < most_steps; ++step) {
    const Slopes at = slopes_at(rows, found);
    if (std::abs(at.g1) < gradient_tolerance && std::abs(at.g2) < gradient_tolerance) break;
    if (!descend(rows, at, found, loss)) break;
  }
  return {found.slope / scale, found.offset};
}

}  // namespace gssl
