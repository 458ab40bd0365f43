#include "tug_of_war.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "gssl/core/progress.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "policy_walk.hpp"
#include "tug_equation.hpp"

namespace gssl::detail {

namespace {

using Index = std::size_t;

constexpr std::int64_t most_rounds = 2000;
constexpr double start_tolerance = 1e-4;  // of the harmonic potentials
// Between two steps of Newton, and in a round where no walk can be factored.
constexpr int smoothing_sweeps = 16;
constexpr int sweeps_alone = 64;
// Where over-relaxation helps, while Newton's step leaves a residual above `far_off`.
constexpr int carrying_sweeps = 64;
constexpr double over_relaxation = 1.7;
constexpr double far_off = 1e-4;
// Towards the signs of a bracket, which are looked at in between.
constexpr int easing_sweeps = 40;
constexpr int sweeps_between = 4;
// Newton's method is given up when so many steps have not lowered the residual.
constexpr int most_stalls = 6;
// Slacks below this, of values between 0 and 1, drown in their rounding.
constexpr double least_slack = 1e-15;
// Of the tolerance that a slack may use up, the rest being left to rounding and policies.
constexpr double share_of_slack = 0.8;

// max |g|/stiffness, how far a row is from its own equation; infinite if one is not finite.
double largest_error(const std::vector<double>& g, const std::vector<double>& stiffness) {
  double largest = 0.0;
  for (Index r = 0; r < g.size(); ++r) {
    const double error = std::abs(g[r]) / stiffness[r];
    if (!std::isfinite(error)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, error);
  }
  return largest;
}

// The answer of chance alone, roughly: rows, then terminals.
std::vector<double> harmonic_start(const NetworkPiece& piece, std::span<const double> terminal,
                                   const RunContext& run) {
  const auto n = static_cast<Index>(piece.system->size());
  Block b(piece.system->size(), 1), x;
  for (Index e = 0; e < piece.from.size(); ++e)
    if (!piece.inside(e)) b(piece.from[e], 0) += piece.weight[e] * terminal[piece.terminal(e)];
  make_solver(piece.system, {.tolerance = start_tolerance, .columns = 1}, run)->solve(b, x, run);
  std::vector<double> u(n);
  for (Index r = 0; r < n; ++r)
    u[r] = std::isfinite(x.data()[r]) ? std::clamp(x.data()[r], 0.0, 1.0) : 0.5;
  u.insert(u.end(), terminal.begin(), terminal.end());
  return u;
}

class Game {
 public:
  // `start`: of the rows of the piece, then the terminals.
  Game(const NetworkPiece& piece, const TugOfWar& game, std::span<const double> start,
       const RunContext& run)
      : game_(game),
        run_(run),
        threads_(run.thread_count()),
        limit_(game.max_rounds > 0 ? game.max_rounds : most_rounds),
        equation_(piece, game, start),
        u_(start.begin(), start.end()),
        walk_(equation_, game.most_flops, run) {
    for (Index r = 0; r < equation_.rows(); ++r)
      u_[r] = start[static_cast<Index>(equation_.row_of()[r])];
  }

  // Until the bracket is narrow enough, or nothing helps any more.
  void solve() {
    const bool may_factor = approach();
    if (done() || stopped()) return;
    if (may_factor) {
      answer_each_other();
    } else {
      sweep_to_the_end();
    }
  }

  bool done() const { return bound_ <= game_.tolerance; }
  bool limited() const { return rounds_ >= limit_; }
  double bound() const { return bound_; }
  std::int64_t rounds() const { return rounds_; }
  bool swept() const { return walk_.too_large(); }
  // Of the rows of the piece.
  std::vector<double> middle() const {
    std::vector<double> result(equation_.rows(), 0.5);
    for (Index r = 0; r < middle_.size(); ++r)
      result[static_cast<Index>(equation_.row_of()[r])] = middle_[r];
    return result;
  }

 private:
  bool stopped() const { return limited() || run_.should_stop(); }
  void smooth(double residual, int stalls);
  bool bracket(const std::vector<double>& time);
  bool approach();
  std::optional<std::vector<double>> bound_above(std::vector<double> v, const Policy& policy,
                                                 double slack);
  void answer_each_other();
  void sweep_to_the_end();
  bool offer(const std::vector<double>& lower, const std::vector<double>& upper);

  const TugOfWar& game_;
  const RunContext& run_;
  int threads_;
  std::int64_t limit_;
  TugEquation equation_;
  std::vector<double> u_;  // of the rows of the equation, then the terminals
  PolicyWalk walk_;
  Policy policy_;
  double slack_ = 0.0;  // what a bracket within the tolerance may have for |G|/stiffness
  double bound_ = 0.5;
  std::vector<double> middle_;
  std::int64_t rounds_ = 0;
};

// Takes the pair if its signs hold. Whether they did.
bool Game::offer(const std::vector<double>& lower, const std::vector<double>& upper) {
  if (!equation_.certain(-1, upper, threads_) || !equation_.certain(1, lower, threads_))
    return false;
  const Index n = equation_.rows();
  double width = 0.0;
  for (Index r = 0; r < n; ++r) width = std::max(width, upper[r] - lower[r]);
  if (0.5 * width >= bound_) return true;
  bound_ = 0.5 * width;
  run_.report_progress("tug of war",
                       std::log(std::max(bound_, game_.tolerance)) / std::log(game_.tolerance));
  middle_.resize(n);
  for (Index r = 0; r < n; ++r) middle_[r] = std::clamp(0.5 * (upper[r] + lower[r]), 0.0, 1.0);
  return true;
}

// Without noise or weights over-relaxation carries far, which the first policies need most; the
// last sweeps take its roughness off. Twice as many after every step that did not lower the
// residual, which ends circles of policies.
void Game::smooth(double residual, int stalls) {
  const bool carry = !equation_.mixes() && !equation_.weighted() && residual > far_off;
  const int sweeps = (carry ? carrying_sweeps : smoothing_sweeps) << stalls;
  for (int k = 0; k < sweeps && !run_.should_stop(); ++k) {
    const bool over = carry && k + smoothing_sweeps < sweeps;
    equation_.sweep(k % 2 == 0, 0.0, over ? over_relaxation : 1.0, u_);
  }
}

// Whether u ± slack · time, or what a few sweeps make of it, is a bracket: near a tie somebody
// would rather pull elsewhere than where he did for `time`.
bool Game::bracket(const std::vector<double>& time) {
  std::vector<double> lower = u_, upper = u_;
  for (Index r = 0; r < time.size(); ++r) {
    upper[r] += slack_ * time[r];
    lower[r] -= slack_ * time[r];
  }
  for (int sweeps = 0;; sweeps += sweeps_between) {
    if (offer(lower, upper)) return true;
    if (sweeps >= easing_sweeps || run_.should_stop()) return false;
    for (int k = 0; k < sweeps_between && !run_.should_stop(); ++k) {
      equation_.sweep(k % 2 == 0, -0.25 * slack_, 1.0, upper);
      equation_.sweep(k % 2 == 0, 0.25 * slack_, 1.0, lower);
    }
  }
}

// Newton's method on both policies at once. False if walks are too large to be factored.
bool Game::approach() {
  const Index n = equation_.rows();
  std::vector<double> g, step(n), time(n), best = u_;
  double least = std::numeric_limits<double>::infinity(), after = least;
  for (int stalls = 0; stalls < most_stalls && !stopped();) {
    smooth(after, stalls);
    equation_.defect(u_, threads_, g);
    equation_.choose(u_, threads_, policy_);
    const std::vector<double> stiffness = equation_.stiffness(policy_);
    const double residual = largest_error(g, stiffness);
    ++rounds_;
    if (residual < least) {
      least = residual;
      best = u_;
      stalls = 0;
    } else {
      ++stalls;
    }
    if (!std::isfinite(residual)) break;
    if (!walk_.factor(policy_, run_)) {
      if (walk_.too_large()) return false;
      after = std::numeric_limits<double>::infinity();
      continue;
    }
    walk_.solve(g, step);
    walk_.solve(stiffness, time);
    slack_ = share_of_slack * game_.tolerance / *std::ranges::max_element(time);
    for (Index r = 0; r < n; ++r) u_[r] += step[r];
    equation_.defect(u_, threads_, g);
    after = largest_error(g, stiffness);
    if (after > 0.5 * slack_) continue;
    if (!bracket(time) || done()) return true;
  }
  u_ = best;
  return true;
}

// The best answer to the second player's policy, from v on, with G = −slack · stiffness: an upper
// bound.
std::optional<std::vector<double>> Game::bound_above(std::vector<double> v, const Policy& policy,
                                                     double slack) {
  Policy answer = policy;
  std::vector<double> g;
  while (!stopped()) {
    ++rounds_;
    equation_.defect_against(answer.least, v, threads_, g);
    if (!walk_.factor(answer, run_)) return std::nullopt;
    const std::vector<double> stiffness = equation_.stiffness(answer);
    for (Index r = 0; r < g.size(); ++r) g[r] += slack * stiffness[r];
    walk_.solve(g, g);
    for (Index r = 0; r < g.size(); ++r) v[r] += g[r];
    if (equation_.improve(v, answer.most) == 0) return v;
    equation_.defect_against(answer.least, v, threads_, g);
    bool below = true;
    for (Index r = 0; r < g.size(); ++r) below = below && g[r] <= -0.5 * slack * stiffness[r];
    if (below) return v;
  }
  return std::nullopt;
}

// Hoffman and Karp: each player's policy is held in turn, and improved on what the other one makes
// of it.
void Game::answer_each_other() {
  const Index n = equation_.rows();
  const auto negative = [](std::vector<double> v) {
    for (double& value : v) value = -value;
    return v;
  };
  Policy above, below;
  equation_.choose(u_, threads_, above);
  std::vector<double> upper = u_, lower = u_;
  below = {above.least, above.most};  // the second player of −u is the first one of u
  double slack = slack_;
  double before = std::numeric_limits<double>::infinity();
  while (!done() && !stopped()) {
    auto found = bound_above(upper, above, slack);
    if (!found) return;
    upper = std::move(*found);
    found = bound_above(negative(lower), below, slack);
    if (!found) return;
    lower = negative(std::move(*found));
    offer(lower, upper);
    double width = 0.0;
    for (Index r = 0; r < n; ++r) width = std::max(width, upper[r] - lower[r]);
    if (done()) return;
    if (!(width < 0.9 * before)) {
      if (slack < least_slack) return;
      slack *= 0.25;
    }
    before = width;
    equation_.choose(upper, threads_, above);
    equation_.choose(negative(lower), threads_, below);
  }
}

// Sweeps alone, for graphs too dense to factor, where they need few.
void Game::sweep_to_the_end() {
  std::vector<double> lower = u_, upper = u_;
  for (double slack = 1e-3 * game_.tolerance; !done() && !stopped(); ++rounds_) {
    for (int k = 0; k < sweeps_alone && !run_.should_stop(); ++k) {
      equation_.sweep(k % 2 == 0, -slack, 1.0, upper);
      equation_.sweep(k % 2 == 0, slack, 1.0, lower);
    }
    if (offer(lower, upper) && !done()) slack = std::max(0.25 * slack, least_slack);
  }
}

}  // namespace

TugOfWarSolution solve_tug_of_war(const NetworkPiece& piece, const TugOfWar& game,
                                  std::span<const double> terminal_values, const RunContext& run) {
  const auto n = static_cast<Index>(piece.system->size());
  TugOfWarSolution solution;
  const std::optional<TerminalRange> range = terminal_range(piece, terminal_values);
  if (!range) {
    solution.potential.assign(n, any_terminal(piece, terminal_values));
    return solution;
  }
  const auto [low, high] = *range;
  std::vector<double> terminal(terminal_values.begin(), terminal_values.end());
  for (double& y : terminal) y = (y - low) / (high - low);
  Game state(piece, game, harmonic_start(piece, terminal, silent(run)), run);
  state.solve();
  solution.potential = state.middle();
  for (double& value : solution.potential) value = low + (high - low) * value;
  solution.error_bound = state.bound();
  solution.rounds = state.rounds();
  solution.swept = state.swept();
  solution.outcome = state.done() ? Outcome::converged
                                  : run.stop().value_or(state.limited() ? Outcome::iteration_limit
                                                                        : Outcome::breakdown);
  return solution;
}

}  // namespace gssl::detail
