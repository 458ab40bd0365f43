#pragma once
// What is proved of a least p-energy: potentials bound it from above, flows from below (see
// p_energy.hpp). Kept as logarithms of norms, log (Σ w|Δ|^p)^{1/p}.
//
//   EnergyBracket bracket(network, p, threads);
//   bracket.offer_potentials(x, differences);
//   bracket.offer_flow(flow_over_weight, state);
//   bracket.gap();
//
// Internal: not installed.

#include <limits>
#include <vector>

#include "power_network.hpp"

namespace gssl::detail {

class EnergyBracket {
 public:
  // `network` must outlive it.
  EnergyBracket(const PowerNetwork& network, double p, int threads)
      : network_(network), p_(p), threads_(threads), best_(network.rows(), 0.5) {}

  void offer_potentials(const std::vector<double>& x, const std::vector<double>& differences);

  // The flow w·x, worth what it is between the potentials of `state`, less what may be lost by its
  // leaks.
  void offer_flow(const std::vector<double>& x, const ElectricalState& state);

  // (energy − bound)/energy, in [0, 1].
  double gap() const;

  // The best potentials, put into [0, 1]; the upper end becomes exactly theirs.
  std::vector<double> conclude(const std::vector<double>& terminal);
  double log_norm() const { return upper_; }

 private:
  const PowerNetwork& network_;
  double p_;
  int threads_;
  double upper_ = std::numeric_limits<double>::infinity();
  double lower_ = -std::numeric_limits<double>::infinity();
  std::vector<double> best_;
};

// To where the potentials of an electrical network are; rounding may take them elsewhere.
void clamp_to_terminals(std::vector<double>& potential);

}  // namespace gssl::detail
