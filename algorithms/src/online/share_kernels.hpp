#pragma once
// The loops over experts that every trial makes, each O(n) and written to become vector
// instructions; sums by eight partial sums, so that their order does not depend on the machine.
// Internal: not installed.

#include <span>

namespace gssl::detail {

double sum_of(std::span<const double> values);
double dot(std::span<const double> a, std::span<const double> b);

double least_of(std::span<const double> values);
// Whether every value is in [0, 1]; false for what is no number.
bool all_in_unit(std::span<const double> values);

// out_i = w_i e^{−rate ℓ_i}; the sum of them.
double weigh(std::span<const double> weights, std::span<const double> losses, double rate,
             std::span<double> out);

// w_i ← ((1−α) w_i + α (pool − w_i)/(n−1)) / pool, for pool = Σ w and n ≥ 2.
void share_fixed(std::span<double> weights, double pool, double alpha);

// With s_i = e^{−sharing ℓ_i} and given = Σ (1−s_i) w_i:
// w_i ← (s_i w_i + (given − (1−s_i) w_i)/(n−1)) / pool, at least 1e-290. `room` holds n numbers.
void share_variable(std::span<double> weights, std::span<const double> losses, double pool,
                    double sharing, std::span<double> room);

// a_i += rate ℓ_i and b_i += ℓ_i.
void add_losses(std::span<const double> losses, double rate, std::span<double> a,
                std::span<double> b);
void subtract(double value, std::span<double> from);

// Where leaving < cost_i + staying_i: cost_i = leaving and the loss and shifts of the one left;
// else cost_i += staying_i.
struct Leaving {
  double cost, loss, shifts;
};
void take_cheaper(const Leaving& leaving, std::span<const double> staying, std::span<double> cost,
                  std::span<double> loss, std::span<double> shifts);
void take_cheaper(const Leaving& leaving, double staying, std::span<double> cost,
                  std::span<double> loss, std::span<double> shifts);

// w_i ← e^{−rate (L_i − least)}, then divided by their sum.
void weights_of_losses(std::span<const double> totals, double least, double rate,
                       std::span<double> weights);

}  // namespace gssl::detail
