#pragma once
// The potentials of least p-energy Σ w_e |Δ_e|^p, 1 < p < ∞, on one piece of a network whose
// terminals hold given potentials; Δ_e is the difference over edge e.
//
// With q = p/(p−1), Hölder's inequality ties any potentials x that agree with the terminals to any
// flow f that loses nothing at a free vertex:
//
//   ⟨f, Δ⟩ ≤ (Σ w|f/w|^q)^{1/q} (Σ w|Δ|^p)^{1/p},   with the same ⟨f, Δ⟩ for every such x,
//
// so each flow bounds the least energy from below by ⟨f,Δ⟩^p / (Σ w|f/w|^q)^{p/q}, and both norms
// can be minimized: potentials for p ≥ 2, flows of value one for p < 2, so that the exponent
// s = max(p, q) is never below two. The step is the same for both: the electrical network of
// conductances w·a^{s−2} (potentials) or w/a^{s−2} (flows), a = |z|/max|z|, has potentials and a
// flow; one of them is where Newton's direction points (its full step is 1/(s−1) of the way, and
// the least point of the line is found), the other one is the certificate. The exponent grows from
// two in stages. One Laplacian solve a step, all with one pattern.
//
// What an inexact solve lets leak at the free vertices is charged to the bound, so that it holds in
// any case: every potential lies between the least and the greatest terminal.
//
//   PowerMinimizer minimizer(piece, {.p = 3.0}, run);
//   PEnergySolution s = minimizer.minimize({values_at_terminals}, run).front();
//
// Internal: not installed.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "network_pieces.hpp"
#include "power_network.hpp"

namespace gssl::detail {

struct PEnergyOptions {
  double p = 3.0;                   // (1, ∞)
  double tolerance = 1e-6;          // of the relative duality gap; (0, 1)
  std::int64_t max_iterations = 0;  // Laplacian solves; 0: 40 + 12·log₂ max(p, q)
  SolverKind solver = SolverKind::automatic;
};

struct PEnergySolution {
  std::vector<double> potential;  // of each row, between the least and the greatest terminal
  // The logarithm of the energy, which itself may be too small for a double; −∞ for constants.
  double log_energy = 0.0;
  double gap = 0.0;  // (energy − lower bound) / energy, in [0, 1]; 0 for constants
  Outcome outcome = Outcome::converged;
  std::int64_t solves = 0;
  SolveReport linear;  // of the last solve
};

class PowerMinimizer {
 public:
  // `piece` must outlive it. Prepares the solver of p = 2 for `columns` of terminals.
  PowerMinimizer(const NetworkPiece& piece, const PEnergyOptions& options, int columns,
                 const RunContext& run);

  // For each column one value per labeled vertex of the problem; those not at the piece are not
  // looked at. The networks of p = 2, where all start, are solved in one block.
  std::vector<PEnergySolution> minimize(const std::vector<std::vector<double>>& columns,
                                        const RunContext& run) const;

 private:
  PEnergySolution minimize_from(ElectricalState state, TerminalRange range,
                                const RunContext& run) const;

  const NetworkPiece& piece_;
  PEnergyOptions options_;
  PowerNetwork network_;
};

}  // namespace gssl::detail
