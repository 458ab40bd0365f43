#include "transductive/volume_prices.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/parallel.hpp"
#include "transductive/fit_support.hpp"
#include "transductive/small_system.hpp"

namespace gssl::detail {

namespace {

// The smoothed dual, its gradient less V, and its Hessian times ε.
struct Dual {
  double value = 0.0;
  std::vector<double> share;      // Σ_v softmax
  std::vector<double> curvature;  // row-major K×K
  Dual& operator+=(const Dual& other) {
    value += other.value;
    share.resize(other.share.size());
    curvature.resize(other.curvature.size());
    for (std::size_t k = 0; k < share.size(); ++k) share[k] += other.share[k];
    for (std::size_t k = 0; k < curvature.size(); ++k) curvature[k] += other.curvature[k];
    return *this;
  }
};

class SmoothedDual {
 public:
  SmoothedDual(const Block& value, std::span<const VertexId> vertices,
               const std::vector<int>& classes, const std::vector<double>& volume, int threads)
      : value_(value), vertices_(vertices), classes_(classes), volume_(volume), threads_(threads) {}

  std::size_t size() const { return classes_.size(); }
  const std::vector<double>& volume() const { return volume_; }

  // Largest difference within a row: the unit of ε.
  double spread() const {
    return blocked_sum(static_cast<std::int64_t>(vertices_.size()), threads_,
                       [&](std::int64_t begin, std::int64_t end) {
                         Largest spread;
                         for (std::int64_t i = begin; i < end; ++i) {
                           double low = entry(i, 0);
                           double high = low;
                           for (std::size_t k = 1; k < size(); ++k) {
                             low = std::min(low, entry(i, k));
                             high = std::max(high, entry(i, k));
                           }
                           spread += Largest{high - low};
                         }
                         return spread;
                       })
        .value;
  }

  Dual at(const std::vector<double>& price, double epsilon) const {
    const std::size_t classes = size();
    Dual dual = blocked_sum(
        static_cast<std::int64_t>(vertices_.size()), threads_,
        [&](std::int64_t begin, std::int64_t end) {
          Dual sum{0.0, std::vector<double>(classes, 0.0),
                   std::vector<double>(classes * classes, 0.0)};
          std::vector<double> soft(classes);
          std::vector<std::size_t> live(classes);  // classes whose share is not below e^-40
          for (std::int64_t i = begin; i < end; ++i) {
            double top = entry(i, 0) - price[0];
            for (std::size_t k = 1; k < classes; ++k) top = std::max(top, entry(i, k) - price[k]);
            std::size_t count = 0;
            double total = 0.0;
            for (std::size_t k = 0; k < classes; ++k) {
              const double exponent = (entry(i, k) - price[k] - top) / epsilon;
              if (exponent < -40.0) continue;
              live[count++] = k;
              total += soft[k] = std::exp(exponent);
            }
            sum.value += top;
            if (count == 1) {
              sum.share[live[0]] += 1.0;
              continue;
            }
            sum.value += epsilon * std::log(total);
            for (std::size_t a = 0; a < count; ++a) soft[live[a]] /= total;
            for (std::size_t a = 0; a < count; ++a) {
              const std::size_t k = live[a];
              sum.share[k] += soft[k];
              sum.curvature[k * classes + k] += soft[k];
              for (std::size_t b = 0; b < count; ++b)
                sum.curvature[k * classes + live[b]] -= soft[k] * soft[live[b]];
            }
          }
          return sum;
        });
    for (std::size_t k = 0; k < classes; ++k) dual.value += price[k] * volume_[k];
    return dual;
  }

 private:
  double entry(std::int64_t i, std::size_t k) const {
    return value_(vertices_[static_cast<std::size_t>(i)], classes_[k]);
  }

  const Block& value_;
  std::span<const VertexId> vertices_;
  const std::vector<int>& classes_;
  const std::vector<double>& volume_;
  int threads_;
};

// Damped Newton at one ε. The constant direction, along which nothing changes, and directions in
// which every share is 0 or 1 are held by a small multiple of the identity.
void minimize(const SmoothedDual& problem, double epsilon, std::vector<double>& price) {
  const std::size_t classes = problem.size();
  double total = 0.0;
  for (const double v : problem.volume()) total += v;
  Dual dual = problem.at(price, epsilon);
  for (int iteration = 0; iteration < 60; ++iteration) {
    std::vector<double> step(classes);
    double error = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      step[k] = dual.share[k] - problem.volume()[k];
      error = std::max(error, std::abs(step[k]));
    }
    if (error <= 1e-10 * total) return;
    const std::vector<double> gradient = step;
    std::vector<double> hessian = dual.curvature;
    for (std::size_t k = 0; k < classes; ++k) {
      hessian[k * classes + k] += 1e-6 * error;
      for (std::size_t j = 0; j < classes; ++j)
        hessian[k * classes + j] += total / static_cast<double>(classes);
    }
    solve_small(hessian, step);
    double slope = 0.0;  // of the dual along −step
    double longest = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      step[k] *= epsilon;
      slope += gradient[k] * step[k];
      longest = std::max(longest, std::abs(step[k]));
    }
    // Further than a few ε the quadratic model knows nothing.
    double length = std::min(1.0, 10.0 * epsilon / longest);
    bool moved = false;
    for (int halving = 0; halving < 40 && !moved; ++halving, length *= 0.5) {
      std::vector<double> next = price;
      for (std::size_t k = 0; k < classes; ++k) next[k] += length * step[k];
      Dual there = problem.at(next, epsilon);
      // Close to the minimum the decrease drowns in rounding, and the full step is right.
      if (there.value <= dual.value - 1e-4 * length * slope + 1e-14 * std::abs(dual.value)) {
        moved = next != price;
        price = std::move(next);
        dual = std::move(there);
        break;
      }
    }
    if (!moved) return;
  }
}

}  // namespace

std::vector<double> volume_prices(const Block& value, std::span<const VertexId> vertices,
                                  const std::vector<int>& classes,
                                  const std::vector<double>& volume, int threads) {
  const SmoothedDual problem(value, vertices, classes, volume, threads);
  std::vector<double> price(classes.size(), 0.0);
  const double spread = problem.spread();
  if (!(spread > 0.0)) return price;
  for (double epsilon = 0.3; epsilon > 1e-5; epsilon /= 3.0)
    minimize(problem, epsilon * spread, price);
  double mean = 0.0;
  for (const double p : price) mean += p / static_cast<double>(price.size());
  for (double& p : price) p -= mean;
  return price;
}

}  // namespace gssl::detail
