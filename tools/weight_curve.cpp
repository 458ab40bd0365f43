#include "weight_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "curve_frame.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl::tool {
namespace {

constexpr std::size_t most_points = 1024;
constexpr double least_drawn = 0.1;
constexpr std::array<const char*, 8> curve_colors = {"#1f5fa8", "#d2691e", "#2e8b57", "#8b008b",
                                                     "#b8860b", "#008b8b", "#b22222", "#696969"};

}  // namespace

void WeightCurve::add(std::int64_t trials, std::span<const double> weights) {
  points_.push_back({trials, {weights.begin(), weights.end()}});
  if (points_.size() <= most_points) return;
  stride_ *= 2;
  std::erase_if(points_, [&](const Point& p) { return p.trials % stride_ != 0; });
}

std::string WeightCurve::csv() const {
  std::string text = "trials";
  const std::size_t count = points_.empty() ? 0 : points_.front().weights.size();
  for (std::size_t i = 1; i <= count; ++i) text += fmt::format(",{}", i);
  text += '\n';
  for (const Point& p : points_) {
    text += std::to_string(p.trials);
    for (const double w : p.weights) text += "," + to_text(w);
    text += '\n';
  }
  return text;
}

std::string WeightCurve::svg(const std::string& title) const {
  std::vector<double> largest;
  for (const Point& p : points_) {
    largest.resize(p.weights.size(), 0.0);
    for (std::size_t i = 0; i < largest.size(); ++i)
      largest[i] = std::max(largest[i], p.weights[i]);
  }
  std::vector<std::size_t> order(largest.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t i) { return largest[i]; });
  std::erase_if(order, [&](std::size_t i) { return largest[i] <= least_drawn; });
  order.resize(std::min(order.size(), curve_colors.size()));
  std::ranges::sort(order);
  CurveFrame frame(title, points_.empty() ? 1.0 : static_cast<double>(points_.back().trials), 1.0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    std::vector<std::pair<double, double>> line;
    for (const Point& p : points_)
      line.emplace_back(static_cast<double>(p.trials), p.weights[order[k]]);
    frame.line(fmt::format("weight of {}", order[k] + 1), curve_colors[k], line);
  }
  return frame.svg();
}

}  // namespace gssl::tool
