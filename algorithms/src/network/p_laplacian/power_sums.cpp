#include "power_sums.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "gssl/core/parallel.hpp"
#include "support/largest.hpp"

namespace gssl::detail {

namespace {

constexpr int most_factors = 256;  // a whole exponent beyond this goes through pow
constexpr double farthest = 4.0;
constexpr int most_line_steps = 60;
constexpr double same_place = 1e-10;

// Sum over edges of term(e), in a fixed order.
template <class Term>
auto sum_over(std::size_t edges, int threads, Term term) {
  return blocked_sum(
      static_cast<std::int64_t>(edges), threads, [&](std::int64_t begin, std::int64_t end) {
        decltype(term(std::size_t{0})) sum{};
        for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e)
          sum += term(e);
        return sum;
      });
}

struct Slope {
  double first = 0.0;   // derivative of the sum
  double second = 0.0;  // and of the derivative
  double force = 0.0;   // Σ w|z|^{s−1}
  Slope& operator+=(const Slope& other) {
    first += other.first;
    second += other.second;
    force += other.force;
    return *this;
  }
};

}  // namespace

Power::Power(double exponent) : exponent_(exponent) {
  const double nearest = std::round(exponent);
  if (nearest >= 0.0 && nearest <= most_factors &&
      std::abs(exponent - nearest) <= 4.0 * std::numeric_limits<double>::epsilon() * nearest)
    whole_ = static_cast<int>(nearest);
}

double largest(std::span<const double> z, int threads) {
  return sum_over(z.size(), threads, [&](std::size_t e) { return Largest{std::abs(z[e])}; }).value;
}

double log_norm(std::span<const double> w, std::span<const double> z, double s, int threads) {
  const double scale = largest(z, threads);
  if (scale == 0.0) return -std::numeric_limits<double>::infinity();
  const Power power(s);
  const double sum = sum_over(z.size(), threads, [&](std::size_t e) {
    return z[e] == 0.0 ? 0.0 : w[e] * power(std::abs(z[e]) / scale);
  });
  return std::log(scale) + std::log(sum) / s;
}

void relative_powers(std::span<const double> z, double exponent, double floor, int threads,
                     std::vector<double>& out) {
  const double scale = largest(z, threads);
  const Power power(exponent);
  out.resize(z.size());
  parallel_blocks(
      static_cast<std::int64_t>(z.size()), threads, [&](std::int64_t begin, std::int64_t end) {
        for (auto e = static_cast<std::size_t>(begin); e < static_cast<std::size_t>(end); ++e)
          out[e] = std::max(power(std::abs(z[e]) / scale), floor);
      });
}

double least_on_line(std::span<const double> w, std::span<const double> z,
                     std::span<const double> toward, double s, double noise, double accuracy,
                     int threads) {
  const double scale = largest(z, threads);
  const Power power(s - 2.0);
  const auto slope_at = [&](double t) {
    return sum_over(z.size(), threads, [&](std::size_t e) {
      const double step = (toward[e] - z[e]) / scale;
      const double at = z[e] / scale + t * step;
      const double stiffness = w[e] * power(std::abs(at));
      return Slope{stiffness * at * step, (s - 1.0) * stiffness * step * step,
                   stiffness * std::abs(at)};
    });
  };
  const Slope start = slope_at(0.0);
  if (std::abs(start.first) <= noise / scale * start.force) return 1.0 / (s - 1.0);
  if (!(start.first < 0.0)) return 0.0;
  double low = 0.0, high = farthest;
  double t = std::min(-start.first / start.second, 2.0 / (s - 1.0));
  if (!(t > 0.0)) t = 1.0 / (s - 1.0);
  for (int step = 0; step < most_line_steps; ++step) {
    const Slope here = slope_at(t);
    if (std::abs(here.first) <= accuracy * -start.first) break;
    (here.first < 0.0 ? low : high) = t;
    // Newton on a slope that grows like a power overshoots from the left alone, where the bracket
    // catches it.
    const double next = t - here.first / here.second;
    const double before = t;
    t = next > low && next < high ? next : 0.5 * (low + high);
    if (std::abs(t - before) <= same_place * t) break;
  }
  return t;
}

}  // namespace gssl::detail
