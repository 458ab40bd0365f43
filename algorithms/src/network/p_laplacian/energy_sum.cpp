#include "energy_sum.hpp"

#include <cmath>
#include <limits>

namespace gssl::detail {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();

}  // namespace

void EnergySum::add(double log_energy, double gap) {
  if (log_energy == minus_infinity) return;
  if (energy_ == 0.0 || log_energy > scale_) {
    const double shrink = energy_ == 0.0 ? 0.0 : std::exp(scale_ - log_energy);
    energy_ *= shrink;
    missing_ *= shrink;
    scale_ = log_energy;
  }
  const double energy = std::exp(log_energy - scale_);
  energy_ += energy;
  missing_ += gap * energy;
}

double EnergySum::log_value() const {
  return energy_ == 0.0 ? minus_infinity : scale_ + std::log(energy_);
}

double EnergySum::gap() const { return energy_ == 0.0 ? 0.0 : missing_ / energy_; }

}  // namespace gssl::detail
