#include "online/share_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "online/lanes.hpp"

namespace gssl::detail {

namespace {

constexpr double least_weight = 1e-290;

}  // namespace

GSSL_CLONES
double dot(std::span<const double> a, std::span<const double> b) {
  Lanes sums[2] = {};
  for_lanes(
      a.size(), GSSL_STEP { sums[which] += load(a.data(), some) * load(b.data(), some); });
  return sum_of(sums);
}

GSSL_CLONES
bool square_losses(double outcome, std::span<const double> predictions, std::span<double> losses) {
  LaneBits binary = LaneBits{} - 1;
  for_lanes(
      losses.size(), GSSL_STEP {
        const Lanes error = outcome - load(predictions.data(), some), square = error * error;
        store(square, losses.data(), some);
        // Lanes past the end hold the square of the outcome, which is 0 or 1 where the others are.
        binary &= (square == 0.0) | (square == 1.0);
      });
  return (binary[0] & binary[1] & binary[2] & binary[3]) != 0;
}

GSSL_CLONES
double weigh_binary(std::span<const double> weights, std::span<const double> losses, double factor,
                    std::span<double> out) {
  Lanes sums[2] = {};
  for_lanes(
      weights.size(), GSSL_STEP {
        const Lanes w = load(weights.data(), some);
        const Lanes x = choose(load(losses.data(), some) == 1.0, w * factor, w);
        store(x, out.data(), some);
        sums[which] += x;
      });
  return sum_of(sums);
}

GSSL_CLONES
double weigh(std::span<const double> weights, std::span<const double> losses, double rate,
             std::span<double> out) {
  Lanes sums[2] = {};
  for_lanes(
      weights.size(), GSSL_STEP {
        const Lanes x =
            load(weights.data(), some) * fast_exp<Lanes>(-rate * load(losses.data(), some));
        store(x, out.data(), some);
        sums[which] += x;
      });
  return sum_of(sums);
}

GSSL_CLONES
double weigh_less_one(std::span<const double> weights, std::span<const double> losses,
                      double rate) {
  Lanes sums[2] = {};
  for_lanes(
      weights.size(), GSSL_STEP {
        sums[which] +=
            load(weights.data(), some) * fast_expm1<Lanes>(-rate * load(losses.data(), some));
      });
  return sum_of(sums);
}

GSSL_CLONES
double weigh_squares(std::span<const double> weights, std::span<const double> predictions,
                     double outcome, double rate) {
  Lanes sums[2] = {};
  for_lanes(
      weights.size(), GSSL_STEP {
        const Lanes error = outcome - load(predictions.data(), some);
        sums[which] += load(weights.data(), some) * fast_exp<Lanes>(-rate * (error * error));
      });
  return sum_of(sums);
}

GSSL_CLONES
void share_fixed(std::span<double> weights, double pool, double alpha) {
  const double stay = (1.0 - alpha) / pool;
  const double share = alpha / (static_cast<double>(weights.size()) - 1.0) / pool;
  for_lanes(
      weights.size(), GSSL_STEP {
        const Lanes w = load(weights.data(), some), others = pool - w;
        store(stay * w + share * choose(others > 0.0, others, Lanes{}), weights.data(), some);
      });
}

GSSL_CLONES
void share_variable(std::span<double> weights, std::span<const double> losses, double pool,
                    double sharing, std::span<double> room) {
  Lanes sums[2] = {};
  for_lanes(
      weights.size(), GSSL_STEP {
        const Lanes gives =
            -fast_expm1<Lanes>(-sharing * load(losses.data(), some)) * load(weights.data(), some);
        store(gives, room.data(), some);
        sums[which] += gives;
      });
  const double given = sum_of(sums);
  const double per_other = 1.0 / (static_cast<double>(weights.size()) - 1.0);
  const double per_pool = 1.0 / pool;
  for_lanes(
      weights.size(), GSSL_STEP {
        const Lanes gives = load(room.data(), some), kept = load(weights.data(), some) - gives;
        const Lanes others = given - gives;
        const Lanes w = (kept + choose(others > 0.0, others, Lanes{}) * per_other) * per_pool;
        store(choose(w > least_weight, w, Lanes{} + least_weight), weights.data(), some);
      });
}

GSSL_CLONES
double add_losses(std::span<const double> losses, double rate, std::span<double> cost) {
  Lanes least[2] = {Lanes{} + infinite, Lanes{} + infinite};
  for_lanes(
      losses.size(), GSSL_STEP {
        const Lanes sum = load(cost.data(), some) + rate * load(losses.data(), some);
        store(sum, cost.data(), some);
        const Lanes candidate = some.count == lane_count ? sum : or_infinite(sum, some);
        least[which] = choose(candidate < least[which], candidate, least[which]);
      });
  return least_of(least);
}

GSSL_CLONES
void add_to(std::span<double> totals, std::span<const double> losses) {
  for_lanes(
      totals.size(), GSSL_STEP {
        store(load(totals.data(), some) + load(losses.data(), some), totals.data(), some);
      });
}

GSSL_CLONES
std::size_t place_of(double value, std::span<const double> values) {
  constexpr std::size_t block = 16 * lane_count;
  std::size_t begin = 0;
  for (; begin + block <= values.size(); begin += block) {
    LaneBits any{};
    for (std::size_t i = begin; i < begin + block; i += lane_count)
      any |= load(values.data(), {i, lane_count}) == value;
    if ((any[0] | any[1] | any[2] | any[3]) != 0) break;
  }
  return static_cast<std::size_t>(
      std::find(values.begin() + static_cast<std::ptrdiff_t>(begin), values.end(), value) -
      values.begin());
}

GSSL_CLONES
void take_cheaper(const LeavingSequence& leaving, std::span<const double> staying, double least,
                  std::span<double> cost, std::span<double> loss, std::span<double> shifts) {
  for_lanes(
      cost.size(), GSSL_STEP {
        const Lanes stay = (load(cost.data(), some) - least) + load(staying.data(), some);
        const LaneBits leave = leaving.cost < stay;
        store(choose(leave, Lanes{} + leaving.cost, stay), cost.data(), some);
        store(choose(leave, Lanes{} + leaving.loss, load(loss.data(), some)), loss.data(), some);
        store(choose(leave, Lanes{} + leaving.shifts, load(shifts.data(), some)), shifts.data(),
              some);
      });
}

GSSL_CLONES
double add_compensated(std::span<const double> losses, std::span<double> totals,
                       std::span<double> carries, std::span<double> sums) {
  Lanes least[2] = {Lanes{} + infinite, Lanes{} + infinite};
  for_lanes(
      losses.size(), GSSL_STEP {
        const Lanes loss = load(losses.data(), some), total = load(totals.data(), some);
        const Lanes sum = total + loss;
        const Lanes carry = load(carries.data(), some) +
                            choose(total >= loss, (total - sum) + loss, (loss - sum) + total);
        store(sum, totals.data(), some);
        store(carry, carries.data(), some);
        const Lanes all = sum + carry;
        store(all, sums.data(), some);
        const Lanes candidate = some.count == lane_count ? all : or_infinite(all, some);
        least[which] = choose(candidate < least[which], candidate, least[which]);
      });
  return least_of(least);
}

GSSL_CLONES
void powers(double rate, std::span<const double> x, std::span<double> out) {
  for_lanes(
      x.size(),
      GSSL_STEP { store(fast_exp<Lanes>(rate * load(x.data(), some)), out.data(), some); });
}

GSSL_CLONES
void weights_of_losses(std::span<const double> totals, double least, double rate,
                       std::span<double> weights) {
  Lanes sums[2] = {};
  for_lanes(
      weights.size(), GSSL_STEP {
        Lanes w = fast_exp<Lanes>(-rate * (load(totals.data(), some) - least));
        for (std::size_t j = some.count; j < lane_count; ++j) w[j] = 0.0;
        store(w, weights.data(), some);
        sums[which] += w;
      });
  const double sum = sum_of(sums);
  for_lanes(
      weights.size(), GSSL_STEP { store(load(weights.data(), some) / sum, weights.data(), some); });
}

}  // namespace gssl::detail
