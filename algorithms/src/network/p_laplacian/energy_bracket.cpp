#include "energy_bracket.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "power_sums.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

// Of the logarithm of a norm: the later of two potentials is the better one then.
constexpr double same_energy = 1e-14;

}  // namespace

void clamp_to_terminals(std::vector<double>& potential) {
  for (double& x : potential) x = std::clamp(x, 0.0, 1.0);
}

void EnergyBracket::offer_potentials(const std::vector<double>& x,
                                     const std::vector<double>& differences) {
  const double norm = detail::log_norm(network_.weight(), differences, p_, threads_);
  if (norm <= upper_ + same_energy) best_ = x;
  upper_ = std::min(upper_, norm);
}

void EnergyBracket::offer_flow(const std::vector<double>& x, const ElectricalState& state) {
  const std::vector<double>& w = network_.weight();
  std::vector<double> flow(w.size());
  for (Index e = 0; e < w.size(); ++e) flow[e] = w[e] * x[e];
  double value = std::inner_product(flow.begin(), flow.end(), state.difference.begin(), 0.0);
  value -= network_.cost_of_leak(flow, state.potential);
  if (value > 0.0) {
    const double norm = detail::log_norm(w, x, dual_exponent(p_), threads_);
    lower_ = std::max(lower_, std::log(value) - norm);
  }
}

double EnergyBracket::gap() const {
  return std::clamp(-std::expm1(p_ * (lower_ - upper_)), 0.0, 1.0);
}

std::vector<double> EnergyBracket::conclude(const std::vector<double>& terminal) {
  clamp_to_terminals(best_);
  std::vector<double> differences;
  network_.differences(best_, terminal, differences);
  upper_ = detail::log_norm(network_.weight(), differences, p_, threads_);
  return std::move(best_);
}

}  // namespace gssl::detail
