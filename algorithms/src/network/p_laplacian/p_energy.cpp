#include "p_energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "energy_bracket.hpp"
#include "gssl/core/progress.hpp"
#include "power_sums.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

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
// A solve is repeated for what it leaks while that costs this share of the tolerance or more.
constexpr double leak_share = 0.01;
constexpr double rough_leak = 1e-4;  // on the way to the last exponent
// Of one solve; a flow that is not quite one costs more than potentials that are not quite best.
constexpr double tolerance_of_potentials = 1e-4;
constexpr double tolerance_of_flows = 1e-8;
// Of a line search, relative to the slope it starts from.
constexpr double rough_line = 0.02;
constexpr double fine_line = 1e-10;

double last_exponent(double p) { return std::max(p, dual_exponent(p)); }

// The next stage of the exponent; whole numbers are quick to raise to.
double next_exponent(double s, double last) {
  const double next = std::ceil(stage_factor * s - 0.5);
  return next >= last ? last : next;
}

double fine_leak(const PEnergyOptions& options) {
  return leak_share * options.tolerance / last_exponent(options.p);
}

// Laplacian solves of one minimization.
std::int64_t solve_limit(const PEnergyOptions& options) {
  if (options.max_iterations > 0) return options.max_iterations;
  return 40 + static_cast<std::int64_t>(12.0 * std::log2(last_exponent(options.p)));
}

// All columns share the solve of p = 2; other exponents go on column by column. There are no
// updates for p = 2 itself, but a factor, which their number speaks for, leaks next to nothing at
// once.
SolverOptions linear_options(const PEnergyOptions& options, int columns) {
  return {.kind = options.solver,
          .tolerance = options.p > 2.0 ? tolerance_of_potentials : tolerance_of_flows,
          .max_iterations = 0,
          .eliminate = true,
          .columns = options.p == 2.0 ? columns : 1,
          .updates = solve_limit(options)};
}

// Newton's method on the norm of exponent s = max(p, q), which grows from two in stages. What it
// minimizes over, potentials (p ≥ 2) or flows of value one over their weights (p < 2), is `z`.
class Descent {
 public:
  Descent(const PowerNetwork& network, const PEnergyOptions& options, ElectricalState& state,
          const RunContext& run)
      : network_(network),
        options_(options),
        run_(run),
        state_(state),
        bracket_(network, options.p, run.thread_count()),
        threads_(run.thread_count()),
        potentials_(options.p >= 2.0),
        last_(last_exponent(options.p)),
        limit_(solve_limit(options)),
        share_(potentials_ ? least_share : least_resistance) {}

  // False if the network could not be solved at all.
  bool start();
  void minimize();

  EnergyBracket& bracket() { return bracket_; }
  bool sound() const { return sound_; }

 private:
  // What came of a step.
  struct Step {
    double length = 0.0;   // 1/(s − 1) is Newton's
    double log_gap = 0.0;  // logarithm of energy over bound, both of exponent s, before it; of no
                           // use with the last exponent
    double moved = 0.0;    // the furthest of the potentials
    bool poor = false;
  };

  void tell() const;
  bool may_go_on() const { return state_.solves < limit_ && !run_.should_stop(); }
  bool soften();
  bool aim();
  Step walk();
  bool stay_at_last(const Step& step);
  void divide_by_weight();

  const PowerNetwork& network_;
  const PEnergyOptions& options_;
  const RunContext& run_;
  ElectricalState& state_;
  EnergyBracket bracket_;
  int threads_;
  bool potentials_;
  double last_;  // of the exponent
  std::int64_t limit_;
  double share_;
  bool sound_ = true;
  double s_ = 2.0;
  std::vector<double> potential_;         // those of z; in the form of flows the last solve's
  std::vector<double> z_, toward_;        // of the edges; where it is and where Newton points
  std::vector<double> flow_over_weight_;  // of the last solve, with value one
  std::vector<double> conductance_;
  int polished_ = 0;
  double moved_before_ = std::numeric_limits<double>::infinity();
};

void Descent::divide_by_weight() {
  const std::vector<double>& w = network_.weight();
  flow_over_weight_.resize(w.size());
  for (Index e = 0; e < w.size(); ++e)
    flow_over_weight_[e] = state_.flow[e] / (w[e] * state_.value);
}

bool Descent::start() {
  sound_ = network_.solve_weights(state_, silent(run_));
  if (!sound_) return false;
  divide_by_weight();
  bracket_.offer_flow(flow_over_weight_, state_);
  z_ = flow_over_weight_;
  clamp_to_terminals(state_.potential);
  potential_ = state_.potential;
  std::vector<double>& differences = potentials_ ? z_ : toward_;
  network_.differences(potential_, state_.terminal, differences);
  bracket_.offer_potentials(potential_, differences);
  return true;
}

// Conductances nearer to one another, for a step that failed; false where they are near enough.
bool Descent::soften() {
  share_ *= raise;
  sound_ = share_ <= greatest_share;
  return sound_;
}

// Solves the network of w·a^{s−2} or w/a^{s−2}; false if that failed.
bool Descent::aim() {
  const std::vector<double>& w = network_.weight();
  relative_powers(z_, s_ - 2.0, potentials_ ? least_conductance : share_, threads_, conductance_);
  for (Index e = 0; e < w.size(); ++e)
    conductance_[e] = potentials_ ? w[e] * conductance_[e] : w[e] / conductance_[e] * share_;
  if (potentials_) {
    network_.raise_beside_strong(share_, conductance_);
    state_.potential = potential_;
    state_.leak_allowed = s_ < last_ ? rough_leak : fine_leak(options_);
  }
  if (!network_.solve(state_, conductance_, silent(run_))) return false;
  divide_by_weight();
  if (potentials_) {
    clamp_to_terminals(state_.potential);
    network_.differences(state_.potential, state_.terminal, toward_);
  } else {
    toward_ = flow_over_weight_;
  }
  return true;
}

// To the least point of the line.
Descent::Step Descent::walk() {
  const std::vector<double>& w = network_.weight();
  Step step;
  const double t =
      least_on_line(w, z_, toward_, s_, potentials_ ? rounding : rounding * largest(z_, threads_),
                    s_ < last_ ? rough_line : fine_line, threads_);
  const std::vector<double>& partner = potentials_ ? flow_over_weight_ : state_.difference;
  step.length = t;
  if (s_ < last_)
    step.log_gap =
        s_ * (log_norm(w, z_, s_, threads_) + log_norm(w, partner, dual_exponent(s_), threads_));
  step.poor = t * (s_ - 1.0) < poor_step;
  const std::vector<double>& found = state_.potential;
  if (potentials_) {
    for (Index r = 0; r < found.size(); ++r) {
      const double by = t * (found[r] - potential_[r]);
      step.moved = std::max(step.moved, std::abs(by));
      potential_[r] += by;
    }
    network_.differences(potential_, state_.terminal, z_);
  } else {
    for (Index r = 0; r < found.size(); ++r)
      step.moved = std::max(step.moved, std::abs(found[r] - potential_[r]));
    potential_ = found;
    for (Index e = 0; e < z_.size(); ++e) z_[e] += t * (toward_[e] - z_[e]);
  }
  return step;
}

// With the last exponent: offers what was found, and whether a further step is worth its while.
bool Descent::stay_at_last(const Step& step) {
  if (potentials_) {
    bracket_.offer_flow(flow_over_weight_, state_);
    bracket_.offer_potentials(potential_, z_);
  } else {
    bracket_.offer_flow(z_, state_);
    bracket_.offer_potentials(state_.potential, state_.difference);
  }
  bool stay = bracket_.gap() > options_.tolerance;
  if (stay && step.poor) soften();
  if (!stay && step.moved > still * options_.tolerance)
    stay = polished_++ < most_polish && step.moved < calming * moved_before_ && !step.poor;
  moved_before_ = step.moved;
  return stay && sound_;
}

// Half of the way is to the last exponent, the other half from the gap there to the tolerance.
void Descent::tell() const {
  double share = 0.5;
  if (s_ < last_) {
    share = 0.5 * std::log(s_ / 2.0) / std::log(last_ / 2.0);
  } else {
    const double gap = std::clamp(bracket_.gap(), options_.tolerance, 1.0);
    share += 0.5 * std::log(gap) / std::log(options_.tolerance);
  }
  run_.report_progress("p-energy", share);
}

void Descent::minimize() {
  while (sound_ && bracket_.gap() > options_.tolerance && may_go_on()) {
    if (s_ < last_) s_ = next_exponent(s_, last_);
    for (bool stay = true; stay && may_go_on();) {
      if (!aim()) {
        stay = soften();
        continue;
      }
      if (run_.should_stop()) return;
      const Step step = walk();
      stay = s_ < last_ ? step.log_gap > near_enough && !step.poor : stay_at_last(step);
      tell();
    }
  }
}

}  // namespace

namespace {

// A column whose turn has not come: the potentials of p = 2 as far as they are known, no bound.
PEnergySolution left_at(ElectricalState state, TerminalRange range, Outcome why) {
  PEnergySolution solution;
  solution.potential = std::move(state.potential);
  for (double& x : solution.potential)
    x = range.low + (range.high - range.low) * std::clamp(x, 0.0, 1.0);
  solution.gap = std::numeric_limits<double>::infinity();
  solution.log_energy = 0.0;
  solution.solves = std::max<std::int64_t>(state.solves, 1);
  solution.linear = state.report;
  solution.outcome = why;
  return solution;
}

}  // namespace

PowerMinimizer::PowerMinimizer(const NetworkPiece& piece, const PEnergyOptions& options,
                               int columns, const RunContext& run)
    : piece_(piece),
      options_(options),
      // What is prepared has no share in the steps that are told of.
      network_(piece, linear_options(options, columns), part_of(run, "p-energy", 0.0, 1.0, 0.0)) {}

std::vector<PEnergySolution> PowerMinimizer::minimize(
    const std::vector<std::vector<double>>& columns, const RunContext& run) const {
  std::vector<PEnergySolution> solutions(columns.size());
  std::vector<ElectricalState> states;
  std::vector<TerminalRange> ranges;
  std::vector<Index> place;
  for (Index c = 0; c < columns.size(); ++c) {
    const std::optional<TerminalRange> range = terminal_range(piece_, columns[c]);
    if (!range) {
      solutions[c].potential.assign(network_.rows(), any_terminal(piece_, columns[c]));
      solutions[c].log_energy = -std::numeric_limits<double>::infinity();
      continue;
    }
    std::vector<double> terminal = columns[c];
    for (double& y : terminal) y = (y - range->low) / (range->high - range->low);
    states.push_back(network_.state(std::move(terminal), fine_leak(options_)));
    ranges.push_back(*range);
    place.push_back(c);
  }
  if (states.size() > 1) network_.solve_weights_together(states, silent(run));
  for (Index k = 0; k < states.size(); ++k) {
    const RunContext part =
        part_of(run, "p-energy", static_cast<double>(k), static_cast<double>(states.size()));
    const auto why = run.stop();
    solutions[place[k]] = why ? left_at(std::move(states[k]), ranges[k], *why)
                              : minimize_from(std::move(states[k]), ranges[k], part);
  }
  return solutions;
}

PEnergySolution PowerMinimizer::minimize_from(ElectricalState state, TerminalRange range,
                                              const RunContext& run) const {
  const auto [low, high] = range;
  PEnergySolution solution;
  Descent descent(network_, options_, state, run);
  if (descent.start()) descent.minimize();
  solution.potential = descent.bracket().conclude(state.terminal);
  for (double& x : solution.potential) x = low + (high - low) * x;
  solution.gap = descent.bracket().gap();
  solution.log_energy = options_.p * (descent.bracket().log_norm() + std::log(high - low)) +
                        std::log(network_.weight_scale());
  solution.solves = state.solves;
  solution.linear = state.report;
  solution.outcome =
      solution.gap <= options_.tolerance
          ? Outcome::converged
          : run.stop().value_or(descent.sound() ? Outcome::iteration_limit : Outcome::breakdown);
  return solution;
}

}  // namespace gssl::detail
