#include "power_network.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

namespace gssl::detail {

namespace {

using Index = std::size_t;

constexpr int most_corrections = 4;

double cost_of(const std::vector<double>& leak, const std::vector<double>& potential) {
  double cost = 0.0;
  for (Index r = 0; r < leak.size(); ++r)
    cost += std::abs(leak[r]) * std::max(std::abs(potential[r]), std::abs(1.0 - potential[r]));
  return cost;
}

// Whether a further correction is not wanted, or of no use.
bool may_stay(const ElectricalState& state, double leaked_before) {
  return state.leaked <= state.leak_allowed * state.value || !(state.leaked < 0.5 * leaked_before);
}

}  // namespace

PowerNetwork::PowerNetwork(const NetworkPiece& piece, const SolverOptions& options,
                           const RunContext& run)
    : piece_(piece), options_(options), weight_(piece.weight) {
  weight_scale_ = *std::ranges::max_element(weight_);
  for (double& w : weight_) w /= weight_scale_;
  options_.estimates_error = false;  // what leaks is measured here
  harmonic_ = make_solver(system_of(weight_), options_, run);
}

GroundedLaplacian PowerNetwork::system_of(const std::vector<double>& conductance) const {
  std::vector<double> weights(piece_.system->graph().neighbor_array().size());
  std::vector<double> ground(rows(), 0.0);
  for (Index e = 0; e < conductance.size(); ++e) {
    if (piece_.inside(e)) {
      weights[static_cast<Index>(piece_.entry_from[e])] = conductance[e];
      weights[static_cast<Index>(piece_.entry_to[e])] = conductance[e];
    } else {
      ground[static_cast<Index>(piece_.from[e])] += conductance[e];
    }
  }
  return piece_.system->with_weights(std::move(weights), std::move(ground));
}

ElectricalState PowerNetwork::state(std::vector<double> terminal, double leak_allowed) const {
  ElectricalState state;
  state.terminal = std::move(terminal);
  state.potential.assign(rows(), 0.0);
  state.leak_allowed = leak_allowed;
  return state;
}

void PowerNetwork::differences(const std::vector<double>& x, const std::vector<double>& terminal,
                               std::vector<double>& out) const {
  out.resize(weight_.size());
  for (Index e = 0; e < out.size(); ++e)
    out[e] =
        x[static_cast<Index>(piece_.from[e])] -
        (piece_.inside(e) ? x[static_cast<Index>(piece_.to[e])] : terminal[piece_.terminal(e)]);
}

// What flows out of each row and does not flow in.
std::vector<double> PowerNetwork::leak(const std::vector<double>& flow) const {
  std::vector<double> out(rows(), 0.0);
  for (Index e = 0; e < flow.size(); ++e) {
    out[static_cast<Index>(piece_.from[e])] += flow[e];
    if (piece_.inside(e)) out[static_cast<Index>(piece_.to[e])] -= flow[e];
  }
  return out;
}

double PowerNetwork::cost_of_leak(const std::vector<double>& flow,
                                  const std::vector<double>& potential) const {
  return cost_of(leak(flow), potential);
}

void PowerNetwork::solve_weights_together(std::span<ElectricalState> states,
                                          const RunContext& run) const {
  Block b(piece_.system->size(), static_cast<std::int64_t>(states.size())), d;
  // Of one state after the other: as many as there are edges, and made again from the potentials.
  std::vector<double> difference, flow;
  std::vector<double> out;
  std::vector<bool> done(states.size(), false);
  const auto each_row = [&](Index column, auto&& body) {
    for (std::int64_t r = 0; r < b.rows(); ++r) body(r, static_cast<std::int64_t>(column));
  };
  for (int round = 0; round < most_corrections; ++round) {
    for (Index k = 0; k < states.size(); ++k) {
      if (run.should_stop()) return;
      if (done[k]) continue;
      ElectricalState& state = states[k];
      const double before = state.leaked;
      difference.swap(state.difference);
      flow.swap(state.flow);
      measure(weight_, state, out);
      difference.swap(state.difference);
      flow.swap(state.flow);
      done[k] = round > 0 && may_stay(state, before);
      each_row(k, [&](auto r, auto c) { b(r, c) = done[k] ? 0.0 : -out[static_cast<Index>(r)]; });
    }
    if (std::ranges::all_of(done, std::identity())) return;
    const SolveReport report = harmonic_->solve(b, d, run);
    for (Index k = 0; k < states.size(); ++k) {
      states[k].report = report;
      each_row(k, [&](auto r, auto c) { done[k] = done[k] || !std::isfinite(d(r, c)); });
      if (done[k]) continue;
      each_row(k, [&](auto r, auto c) { states[k].potential[static_cast<Index>(r)] += d(r, c); });
    }
  }
}

bool PowerNetwork::solve_weights(ElectricalState& state, const RunContext& run) const {
  const bool done = correct(*harmonic_, weight_, state, true, run);
  state.keeps_order = state.report.method == SolverMethod::cholesky ||
                      state.report.method == SolverMethod::elimination;
  return done;
}

bool PowerNetwork::solve(ElectricalState& state, const std::vector<double>& conductance,
                         const RunContext& run) const {
  // Over hundreds of decades of weights a power of a difference may be 0 or infinite.
  if (!std::ranges::all_of(conductance, [](double c) { return c > 0.0 && std::isfinite(c); }))
    return false;
  auto system = std::make_shared<const GroundedLaplacian>(system_of(conductance));
  const std::unique_ptr<LinearSolver> solver = state.keeps_order
                                                   ? harmonic_->updated(std::move(system), run)
                                                   : make_solver(std::move(system), options_, run);
  return correct(*solver, conductance, state, false, run);
}

// From the potentials: differences, flow, its value, and what it leaks at the rows.
void PowerNetwork::measure(const std::vector<double>& conductance, ElectricalState& state,
                           std::vector<double>& out) const {
  differences(state.potential, state.terminal, state.difference);
  measure_flow(conductance, state, out);
}

void PowerNetwork::measure_flow(const std::vector<double>& conductance, ElectricalState& state,
                                std::vector<double>& out) const {
  state.flow.resize(conductance.size());
  for (Index e = 0; e < conductance.size(); ++e)
    state.flow[e] = conductance[e] * state.difference[e];
  out = leak(state.flow);
  state.value =
      std::inner_product(state.flow.begin(), state.flow.end(), state.difference.begin(), 0.0);
  state.leaked = cost_of(out, state.potential);
}

bool PowerNetwork::correct(const LinearSolver& solver, const std::vector<double>& conductance,
                           ElectricalState& state, bool as_it_is, const RunContext& run) const {
  std::vector<double> out;
  measure(conductance, state, out);
  ++state.solves;
  if (as_it_is && state.leaked <= state.leak_allowed * state.value)
    return state.value > state.leaked;
  Block b(piece_.system->size(), 1), d;
  for (int round = 0; round < most_corrections; ++round) {
    for (Index r = 0; r < out.size(); ++r) b.data()[r] = -out[r];
    state.report = solver.solve(b, d, run);
    for (Index r = 0; r < out.size(); ++r) {
      if (!std::isfinite(d.data()[r])) return false;
      state.potential[r] += d.data()[r];
    }
    for (Index e = 0; e < conductance.size(); ++e)
      state.difference[e] +=
          d.data()[piece_.from[e]] - (piece_.inside(e) ? d.data()[piece_.to[e]] : 0.0);
    const double before = round == 0 ? std::numeric_limits<double>::infinity() : state.leaked;
    measure_flow(conductance, state, out);
    if (may_stay(state, before) || run.should_stop()) break;
  }
  return state.value > state.leaked;
}

void PowerNetwork::raise_beside_strong(double share, std::vector<double>& conductance) const {
  std::vector<double> greatest(rows(), 0.0);
  const auto at = [&](VertexId r) -> double& { return greatest[static_cast<Index>(r)]; };
  for (Index e = 0; e < conductance.size(); ++e) {
    at(piece_.from[e]) = std::max(at(piece_.from[e]), conductance[e]);
    if (piece_.inside(e)) at(piece_.to[e]) = std::max(at(piece_.to[e]), conductance[e]);
  }
  for (Index e = 0; e < conductance.size(); ++e) {
    double beside = at(piece_.from[e]);
    if (piece_.inside(e)) beside = std::max(beside, at(piece_.to[e]));
    conductance[e] = std::max(conductance[e], std::min(share * beside, weight_[e]));
  }
}

}  // namespace gssl::detail
