#include "network/p_energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "network/power_sums.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
// The exponent grows by this factor once the logarithm of energy over bound is below `near_enough`.
constexpr double stage_factor = 1.7;
constexpr double near_enough = 1.0;
// A cluster of good conductors that hangs by poor ones drowns in the rounding of its pivots.
// Potentials: conductances are raised to this share of the greatest one beside them. Flows, where
// good conductors carry next to nothing: to this share of the greatest of all, by a floor under the
// resistances. Either way the edges concerned hold no energy to speak of. Where a step fails the
// share is raised by `raise`.
constexpr double least_conductance = 1e-100;
constexpr double least_share = 1e-12;
constexpr double least_resistance = 1e-10;
constexpr double raise = 30.0;
constexpr double greatest_share = 1e-3;
constexpr double poor_step = 0.1;  // of Newton's
// The energy may be found when potentials still move where it hardly depends on them: some steps
// more, until no one moves further than this many tolerances, while each calms them by so much.
constexpr double still = 1000.0;
constexpr double calming = 0.7;
constexpr int most_polish = 12;
// Of a difference of potentials between 0 and 1.
constexpr double rounding = 2e-15;
// Of the logarithm of a norm: the later of two potentials is the better one then.
constexpr double same_energy = 1e-14;
// A solve is repeated for what it leaks while that costs this share of the tolerance or more.
constexpr double leak_share = 0.01;
constexpr double rough_leak = 1e-4;  // on the way to the last exponent
constexpr int most_corrections = 4;
// Of one solve; a flow that is not quite one costs more than potentials that are not quite best.
constexpr double tolerance_of_potentials = 1e-4;
constexpr double tolerance_of_flows = 1e-8;
// Of a line search, relative to the slope it starts from.
constexpr double rough_line = 0.02;
constexpr double fine_line = 1e-10;

double dual_exponent(double p) { return p / (p - 1.0); }

// The next stage of the exponent; whole numbers are quick to raise to.
double next_exponent(double s, double last) {
  const double next = std::ceil(stage_factor * s - 0.5);
  return next >= last ? last : next;
}

SolverOptions linear_options(const PEnergyOptions& options) {
  return {.kind = options.solver,
          .tolerance = options.p >= 2.0 ? tolerance_of_potentials : tolerance_of_flows,
          .max_iterations = 0,
          .eliminate = true,
          .columns = 1,
          .updates = solve_limit(options)};
}

// Weights, ground and right-hand side in the order of the rows.
struct RowSystem {
  std::vector<double> weights, ground;
};

RowSystem assemble(const NetworkPiece& piece, const std::vector<double>& conductance) {
  RowSystem rows;
  rows.weights.resize(piece.system->graph().neighbor_array().size());
  rows.ground.assign(static_cast<Index>(piece.system->size()), 0.0);
  for (Index e = 0; e < conductance.size(); ++e) {
    if (piece.inside(e)) {
      rows.weights[static_cast<Index>(piece.entry_from[e])] = conductance[e];
      rows.weights[static_cast<Index>(piece.entry_to[e])] = conductance[e];
    } else {
      rows.ground[static_cast<Index>(piece.from[e])] += conductance[e];
    }
  }
  return rows;
}

// Potentials of the optimum are in [0, 1]: how much the value of a flow may differ between them and
// these ones.
double cost_of_leak(const std::vector<double>& out, const std::vector<double>& potential) {
  double cost = 0.0;
  for (Index r = 0; r < out.size(); ++r)
    cost += std::abs(out[r]) * std::max(std::abs(potential[r]), std::abs(1.0 - potential[r]));
  return cost;
}

// To where the potentials of an electrical network are; rounding may take them elsewhere.
void clamp(std::vector<double>& potential) {
  for (double& x : potential) x = std::clamp(x, 0.0, 1.0);
}

// Raises conductances to a share of the greatest one beside them, but not above the weight: more
// flow than that would cost the certificate more than a rough step does.
void raise_beside_strong(const NetworkPiece& piece, const std::vector<double>& weight, double share,
                         std::vector<double>& conductance) {
  std::vector<double> greatest(static_cast<Index>(piece.system->size()), 0.0);
  const auto at = [&](VertexId r) -> double& { return greatest[static_cast<Index>(r)]; };
  for (Index e = 0; e < conductance.size(); ++e) {
    at(piece.from[e]) = std::max(at(piece.from[e]), conductance[e]);
    if (piece.inside(e)) at(piece.to[e]) = std::max(at(piece.to[e]), conductance[e]);
  }
  for (Index e = 0; e < conductance.size(); ++e) {
    double beside = at(piece.from[e]);
    if (piece.inside(e)) beside = std::max(beside, at(piece.to[e]));
    conductance[e] = std::max(conductance[e], std::min(share * beside, weight[e]));
  }
}

}  // namespace

std::int64_t solve_limit(const PEnergyOptions& options) {
  if (options.max_iterations > 0) return options.max_iterations;
  const double s = std::max(options.p, dual_exponent(options.p));
  return 40 + static_cast<std::int64_t>(12.0 * std::log2(s));
}

bool terminals_differ(const NetworkPiece& piece, std::span<const double> terminal_values) {
  std::optional<double> first;
  for (Index e = 0; e < piece.to.size(); ++e) {
    if (piece.inside(e)) continue;
    const double value = terminal_values[piece.terminal(e)];
    if (first && value != *first) return true;
    first = value;
  }
  return false;
}

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

Outcome worse(Outcome a, Outcome b) {
  constexpr Outcome order[] = {Outcome::cancelled, Outcome::time_limit, Outcome::breakdown,
                               Outcome::iteration_limit};
  for (const Outcome outcome : order)
    if (a == outcome || b == outcome) return outcome;
  return Outcome::converged;
}

// Terminals scaled to [0, 1], and the electrical network that was solved last.
struct PowerMinimizer::Work {
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

PowerMinimizer::PowerMinimizer(const NetworkPiece& piece, const PEnergyOptions& options,
                               const RunContext& run)
    : piece_(piece), options_(options), weight_(piece.weight) {
  weight_scale_ = *std::ranges::max_element(weight_);
  for (double& w : weight_) w /= weight_scale_;
  RowSystem rows = assemble(piece, weight_);
  harmonic_ =
      make_solver(piece.system->with_weights(std::move(rows.weights), std::move(rows.ground)),
                  linear_options(options), run);
}

void PowerMinimizer::differences(const std::vector<double>& x, const Work& work,
                                 std::vector<double>& out) const {
  out.resize(weight_.size());
  for (Index e = 0; e < out.size(); ++e)
    out[e] = x[static_cast<Index>(piece_.from[e])] - (piece_.inside(e)
                                                          ? x[static_cast<Index>(piece_.to[e])]
                                                          : work.terminal[piece_.terminal(e)]);
}

// What flows out of each row and does not flow in.
std::vector<double> PowerMinimizer::leak(const std::vector<double>& flow) const {
  std::vector<double> out(static_cast<Index>(piece_.system->size()), 0.0);
  for (Index e = 0; e < flow.size(); ++e) {
    out[static_cast<Index>(piece_.from[e])] += flow[e];
    if (piece_.inside(e)) out[static_cast<Index>(piece_.to[e])] -= flow[e];
  }
  return out;
}

// Solves the network with these conductances, from work.potential on, in corrections: a difference
// that is small beside the potentials keeps its digits. False if that cannot be done.
bool PowerMinimizer::electrify(Work& work, const std::vector<double>& conductance, bool harmonic,
                               const RunContext& run) const {
  std::unique_ptr<LinearSolver> made;
  if (!harmonic) {
    RowSystem rows = assemble(piece_, conductance);
    auto system = std::make_shared<const GroundedLaplacian>(
        piece_.system->with_weights(std::move(rows.weights), std::move(rows.ground)));
    made = work.keeps_order ? harmonic_->updated(std::move(system), run)
                            : make_solver(std::move(system), linear_options(options_), run);
  }
  const LinearSolver& solver = harmonic ? *harmonic_ : *made;
  differences(work.potential, work, work.difference);
  work.flow.resize(conductance.size());
  std::vector<double> out;
  const auto measure = [&] {
    for (Index e = 0; e < conductance.size(); ++e)
      work.flow[e] = conductance[e] * work.difference[e];
    out = leak(work.flow);
  };
  measure();
  work.leaked = std::numeric_limits<double>::infinity();
  ++work.solves;
  Block b(piece_.system->size(), 1), d;
  for (int round = 0; round < most_corrections; ++round) {
    for (Index r = 0; r < out.size(); ++r) b.data()[r] = -out[r];
    work.report = solver.solve(b, d, run);
    for (Index r = 0; r < out.size(); ++r) {
      if (!std::isfinite(d.data()[r])) return false;
      work.potential[r] += d.data()[r];
    }
    for (Index e = 0; e < conductance.size(); ++e)
      work.difference[e] +=
          d.data()[piece_.from[e]] - (piece_.inside(e) ? d.data()[piece_.to[e]] : 0.0);
    measure();
    work.value =
        std::inner_product(work.flow.begin(), work.flow.end(), work.difference.begin(), 0.0);
    const double before = work.leaked;
    work.leaked = cost_of_leak(out, work.potential);
    if (work.leaked <= work.leak_allowed * work.value || !(work.leaked < 0.5 * before)) break;
    if (run.should_stop()) break;
  }
  return work.value > work.leaked;
}

PEnergySolution PowerMinimizer::minimize(std::span<const double> terminal_values,
                                         const RunContext& run) const {
  const int threads = run.thread_count();
  const double p = options_.p, q = dual_exponent(p);
  const bool potentials = p >= 2.0;
  const double last = std::max(p, q);  // of the exponent
  const std::vector<double>& w = weight_;
  const auto rows = static_cast<Index>(piece_.system->size());
  PEnergySolution solution;

  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (Index e = 0; e < w.size(); ++e) {
    if (piece_.inside(e)) continue;
    low = std::min(low, terminal_values[piece_.terminal(e)]);
    high = std::max(high, terminal_values[piece_.terminal(e)]);
  }
  solution.potential.assign(rows, low);
  solution.log_energy = minus_infinity;
  if (!(high > low)) return solution;

  Work work;
  work.terminal.assign(terminal_values.begin(), terminal_values.end());
  for (double& y : work.terminal) y = (y - low) / (high - low);
  work.potential.assign(rows, 0.0);
  const double fine_leak = leak_share * options_.tolerance / last;
  work.leak_allowed = fine_leak;
  std::vector<double> best(rows, 0.5);  // potentials of the least energy found
  double upper = -minus_infinity, lower = minus_infinity;
  std::vector<double> z, toward, other, conductance = w;
  const auto per_weight = [&](const std::vector<double>& flow, double value,
                              std::vector<double>& out) {
    out.resize(flow.size());
    for (Index e = 0; e < flow.size(); ++e) out[e] = flow[e] / (w[e] * value);
  };
  // What the flow w·x, between any potentials and those of the terminals, is worth for sure.
  const auto raise_lower = [&](const std::vector<double>& x) {
    std::vector<double> flow(w.size());
    for (Index e = 0; e < w.size(); ++e) flow[e] = w[e] * x[e];
    double value = std::inner_product(flow.begin(), flow.end(), work.difference.begin(), 0.0);
    value -= cost_of_leak(leak(flow), work.potential);
    if (value > 0.0) lower = std::max(lower, std::log(value) - log_norm(w, x, q, threads));
  };
  const auto lower_upper = [&](const std::vector<double>& delta, const std::vector<double>& x) {
    const double norm = log_norm(w, delta, p, threads);
    if (norm <= upper + same_energy) best = x;
    upper = std::min(upper, norm);
  };
  const auto gap = [&] { return std::clamp(-std::expm1(p * (lower - upper)), 0.0, 1.0); };

  bool sound = electrify(work, conductance, true, run);
  work.keeps_order = work.report.used == "cholesky" || work.report.used == "elimination";
  double share = potentials ? least_share : least_resistance;
  double s = 2.0;
  std::vector<double> state;  // potentials; in the form of flows those of the step before
  if (sound) {
    per_weight(work.flow, work.value, other);
    raise_lower(other);
    z = other;
    clamp(work.potential);
    state = work.potential;
    differences(state, work, potentials ? z : toward);
    lower_upper(potentials ? z : toward, state);
  }
  const std::int64_t limit = solve_limit(options_);
  int polished = 0;
  double moved_before = std::numeric_limits<double>::infinity();
  while (sound && gap() > options_.tolerance && work.solves < limit && !run.should_stop()) {
    if (s < last) s = next_exponent(s, last);
    bool stay = true;
    while (stay && work.solves < limit && !run.should_stop()) {
      relative_powers(z, s - 2.0, potentials ? least_conductance : share, threads, conductance);
      for (Index e = 0; e < w.size(); ++e)
        conductance[e] = potentials ? w[e] * conductance[e] : w[e] / conductance[e] * share;
      if (potentials) {
        raise_beside_strong(piece_, w, share, conductance);
        work.potential = state;
      }
      if (potentials) work.leak_allowed = s < last ? rough_leak : fine_leak;
      if (!electrify(work, conductance, false, run)) {
        share *= raise;
        sound = share <= greatest_share;
        if (!sound) break;
        continue;
      }
      per_weight(work.flow, work.value, other);
      if (potentials) {
        clamp(work.potential);
        differences(work.potential, work, toward);
      } else {
        toward = other;
      }
      const double t =
          least_on_line(w, z, toward, s, potentials ? rounding : rounding * largest(z, threads),
                        s < last ? rough_line : fine_line, threads);
      const std::vector<double>& partner = potentials ? other : work.difference;
      const double ratio =
          s * (log_norm(w, z, s, threads) + log_norm(w, partner, dual_exponent(s), threads));
      double moved = 0.0;
      if (potentials) {
        for (Index r = 0; r < rows; ++r) {
          const double step = t * (work.potential[r] - state[r]);
          moved = std::max(moved, std::abs(step));
          state[r] += step;
        }
        differences(state, work, z);
      } else {
        for (Index r = 0; r < rows; ++r)
          moved = std::max(moved, std::abs(std::exchange(state[r], work.potential[r]) - state[r]));
        for (Index e = 0; e < z.size(); ++e) z[e] += t * (toward[e] - z[e]);
      }
      const bool poor = t * (s - 1.0) < poor_step;
      if (s < last) {
        stay = ratio > near_enough && !poor;
        continue;
      }
      if (potentials) {
        raise_lower(other);
        lower_upper(z, state);
      } else {
        raise_lower(z);
        lower_upper(work.difference, work.potential);
      }
      stay = gap() > options_.tolerance;
      if (stay && poor) share *= raise;
      sound = share <= greatest_share;
      if (!stay && moved > still * options_.tolerance)
        stay = polished++ < most_polish && moved < calming * moved_before && !poor;
      moved_before = moved;
      stay = stay && sound;
    }
  }

  clamp(best);
  differences(best, work, z);
  upper = log_norm(w, z, p, threads);
  solution.gap = gap();
  for (Index r = 0; r < rows; ++r) solution.potential[r] = low + (high - low) * best[r];
  solution.log_energy = p * (upper + std::log(high - low)) + std::log(weight_scale_);
  solution.solves = work.solves;
  solution.linear = work.report;
  solution.outcome = solution.gap <= options_.tolerance ? Outcome::converged
                     : run.cancelled()                  ? Outcome::cancelled
                     : run.out_of_time()                ? Outcome::time_limit
                     : sound                            ? Outcome::iteration_limit
                                                        : Outcome::breakdown;
  return solution;
}

}  // namespace gssl::detail
