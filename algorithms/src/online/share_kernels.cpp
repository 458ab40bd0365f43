#include "online/share_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "online/fast_exp.hpp"

// AVX2 has no fused multiplication, so both clones round alike.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define GSSL_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define GSSL_CLONES
#endif

namespace gssl::detail {

namespace {

constexpr std::size_t lanes = 8;
constexpr double least_weight = 1e-290;

double fold(const std::array<double, lanes>& sums) {
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

}  // namespace

GSSL_CLONES
double sum_of(std::span<const double> values) {
  std::array<double, lanes> sums{};
  const std::size_t n = values.size();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += values[i + j];
  for (std::size_t j = 0; i + j < n; ++j) sums[j] += values[i + j];
  return fold(sums);
}

GSSL_CLONES
double dot(std::span<const double> a, std::span<const double> b) {
  std::array<double, lanes> sums{};
  const std::size_t n = a.size();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t j = 0; j < lanes; ++j) sums[j] += a[i + j] * b[i + j];
  for (std::size_t j = 0; i + j < n; ++j) sums[j] += a[i + j] * b[i + j];
  return fold(sums);
}

GSSL_CLONES
double least_of(std::span<const double> values) {
  std::array<double, lanes> least;
  least.fill(std::numeric_limits<double>::infinity());
  const std::size_t n = values.size();
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (std::size_t j = 0; j < lanes; ++j)
      least[j] = values[i + j] < least[j] ? values[i + j] : least[j];
  for (; i < n; ++i) least[0] = values[i] < least[0] ? values[i] : least[0];
  return *std::ranges::min_element(least);
}

GSSL_CLONES
bool all_in_unit(std::span<const double> values) {
  std::int64_t outside = 0;
  for (const double x : values) outside += x >= 0.0 && x <= 1.0 ? 0 : 1;
  return outside == 0;
}

GSSL_CLONES
double weigh(std::span<const double> weights, std::span<const double> losses, double rate,
             std::span<double> out) {
  const double* const w = weights.data();
  const double* const loss = losses.data();
  double* const to = out.data();
  const std::size_t n = weights.size();
  for (std::size_t i = 0; i < n; ++i) to[i] = w[i] * fast_exp(-rate * loss[i]);
  return sum_of(out);
}

GSSL_CLONES
void add_losses(std::span<const double> losses, double rate, std::span<double> a,
                std::span<double> b) {
  const std::size_t n = losses.size();
  for (std::size_t i = 0; i < n; ++i) {
    a[i] += rate * losses[i];
    b[i] += losses[i];
  }
}

GSSL_CLONES
void subtract(double value, std::span<double> from) {
  for (double& x : from) x -= value;
}

GSSL_CLONES
void take_cheaper(const Leaving& leaving, std::span<const double> staying, std::span<double> cost,
                  std::span<double> loss, std::span<double> shifts) {
  const std::size_t n = cost.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double stay = cost[i] + staying[i];
    const bool leave = leaving.cost < stay;
    cost[i] = leave ? leaving.cost : stay;
    loss[i] = leave ? leaving.loss : loss[i];
    shifts[i] = leave ? leaving.shifts : shifts[i];
  }
}

GSSL_CLONES
void take_cheaper(const Leaving& leaving, double staying, std::span<double> cost,
                  std::span<double> loss, std::span<double> shifts) {
  const std::size_t n = cost.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double stay = cost[i] + staying;
    const bool leave = leaving.cost < stay;
    cost[i] = leave ? leaving.cost : stay;
    loss[i] = leave ? leaving.loss : loss[i];
    shifts[i] = leave ? leaving.shifts : shifts[i];
  }
}

GSSL_CLONES
void share_fixed(std::span<double> weights, double pool, double alpha) {
  const double stay = (1.0 - alpha) / pool;
  const double share = alpha / (static_cast<double>(weights.size()) - 1.0) / pool;
  for (double& w : weights) w = stay * w + share * std::max(pool - w, 0.0);
}

GSSL_CLONES
void share_variable(std::span<double> weights, std::span<const double> losses, double pool,
                    double sharing, std::span<double> room) {
  double* const w = weights.data();
  const double* const loss = losses.data();
  double* const gives = room.data();
  const std::size_t n = weights.size();
  for (std::size_t i = 0; i < n; ++i) gives[i] = -fast_expm1(-sharing * loss[i]) * w[i];
  const double given = sum_of(room);
  const double others = static_cast<double>(n) - 1.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double kept = w[i] - gives[i];
    const double got = std::max(given - gives[i], 0.0) / others;
    w[i] = std::max((kept + got) / pool, least_weight);
  }
}

GSSL_CLONES
void weights_of_losses(std::span<const double> totals, double least, double rate,
                       std::span<double> weights) {
  const std::size_t n = totals.size();
  const double* const total = totals.data();
  double* const w = weights.data();
  for (std::size_t i = 0; i < n; ++i) w[i] = fast_exp(-rate * (total[i] - least));
  const double sum = sum_of(weights);
  for (std::size_t i = 0; i < n; ++i) w[i] /= sum;
}

}  // namespace gssl::detail
