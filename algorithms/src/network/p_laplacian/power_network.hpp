#pragma once
// One piece of a network as an electrical one whose conductances change from solve to solve while
// its edges, and so the order of elimination, stay. Every solve also gives the flow that goes with
// the potentials, and what that flow fails to pass on.
//
//   PowerNetwork network(piece, linear_options, run);      // weights scaled: the greatest is 1
//   ElectricalState state = network.state(terminals_between_0_and_1);
//   network.solve(state, conductance, run);                // state.potential, .difference, .flow
//
// A solve is one or a few solves of the grounded Laplacian; the rest is O(m). Internal: not
// installed.

#include <memory>
#include <span>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "network_pieces.hpp"

namespace gssl::detail {

// Terminals in [0, 1], and the network that was solved last.
struct ElectricalState {
  std::vector<double> terminal;
  std::vector<double> potential;   // of the rows
  std::vector<double> difference;  // of the edges, with more digits than `potential` has
  std::vector<double> flow;        // conductance · difference
  double value = 0.0;              // ⟨flow, difference⟩
  double leaked = 0.0;             // what the flow loses at the rows may change in its value
  double leak_allowed = 0.0;       // relative to value
  std::int64_t solves = 0;
  bool keeps_order = true;  // the solver gains from what the first one prepared
  SolveReport report;
};

class PowerNetwork {
 public:
  // `piece` must outlive it. Prepares the solver of conductances equal to the weights.
  PowerNetwork(const NetworkPiece& piece, const SolverOptions& options, const RunContext& run);

  std::size_t rows() const { return static_cast<std::size_t>(piece_.system->size()); }
  const std::vector<double>& weight() const { return weight_; }  // of the edges; greatest 1
  double weight_scale() const { return weight_scale_; }

  // All potentials 0, nothing solved.
  ElectricalState state(std::vector<double> terminal, double leak_allowed) const;

  // Solves conductances equal to the weights for all states in one block, until each leaks no more
  // than it may: their potentials and reports alone.
  void solve_weights_together(std::span<ElectricalState> states, const RunContext& run) const;

  // Solves from state.potential on, in corrections: a difference that is small beside the
  // potentials keeps its digits. False if that cannot be done. Potentials that leak no more than
  // they may are taken as they are where the conductances are the weights.
  bool solve_weights(ElectricalState& state, const RunContext& run) const;
  bool solve(ElectricalState& state, const std::vector<double>& conductance,
             const RunContext& run) const;

  void differences(const std::vector<double>& x, const std::vector<double>& terminal,
                   std::vector<double>& out) const;
  // How much the value of a flow that is not kept at the rows may differ between these potentials
  // and those of the optimum, which are in [0, 1].
  double cost_of_leak(const std::vector<double>& flow, const std::vector<double>& potential) const;

  // Raises conductances to a share of the greatest one beside them, but not above the weight: more
  // flow than that would cost a certificate more than a rough step does.
  void raise_beside_strong(double share, std::vector<double>& conductance) const;

 private:
  GroundedLaplacian system_of(const std::vector<double>& conductance) const;
  std::vector<double> leak(const std::vector<double>& flow) const;
  void measure(const std::vector<double>& conductance, ElectricalState& state,
               std::vector<double>& out) const;
  void measure_flow(const std::vector<double>& conductance, ElectricalState& state,
                    std::vector<double>& out) const;
  bool correct(const LinearSolver& solver, const std::vector<double>& conductance,
               ElectricalState& state, bool as_it_is, const RunContext& run) const;

  const NetworkPiece& piece_;
  SolverOptions options_;
  std::vector<double> weight_;
  double weight_scale_ = 1.0;
  std::unique_ptr<LinearSolver> harmonic_;
};

}  // namespace gssl::detail
