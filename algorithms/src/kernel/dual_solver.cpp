#include "kernel/dual_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/dual_polish.hpp"
#include "kernel/row_products.hpp"
#include "kernel/row_store.hpp"

namespace gssl::detail {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least_curvature = 1e-12;
constexpr std::int64_t small_set = 256;  // variables of a working set
constexpr std::int64_t large_set = 512;  // for many variables
constexpr std::int64_t many_variables = 50'000;
constexpr std::int64_t all_in_double = 3'000;  // items up to which rows are doubles at once
constexpr double float_tolerance = 1e-5;       // what rows of floats can do
constexpr double of_rounding = 1e-10;          // of g, that no step may lessen
constexpr double no_margin = 1e-12;            // of the square of the longest row

// The variables of a working set, taken alone.
class SmallProblem {
 public:
  SmallProblem(std::vector<double> kernel, std::vector<double> g, std::vector<double> alpha,
               std::vector<double> sign, std::vector<double> bound)
      : n_(std::ssize(g)),
        kernel_(std::move(kernel)),
        g_(std::move(g)),
        alpha_(std::move(alpha)),
        sign_(std::move(sign)),
        bound_(std::move(bound)) {}

  // Pairs of second order, until the violation is at most `tolerance`. Returns the steps.
  std::int64_t solve(double tolerance, std::int64_t most_steps) {
    std::int64_t steps = 0;
    for (; steps < most_steps; ++steps) {
      const std::int64_t i = largest_up();
      if (i < 0) break;
      const std::int64_t j = best_partner(i, tolerance);
      if (j < 0) break;
      move(i, j);
    }
    return steps;
  }

  const std::vector<double>& alpha() const { return alpha_; }

 private:
  const double* row(std::int64_t i) const { return kernel_.data() + i * n_; }
  bool goes_up(std::size_t t) const {
    return sign_[t] > 0.0 ? alpha_[t] < bound_[t] : alpha_[t] > 0.0;
  }
  bool goes_down(std::size_t t) const {
    return sign_[t] > 0.0 ? alpha_[t] > 0.0 : alpha_[t] < bound_[t];
  }

  std::int64_t largest_up() const {
    std::int64_t best = -1;
    for (std::int64_t t = 0; t < n_; ++t)
      if (goes_up(index(t)) && (best < 0 || g_[index(t)] > g_[index(best)])) best = t;
    return best;
  }

  // The largest decrease of the objective with i; −1 where the violation is within tolerance.
  std::int64_t best_partner(std::int64_t i, double tolerance) const {
    const double* k = row(i);
    double most = 0.0, largest = 0.0;
    std::int64_t best = -1;
    for (std::int64_t t = 0; t < n_; ++t) {
      const double difference = g_[index(i)] - g_[index(t)];
      if (difference <= 0.0 || !goes_down(index(t))) continue;
      largest = std::max(largest, difference);
      const double curvature = std::max(least_curvature, k[i] + row(t)[t] - 2.0 * k[t]);
      const double gain = difference * difference / curvature;
      if (gain > most) {
        most = gain;
        best = t;
      }
    }
    return largest > tolerance ? best : -1;
  }

  void move(std::int64_t i, std::int64_t j) {
    const double* ki = row(i);
    const double* kj = row(j);
    const double curvature = std::max(least_curvature, ki[i] + kj[j] - 2.0 * ki[j]);
    const double room_i =
        sign_[index(i)] > 0.0 ? bound_[index(i)] - alpha_[index(i)] : alpha_[index(i)];
    const double room_j =
        sign_[index(j)] > 0.0 ? alpha_[index(j)] : bound_[index(j)] - alpha_[index(j)];
    const double wanted = (g_[index(i)] - g_[index(j)]) / curvature;
    const double step = std::min({wanted, room_i, room_j});
    shift(i, step, step == room_i);
    shift(j, -step, step == room_j);
    for (std::int64_t t = 0; t < n_; ++t) g_[index(t)] -= step * (ki[t] - kj[t]);
  }

  // y·α grows by `step`; at the end of its room α is exactly the bound.
  void shift(std::int64_t t, double step, bool whole) {
    const bool grows = (step > 0.0) == (sign_[index(t)] > 0.0);
    if (whole)
      alpha_[index(t)] = grows ? bound_[index(t)] : 0.0;
    else
      alpha_[index(t)] += sign_[index(t)] * step;
  }

  std::int64_t n_;
  std::vector<double> kernel_;
  std::vector<double> g_, alpha_, sign_, bound_;
};

struct Extremes {
  double up = -infinity;   // largest g of those that may go up
  double down = infinity;  // smallest of those that may go down
  double violation() const { return std::max(0.0, up - down); }
};

class DualSolver {
 public:
  DualSolver(const DualProblem& problem, const DualOptions& options, const RunContext& run)
      : problem_(problem), options_(options), run_(run) {
    solution_.alpha.assign(problem.item.size(), 0.0);
    solution_.f.assign(index(problem.gram->size()), 0.0);
    if (options_.max_steps == 0)
      options_.max_steps = std::max<std::int64_t>(10'000'000, 100 * count());
  }

  DualSolution solve() {
    const std::int64_t m = problem_.gram->size();
    const bool floats = m > all_in_double && problem_.gram->fits_float();
    try {
      if (floats) {
        solution_.single_precision = true;
        iterate<float>(std::max(options_.tolerance, float_tolerance));
      }
      if (!floats || (options_.tolerance < float_tolerance && ended_well())) {
        if (floats) recompute();
        solution_.single_precision = false;
        iterate<double>(options_.tolerance);
        if (options_.tolerance < float_tolerance && ended_well()) polish();
      }
    } catch (const Error& error) {
      // Stopped within rows: what was reached before stands.
      const std::optional<Outcome> why = stop_of(error);
      if (!why) throw;
      solution_.outcome = *why;
    }
    finish();
    return std::move(solution_);
  }

 private:
  std::int64_t count() const { return std::ssize(problem_.item); }
  bool ended_well() const { return solution_.outcome == Outcome::converged; }
  double g(std::size_t t) const {
    return -problem_.sign[t] * problem_.linear[t] - solution_.f[index(problem_.item[t])];
  }
  bool goes_up(std::size_t t) const {
    return problem_.sign[t] > 0.0 ? solution_.alpha[t] < problem_.bound[t]
                                  : solution_.alpha[t] > 0.0;
  }
  bool goes_down(std::size_t t) const {
    return problem_.sign[t] > 0.0 ? solution_.alpha[t] > 0.0
                                  : solution_.alpha[t] < problem_.bound[t];
  }

  Extremes extremes() const {
    Extremes e;
    for (std::size_t t = 0; t < problem_.item.size(); ++t) {
      const double value = g(t);
      if (goes_up(t)) e.up = std::max(e.up, value);
      if (goes_down(t)) e.down = std::min(e.down, value);
    }
    return e;
  }

  template <class Real>
  void iterate(double tolerance) {
    const std::int64_t most = count() > many_variables ? large_set : small_set;
    const std::int64_t size = std::min(count(), 2 * most >= count() ? count() : most);
    RowStore<Real> store(*problem_.gram, options_.memory, 2 * size);
    std::vector<std::int32_t> set;
    double first = 0.0;
    int idle_rounds = 0;
    while (true) {
      const Extremes e = extremes();
      const double violation = e.violation();
      if (violation <= tolerance) break;
      if (const auto why = run_.stop()) {
        solution_.outcome = *why;
        break;
      }
      if (solution_.steps >= options_.max_steps) {
        solution_.outcome = Outcome::iteration_limit;
        break;
      }
      first = std::max(first, violation);
      run_.report_progress("svm", std::log(violation / first) / std::log(tolerance / first));
      set = next_set(set, e, size);
      const bool whole = std::ssize(set) == count();
      const double inner = whole ? 0.5 * tolerance : std::max(0.5 * tolerance, 0.1 * violation);
      const bool moved = solve_set(store, set, inner);
      ++solution_.rounds;
      // Rounding may leave a violation that no step lessens.
      idle_rounds = moved ? 0 : idle_rounds + 1;
      if (idle_rounds < 2 && !solution_.unbounded) continue;
      const bool rounding = violation <= of_rounding * std::max(std::abs(e.up), std::abs(e.down));
      if (solution_.unbounded || !rounding) solution_.outcome = Outcome::breakdown;
      break;
    }
    solution_.rows_computed += store.computed();
  }

  // The newer half of the last one, then the worst on either side in turn.
  std::vector<std::int32_t> next_set(const std::vector<std::int32_t>& last, const Extremes& e,
                                     std::int64_t size) {
    if (size == count()) {
      std::vector<std::int32_t> all(problem_.item.size());
      std::iota(all.begin(), all.end(), 0);
      return all;
    }
    const auto kept = std::min(std::ssize(last), size / 2);
    std::vector<std::int32_t> set(last.end() - kept, last.end());
    std::vector<char> inside(problem_.item.size(), 0);
    for (const std::int32_t t : set) inside[index(t)] = 1;
    struct Candidate {
      double g;
      std::int32_t t;
    };
    std::vector<Candidate> up, down;
    for (std::int32_t t = 0; t < count(); ++t) {
      if (inside[index(t)] != 0) continue;
      const double value = g(index(t));
      if (goes_up(index(t)) && value > e.down) up.push_back({value, t});
      if (goes_down(index(t)) && value < e.up) down.push_back({value, t});
    }
    const auto sort_first = [&](std::vector<Candidate>& list, auto&& before) {
      const auto end = list.begin() + std::min(std::ssize(list), size);
      std::partial_sort(list.begin(), end, list.end(), before);
      list.erase(end, list.end());
    };
    sort_first(up, [](const Candidate& a, const Candidate& b) {
      return a.g != b.g ? a.g > b.g : a.t < b.t;
    });
    sort_first(down, [](const Candidate& a, const Candidate& b) {
      return a.g != b.g ? a.g < b.g : a.t < b.t;
    });
    const auto take = [&](const std::vector<Candidate>& list, std::size_t k) {
      if (k >= list.size() || std::ssize(set) >= size || inside[index(list[k].t)] != 0) return;
      inside[index(list[k].t)] = 1;
      set.push_back(list[k].t);
    };
    for (std::size_t k = 0; k < std::max(up.size(), down.size()) && std::ssize(set) < size; ++k) {
      take(up, k);
      take(down, k);
    }
    return set;
  }

  // Whether any variable changed.
  template <class Real>
  bool solve_set(RowStore<Real>& store, const std::vector<std::int32_t>& set, double tolerance) {
    std::vector<std::int32_t> items;
    items.reserve(set.size());
    for (const std::int32_t t : set) items.push_back(problem_.item[index(t)]);
    std::vector<std::int32_t> distinct = items;
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<char> busy(solution_.f.size(), 0);
    for (std::size_t t = 0; t < solution_.alpha.size(); ++t)
      if (solution_.alpha[t] > 0.0) busy[index(problem_.item[t])] = 1;
    store.want(
        distinct, [&](std::int32_t i) { return busy[index(i)] == 0; }, run_);

    const std::size_t n = set.size();
    std::vector<double> kernel(n * n), values(n), alpha(n), sign(n), bound(n);
    double most = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      const Real* row = store.row(items[i]);
      for (std::size_t j = 0; j < n; ++j) kernel[i * n + j] = static_cast<double>(row[items[j]]);
      const auto t = index(set[i]);
      values[i] = g(t);
      alpha[i] = solution_.alpha[t];
      sign[i] = problem_.sign[t];
      bound[i] = problem_.bound[t];
      most = std::max(most, kernel[i * n + i]);
    }
    SmallProblem small(std::move(kernel), std::move(values), std::move(alpha), std::move(sign),
                       std::move(bound));
    const std::int64_t steps_here = std::min<std::int64_t>(
        options_.max_steps - solution_.steps, 100 * static_cast<std::int64_t>(n) + 10'000);
    solution_.steps += small.solve(tolerance, steps_here);

    std::vector<std::pair<const Real*, double>> changes;
    for (std::size_t i = 0; i < n; ++i) {
      double& old = solution_.alpha[index(set[i])];
      const double change = problem_.sign[index(set[i])] * (small.alpha()[i] - old);
      old = small.alpha()[i];
      if (change != 0.0) changes.emplace_back(store.row(items[i]), change);
    }
    parallel_blocks(std::ssize(solution_.f), run_.thread_count(),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (const auto& [row, change] : changes)
                        add_multiple(end - begin, change, row + begin, solution_.f.data() + begin);
                    });
    solution_.unbounded = hulls_meet(most);
    return !changes.empty();
  }

  // Of a hard margin: w/S for S = ½ Σ α joins a point of either class's hull. Where these are as
  // near as this, α grows without end.
  bool hulls_meet(double longest) const {
    double sum = 0.0, square = 0.0;
    for (std::size_t t = 0; t < solution_.alpha.size(); ++t) {
      if (problem_.bound[t] < infinity) return false;
      sum += 0.5 * solution_.alpha[t];
      square += problem_.sign[t] * solution_.alpha[t] * solution_.f[index(problem_.item[t])];
    }
    return square < no_margin * longest * sum * sum;
  }

  // f from the items that count, by rows of doubles.
  void recompute() {
    constexpr std::size_t rows_at_once = 256;
    std::vector<double> weight(solution_.f.size(), 0.0);
    for (std::size_t t = 0; t < solution_.alpha.size(); ++t)
      weight[index(problem_.item[t])] += problem_.sign[t] * solution_.alpha[t];
    std::vector<std::int32_t> items;
    for (std::int32_t i = 0; i < std::ssize(weight); ++i)
      if (weight[index(i)] != 0.0) items.push_back(i);
    std::vector<double> f(weight.size(), 0.0), rows(rows_at_once * weight.size());
    for (std::size_t first = 0; first < items.size(); first += rows_at_once) {
      const auto some =
          std::span(items).subspan(first, std::min(rows_at_once, items.size() - first));
      std::vector<double*> to;
      for (std::size_t k = 0; k < some.size(); ++k) to.push_back(rows.data() + k * weight.size());
      problem_.gram->rows(some, to, run_);
      parallel_blocks(
          std::ssize(f), run_.thread_count(), [&](std::int64_t begin, std::int64_t end) {
            for (std::size_t k = 0; k < some.size(); ++k)
              add_multiple(end - begin, weight[index(some[k])], to[k] + begin, f.data() + begin);
          });
    }
    solution_.f = std::move(f);
  }

  // The last digits, where they make the answer better.
  void polish() {
    recompute();
    const double before = extremes().violation();
    // As many rows as a round holds at least.
    const double least = 16.0 * static_cast<double>(small_set * problem_.gram->size());
    auto last =
        polished(problem_, solution_.alpha, solution_.f, std::max(options_.memory, least), run_);
    if (!last) return;
    std::swap(solution_.alpha, last->alpha);
    std::swap(solution_.f, last->f);
    solution_.polished = extremes().violation() < before;
    if (solution_.polished) return;
    solution_.alpha = std::move(last->alpha);
    solution_.f = std::move(last->f);
  }

  void finish() {
    const Extremes e = extremes();
    solution_.violation = e.violation();
    double free_sum = 0.0, linear = 0.0, square = 0.0;
    std::int64_t free_count = 0;
    for (std::size_t t = 0; t < problem_.item.size(); ++t) {
      const double alpha = solution_.alpha[t];
      linear += problem_.linear[t] * alpha;
      square += problem_.sign[t] * alpha * solution_.f[index(problem_.item[t])];
      if (alpha > 0.0 && alpha < problem_.bound[t]) {
        free_sum += g(t);
        ++free_count;
      }
    }
    solution_.half_square = 0.5 * square;
    solution_.objective = 0.5 * square + linear;
    if (free_count > 0)
      solution_.bias = free_sum / static_cast<double>(free_count);
    else if (std::isfinite(e.up) && std::isfinite(e.down))
      solution_.bias = 0.5 * (e.up + e.down);
    else
      solution_.bias = std::isfinite(e.up) ? e.up : std::isfinite(e.down) ? e.down : 0.0;
  }

  const DualProblem& problem_;
  DualOptions options_;
  const RunContext& run_;
  DualSolution solution_;
};

}  // namespace

DualSolution solve_dual(const DualProblem& problem, const DualOptions& options,
                        const RunContext& run) {
  return DualSolver(problem, options, run).solve();
}

}  // namespace gssl::detail
