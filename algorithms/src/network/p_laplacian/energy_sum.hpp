#pragma once
// A sum of energies that may be too small for a double, and the relative gap of the whole.
//
//   EnergySum sum;
//   sum.add(log_energy, gap);   // one piece after the other
//
// Internal: not installed.

namespace gssl::detail {

class EnergySum {
 public:
  void add(double log_energy, double gap);
  double log_value() const;  // −∞ for the empty sum
  double gap() const;

 private:
  double scale_ = 0.0;  // the largest log_energy; the sums are multiples of its exponential
  double energy_ = 0.0;
  double missing_ = 0.0;  // Σ gap · energy
};

}  // namespace gssl::detail
