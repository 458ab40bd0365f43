#include "class_prices.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <utility>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

constexpr int most_steps = 100;
constexpr int most_halvings = 40;
constexpr double sufficient = 1e-4;  // of the decrease that the slope promises (Armijo)
// Close to the minimum the decrease drowns in rounding, and the full step is right.
constexpr double rounding = 1e-14;

}  // namespace

PriceDual& PriceDual::operator+=(const PriceDual& other) {
  value += other.value;
  share.resize(other.share.size());
  curvature.resize(other.curvature.size());
  for (std::size_t k = 0; k < share.size(); ++k) share[k] += other.share[k];
  for (std::size_t k = 0; k < curvature.size(); ++k) curvature[k] += other.curvature[k];
  return *this;
}

std::int64_t rows_of_block(std::size_t classes) {
  const auto k = static_cast<std::int64_t>(classes);
  return classes <= most_paired_classes ? parallel_block : std::max(parallel_block, 16 * k);
}

void find_prices(const std::function<PriceDual(const std::vector<double>& price)>& dual_at,
                 const std::vector<double>& size, const PriceSearch& search, const RunContext& run,
                 std::vector<double>& price) {
  const auto classes = static_cast<Eigen::Index>(size.size());
  const Eigen::Map<const Eigen::VectorXd> wanted(size.data(), classes);
  const double total = wanted.sum();
  PriceDual dual = dual_at(price);
  for (int iteration = 0; iteration < most_steps && !run.should_stop(); ++iteration) {
    const Eigen::VectorXd excess =
        Eigen::Map<const Eigen::VectorXd>(dual.share.data(), classes) - wanted;
    const double error = excess.lpNorm<Eigen::Infinity>();
    if (error <= search.precision * total) return;
    Eigen::MatrixXd hessian =
        Eigen::Map<const Eigen::MatrixXd>(dual.curvature.data(), classes, classes);
    // Along the constant direction nothing changes; any curvature will do there.
    hessian.array() += total / (search.unit * static_cast<double>(classes));
    hessian.diagonal().array() += search.damping * error / search.unit;
    const Eigen::VectorXd step = hessian.llt().solve(excess);
    const double slope = excess.dot(step);  // of the dual along −step
    double length = std::min(1.0, search.reach * search.unit / step.lpNorm<Eigen::Infinity>());
    bool moved = false;
    for (int halving = 0; halving < most_halvings; ++halving, length *= 0.5) {
      std::vector<double> next = price;
      for (std::size_t k = 0; k < next.size(); ++k)
        next[k] += length * step[static_cast<Eigen::Index>(k)];
      PriceDual there = dual_at(next);
      if (run.should_stop()) return;
      if (!(there.value <=
            dual.value - sufficient * length * slope + rounding * std::abs(dual.value)))
        continue;
      moved = next != price;
      price = std::move(next);
      dual = std::move(there);
      break;
    }
    if (!moved) return;
  }
}

}  // namespace gssl::detail
