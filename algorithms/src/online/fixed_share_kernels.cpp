#include "online/fixed_share_kernels.hpp"

#include "online/lanes.hpp"

namespace gssl::detail {

namespace {

GSSL_INLINE double largest_of(const Lanes* largest) {
  double found = largest[0][0];
  for (std::size_t j = 0; j < 2 * lane_count; ++j)
    found = std::max(found, largest[j / lane_count][j % lane_count]);
  return found;
}

// One loop over weights, costs and shifts: lose(some) gives the losses of some experts, and
// weigh(weights, losses) their weights after those.
template <class Lose, class Weigh>
GSSL_INLINE LossSums lose_all(const Leaving& leaving, std::span<double> weights, const Paths& paths,
                              Lose&& lose, Weigh&& weigh) {
  const Lanes leaving_cost = Lanes{} + leaving.cost, leaving_shifts = Lanes{} + leaving.shifts;
  double* const weight = weights.data();
  double* const costs = paths.costs.data();
  double* const shifts = paths.shifts.data();
  Lanes sums[2] = {}, least[2] = {Lanes{} + infinite, Lanes{} + infinite};
  for_lanes_down(
      weights.size(), GSSL_STEP {
        const Lanes losses = lose(some);
        const Lanes v = weigh(load(weight, some), losses);
        store(v, weight, some);
        sums[which] += v;
        const Lanes before = load(costs, some);
        const LaneBits leave = leaving_cost < before;
        const Lanes cost = choose(leave, leaving_cost, before) + losses;
        store(cost, costs, some);
        store(choose(leave, leaving_shifts, load(shifts, some)), shifts, some);
        const Lanes candidate = some.count == lane_count ? cost : or_infinite(cost, some);
        least[which] = choose(candidate < least[which], candidate, least[which]);
      });
  return {sum_of(sums), least_of(least)};
}

}  // namespace

HalfRate::HalfRate(double rate)
    : terms{0x1.fffffffffffd6p-2 * rate, 0x1.860983c083a7cp-7 * rate * rate * rate,
            0x1.b6d7b6454c006p-4 * rate * rate, 0x1.37ebe3189ee47p-11 * rate * rate * rate * rate} {
}

GSSL_CLONES
AdviceSums share_and_mean(const ShareStep& step, std::span<const double> advice,
                          std::span<double> weights, std::span<double> copy) {
  const double share = step.share, kept = step.kept;
  Lanes sums[2] = {}, least[2] = {Lanes{} + infinite, Lanes{} + infinite}, largest[2] = {};
  for_lanes(
      weights.size(), GSSL_STEP {
        const Lanes x = load(advice.data(), some);
        const Lanes w = share + kept * load(weights.data(), some);
        store(x, copy.data(), some);
        store(w, weights.data(), some);
        sums[which] += w * x;
        const Lanes candidate = some.count == lane_count ? x : or_infinite(x, some);
        least[which] = choose(candidate < least[which], candidate, least[which]);
        largest[which] = choose(x > largest[which], x, largest[which]);
      });
  return {sum_of(sums), least_of(least), largest_of(largest)};
}

GSSL_CLONES
void shared_weights(const ShareStep& step, std::span<const double> weights, std::span<double> out) {
  for_lanes(
      weights.size(),
      GSSL_STEP { store(step.share + step.kept * load(weights.data(), some), out.data(), some); });
}

GSSL_CLONES
bool all_binary(std::span<const double> values) {
  constexpr std::size_t block = 8 * lane_count;
  for (std::size_t begin = 0; begin < values.size(); begin += block) {
    LaneBits binary = LaneBits{} - 1;
    for_lanes(
        std::min(block, values.size() - begin), GSSL_STEP {
          const Lanes x = load(values.data() + begin, some);
          binary &= (x == 0.0) | (x == 1.0);
        });
    if ((binary[0] & binary[1] & binary[2] & binary[3]) == 0) return false;
  }
  return true;
}

GSSL_CLONES
LossSums lose_squares(double outcome, std::span<const double> advice, const HalfRate& rate,
                      const Leaving& leaving, std::span<double> weights, const Paths& paths) {
  const double q0 = rate.terms[0], q1 = rate.terms[1], p1 = rate.terms[2], p2 = rate.terms[3];
  return lose_all(
      leaving, weights, paths,
      [&](const Some& some) __attribute__((always_inline)) {
        const Lanes error = outcome - load(advice.data(), some);
        return error * error;
      },
      [&](const Lanes& w, const Lanes& losses) __attribute__((always_inline)) {
        const Lanes z = 0.5 - losses, z2 = z * z;
        const Lanes p = 1.0 + z2 * (p1 + z2 * p2), q = z * (q0 + z2 * q1);
        return (w * (p + q)) / (p - q);
      });
}

GSSL_CLONES
LossSums lose_binary(double outcome, std::span<const double> advice, double factor,
                     const Leaving& leaving, std::span<double> weights, const Paths& paths) {
  return lose_all(
      leaving, weights, paths,
      [&](const Some& some) __attribute__((always_inline)) {
        return choose(load(advice.data(), some) == outcome, Lanes{}, Lanes{} + 1.0);
      },
      [&](const Lanes& w, const Lanes& losses)
          __attribute__((always_inline)) { return choose(losses == 0.0, w, w * factor); });
}

GSSL_CLONES
LossSums lose_any(std::span<const double> losses, double rate, double common,
                  const Leaving& leaving, std::span<double> weights, const Paths& paths) {
  return lose_all(
      leaving, weights, paths,
      [&](const Some& some) __attribute__((always_inline)) { return load(losses.data(), some); },
      [&](const Lanes& w, const Lanes& lost) __attribute__((always_inline)) {
        const Lanes beyond = lost - common;
        return w * fast_exp<Lanes>(-rate * choose(beyond > 0.0, beyond, Lanes{}));
      });
}

}  // namespace gssl::detail
