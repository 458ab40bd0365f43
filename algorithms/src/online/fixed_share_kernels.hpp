#pragma once
// The two loops over experts that a trial of fixed share makes: at the prediction the share of the
// trial before it and the mean, at the outcome the losses and the sequences of experts that the bound
// is best for. Weights are between the two as they predict, after the second before they are shared.
// Internal: not installed.

#include <array>
#include <span>

namespace gssl::detail {

// The share after a trial, w_i = share + kept v_i: α/(n−1) + ((1−α) − α/(n−1)) v_i / Σv.
struct ShareStep {
  double share = 0.0;
  double kept = 1.0;
};

struct AdviceSums {
  double mean = 0.0;  // Σ weights·advice; not a number where some advice is none
  double least = 0.0;
  double largest = 0.0;
};

// weights_i ← share + kept weights_i, copy ← advice.
AdviceSums share_and_mean(const ShareStep& step, std::span<const double> advice,
                          std::span<double> weights, std::span<double> copy);
// out_i = share + kept weights_i.
void shared_weights(const ShareStep& step, std::span<const double> weights, std::span<double> out);

// Whether all numbers are 0 or 1; ends at the first that are not.
bool all_binary(std::span<const double> values);

// cost_i is the least cost of a sequence that ends with expert i: before a trial, a sequence that is
// cheaper to leave for i, and the shifts of that, take the place of dearer ones.
struct Leaving {
  double cost = 0.0;
  double shifts = 0.0;
};
struct Paths {
  std::span<double> costs;
  std::span<double> shifts;
};

struct LossSums {
  double pool = 0.0;   // Σ of the weights after the losses
  double least = 0.0;  // of the costs after the losses
};

// e^{−η(ℓ−½)} for ℓ in [0, 1] and η ≤ ½, to 1.2e-15 of it: with x = η(½−ℓ) the fraction
// (P + xQ)/(P − xQ), Q linear and P quadratic in x², which meets tanh(x/2) = xQ/P at five Chebyshev
// nodes. `terms` are those of Q and P in powers of ½−ℓ.
struct HalfRate {
  static constexpr double largest = 0.5;
  explicit HalfRate(double rate);
  std::array<double, 4> terms;
};

// weights_i ← weights_i e^{−η(ℓ_i−½)}, cost_i ← min(cost_i, leaving) + ℓ_i, with ℓ_i = (outcome −
// advice_i)² in [0, 1].
LossSums lose_squares(double outcome, std::span<const double> advice, const HalfRate& rate,
                      const Leaving& leaving, std::span<double> weights, const Paths& paths);
// The same with e^{−ηℓ} where outcome and advice are 0 and 1, with factor = e^{−η}.
LossSums lose_binary(double outcome, std::span<const double> advice, double factor,
                     const Leaving& leaving, std::span<double> weights, const Paths& paths);
// The same with e^{−η max(0, ℓ−common)} for any losses.
LossSums lose_any(std::span<const double> losses, double rate, double common,
                  const Leaving& leaving, std::span<double> weights, const Paths& paths);

}  // namespace gssl::detail
