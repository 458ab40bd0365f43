#pragma once
// The loops over experts that every trial makes, each O(n) in vector instructions. Sums are eight
// partial sums of every eighth number, so that neither their order nor their bits depend on the
// machine. Internal: not installed.

#include <span>

namespace gssl::detail {

double dot(std::span<const double> a, std::span<const double> b);

// (outcome − x_i)²; whether all of them are 0 or 1.
bool square_losses(double outcome, std::span<const double> predictions, std::span<double> losses);

// out_i = w_i e^{−rate ℓ_i}; the sum of them.
double weigh(std::span<const double> weights, std::span<const double> losses, double rate,
             std::span<double> out);
// The same where every loss is 0 or 1, with factor = e^{−rate}.
double weigh_binary(std::span<const double> weights, std::span<const double> losses, double factor,
                    std::span<double> out);
// Σ w_i (e^{−rate ℓ_i} − 1), with all its digits where that is small.
double weigh_less_one(std::span<const double> weights, std::span<const double> losses, double rate);
// Σ w_i e^{−rate (outcome − x_i)²}.
double weigh_squares(std::span<const double> weights, std::span<const double> predictions,
                     double outcome, double rate);

// w_i ← ((1−α) w_i + α (pool − w_i)/(n−1)) / pool, for pool = Σ w and n ≥ 2.
void share_fixed(std::span<double> weights, double pool, double alpha);

// With s_i = e^{−sharing ℓ_i} and given = Σ (1−s_i) w_i:
// w_i ← (s_i w_i + (given − (1−s_i) w_i)/(n−1)) / pool, at least 1e-290. `room` holds n numbers.
void share_variable(std::span<double> weights, std::span<const double> losses, double pool,
                    double sharing, std::span<double> room);

// cost_i += rate ℓ_i; the least cost.
double add_losses(std::span<const double> losses, double rate, std::span<double> cost);
// total_i += ℓ_i.
void add_to(std::span<double> totals, std::span<const double> losses);
// The first place of a value that is there.
std::size_t place_of(double value, std::span<const double> values);

// cost_i −= least; then, where leaving < cost_i + staying_i, cost_i = leaving and the loss and shifts
// of the one left; else cost_i += staying_i.
struct LeavingSequence {
  double cost, loss, shifts;
};
void take_cheaper(const LeavingSequence& leaving, std::span<const double> staying, double least,
                  std::span<double> cost, std::span<double> loss, std::span<double> shifts);

// totals + carries += ℓ, summed with what rounding takes (Neumaier); sums_i = totals_i + carries_i,
// the least of which is returned.
double add_compensated(std::span<const double> losses, std::span<double> totals,
                       std::span<double> carries, std::span<double> sums);

// out_i = e^{rate x_i}, for |rate x_i| ≤ 700.
void powers(double rate, std::span<const double> x, std::span<double> out);

// w_i ← e^{−rate (L_i − least)}, then divided by their sum.
void weights_of_losses(std::span<const double> totals, double least, double rate,
                       std::span<double> weights);

}  // namespace gssl::detail
