#include "network/resistance_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <numeric>

#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "network/resistance_solves.hpp"
#include "network/short_walks.hpp"
#include "transductive/fit_support.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t group_width = 16;
constexpr std::int64_t line = 8;  // doubles that share a cache line
// The error of the solves should be a small part of ε; the residual it takes is smaller still.
constexpr double solve_share = 0.1;
constexpr double residual_share = 0.1;
// Values that are solved for need no more than a small part of ε either, and their errors are
// bounded. Such a solve takes about as long as a column of a sketch.
constexpr double exact_share = 1e-4;
constexpr double solves_per_column = 1.2;

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

// Root of an increasing function on (low, high).
template <class Function>
double bisect(double low, double high, Function&& f) {
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (f(middle) < 0.0 ? low : high) = middle;
  }
  return high;
}

// χ²_k/k is outside [1 − below, 1 + above] with probability at most 2·exp(−x) (Chernoff).
struct Deviation {
  double below, above;
};
Deviation chi_square_deviation(double k, double x) {
  const double rate = 2.0 * x / k;
  return {bisect(0.0, 1.0, [&](double e) { return -e - std::log1p(-e) - rate; }),
          bisect(0.0, 2.0 * rate + 2.0 * std::sqrt(rate) + 1.0,
                 [&](double e) { return e - std::log1p(e) - rate; })};
}

// −ln of the chance that one tail of one of `count` values may have at checkpoint j; over all j
// these add up to `probability`.
double tail_exponent(double count, double probability, double j) {
  return std::log(2.0 * count * j * j * std::numbers::pi * std::numbers::pi / 6.0 / probability);
}

// The sum of squares of the projections so far, for each value.
class Projections {
 public:
  // add(y, squares) adds those of one group of averaged columns.
  using Add = std::function<void(const Block& y, std::vector<double>& squares)>;

  Projections(const Graph& graph, int steps, const ResistanceOptions& options,
              const RunContext& run, std::size_t count, Add add)
      : graph_(graph),
        steps_(steps),
        run_(run),
        add_(std::move(add)),
        squares_(count, 0.0),
        solver_(make_solver(
            GroundedLaplacian(borrow(graph), {}),
            {.tolerance = solve_tolerance(graph, options), .columns = 8 * group_width}, run)) {}

  // False if the run was stopped on the way: nothing is added then.
  bool add_group(SolveReport& report) {
    const Block b = random_columns();
    Block z;
    const SolveReport solved = solver_->solve(b, z, run_);
    if (run_.should_stop()) return false;
    merge_solve_report(report, solved);
    const double error = solved.error_estimate.value_or(1.0);
    for (std::int64_t i = 0; i < b.rows(); ++i)
      for (std::int64_t j = 0; j < group_width; ++j)
        lost_energy_ += error * error * b(i, j) * z(i, j);
    add_(average_neighbors(graph_, std::move(z), steps_, run_.thread_count()), squares_);
    columns_ += group_width;
    return true;
  }

  std::int64_t columns() const { return columns_; }
  double estimate(std::size_t i) const { return squares_[i] / static_cast<double>(columns_); }
  // √(Σ‖error of z‖²_L / k): a projection is off by at most this, relative.
  double solve_error() const { return std::sqrt(lost_energy_ / static_cast<double>(columns_)); }

 private:
  static double solve_tolerance(const Graph& graph, const ResistanceOptions& options) {
    const double n = std::max<double>(graph.vertex_count(), 1.0);
    return std::min(1e-3, solve_share * residual_share * options.epsilon / std::sqrt(n));
  }

  // BᵀW^½q, a random stream for each column.
  Block random_columns() const {
    Block b(graph_.vertex_count(), group_width);
    parallel_blocks(
        group_width, run_.thread_count(),
        [&](std::int64_t first, std::int64_t last) {
          std::vector<Rng> rng;
          for (std::int64_t j = first; j < last; ++j)
            rng.push_back(run_.rng(static_cast<std::uint64_t>(columns_ + j)));
          for (VertexId u = 0; u < graph_.vertex_count(); ++u) {
            graph_.visit_row(u, [&](VertexId v, double w) {
              if (v < u) return;
              const double root = std::sqrt(w);
              for (std::int64_t j = first; j < last; ++j) {
                const double current = root * rng[at(j - first)].normal();
                b(u, j) += current;
                b(v, j) -= current;
              }
            });
          }
        },
        line);
    return b;
  }

  const Graph& graph_;
  int steps_;
  const RunContext& run_;
  Add add_;
  std::vector<double> squares_;
  std::unique_ptr<LinearSolver> solver_;
  std::int64_t columns_ = 0;
  double lost_energy_ = 0.0;
};

// The interval that holds the projected part of a value, as factors of its estimate.
struct Interval {
  double low, high;
};

Interval interval_at(const Projections& sketch, double count, double probability) {
  const auto k = static_cast<double>(sketch.columns());
  const auto [below, above] =
      chi_square_deviation(k, tail_exponent(count, probability, k / group_width));
  const double error = sketch.solve_error();
  const double low = 1.0 / ((1.0 + above) * (1.0 + error) * (1.0 + error));
  return {low, error < 1.0 ? 1.0 / ((1.0 - below) * (1.0 - error) * (1.0 - error))
                           : std::numeric_limits<double>::infinity()};
}

// Bound of the error of local + estimate, and that relative to the least the value can be.
double absolute_bound(double estimate, const Interval& interval) {
  return estimate * std::max(interval.high - 1.0, 1.0 - interval.low);
}
double relative_bound(double local, double estimate, const Interval& interval) {
  return absolute_bound(estimate, interval) / (local + interval.low * estimate);
}

// Columns after which a value with this share in the projected part would be within ε.
double columns_needed(double share, double count, const ResistanceOptions& options) {
  return bisect(1.0, 1e9, [&](double k) {
    const auto [below, above] =
        chi_square_deviation(k, tail_exponent(count, options.failure_probability, k / group_width));
    const Interval interval{1.0 / (1.0 + above), 1.0 / (1.0 - below)};
    return options.epsilon - relative_bound(1.0 - share, share, interval);
  });
}

struct Violations {
  std::vector<std::size_t> values;
  double worst_share = 0.0;
};

Violations find_violations(const Projections& sketch, const std::vector<double>& local,
                           const Interval& interval, double epsilon) {
  Violations found;
  for (std::size_t i = 0; i < local.size(); ++i) {
    const double estimate = sketch.estimate(i);
    if (estimate == 0.0 || relative_bound(local[i], estimate, interval) <= epsilon) continue;
    found.values.push_back(i);
    found.worst_share = std::max(found.worst_share, estimate / (local[i] + estimate));
  }
  return found;
}

// Solves for some of the values to a tolerance.
using ExactSolve =
    std::function<void(const std::vector<std::size_t>&, double tolerance, ResistanceAnswer&)>;

// Puts the solved values into the answer; returns those whose bound is above ε.
std::vector<std::size_t> solve_values(const std::vector<std::size_t>& values, double tolerance,
                                      double epsilon, const ExactSolve& exactly,
                                      const RunContext& run, ResistanceAnswer& answer,
                                      std::vector<double>& relative) {
  ResistanceAnswer exact;
  exactly(values, tolerance, exact);
  merge_solve_report(answer.report.solver, exact.report.solver);
  answer.report.solve_seconds += exact.report.solve_seconds;
  std::vector<std::size_t> missed;
  for (std::size_t i = 0; i < values.size() && !run.should_stop(); ++i) {
    const std::size_t value = values[i];
    answer.values[value] = exact.values[i];
    answer.error_bound[value] = exact.error_bound[i];
    relative[value] = exact.error_bound[i] / exact.values[i];
    if (!(relative[value] <= epsilon)) missed.push_back(value);
  }
  return missed;
}

// Adds columns until all values are within ε or few enough are left to solve for them exactly.
void project(Projections& sketch, const std::vector<double>& local,
             const ResistanceOptions& options, const RunContext& run, const ExactSolve& exactly,
             ResistanceAnswer& answer) {
  const Stopwatch watch;
  Report& report = answer.report;
  const auto count = static_cast<double>(local.size());
  Interval interval{0.0, std::numeric_limits<double>::infinity()};
  Violations left;
  while (true) {
    if (!sketch.add_group(report.solver)) break;
    interval = interval_at(sketch, count, options.failure_probability);
    left = find_violations(sketch, local, interval, options.epsilon);
    if (left.values.empty()) break;
    const double needed = columns_needed(left.worst_share, count, options);
    run.report_progress("projections", static_cast<double>(sketch.columns()) / needed);
    if (solves_per_column * static_cast<double>(left.values.size()) <
        needed - static_cast<double>(sketch.columns()))
      break;
  }
  report.solve_seconds += watch.seconds();
  if (sketch.columns() == 0) return;
  answer.values.resize(local.size());
  answer.error_bound.resize(local.size());
  std::vector<double> relative(local.size(), 0.0);
  for (std::size_t i = 0; i < local.size(); ++i) {
    const double estimate = sketch.estimate(i);
    answer.values[i] = local[i] + estimate;
    answer.error_bound[i] = absolute_bound(estimate, interval);
    if (estimate > 0.0) relative[i] = relative_bound(local[i], estimate, interval);
  }
  if (!left.values.empty() && !run.should_stop()) {
    const double loose = std::max(options.tolerance, exact_share * options.epsilon);
    const std::vector<std::size_t> missed =
        solve_values(left.values, loose, options.epsilon, exactly, run, answer, relative);
    if (!missed.empty() && options.tolerance < loose)
      solve_values(missed, options.tolerance, options.epsilon, exactly, run, answer, relative);
    report.certificates.push_back({"solved_exactly", {static_cast<double>(left.values.size())}});
  }
  const auto worst = std::ranges::max_element(relative);
  report.certificates.push_back({"relative_error_bound", {worst == relative.end() ? 0.0 : *worst}});
  report.certificates.push_back({"failure_probability", {options.failure_probability}});
  report.certificates.push_back({"projections", {static_cast<double>(sketch.columns())}});
  report.certificates.push_back({"solve_error", {sketch.solve_error()}});
}

}  // namespace

void sketch_pairs(const Graph& graph, const Components& components,
                  const std::vector<VertexPair>& pairs, const ResistanceOptions& options,
                  const RunContext& run, ResistanceAnswer& answer) {
  const Stopwatch setup;
  const int steps = worthwhile_steps(graph);
  std::vector<double> local = short_walk_resistance(graph, pairs, steps, run);
  const std::vector<VertexId> parent = pendant_parents(graph);
  std::vector<char> known(pairs.size(), 0);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [u, v] = pairs[i];
    if (parent[at(u)] != v && parent[at(v)] != u) continue;
    known[i] = 1;
    local[i] = 1.0 / graph.weight(u, v);
  }
  const auto add = [&](const Block& y, std::vector<double>& squares) {
    parallel_blocks(static_cast<std::int64_t>(pairs.size()), run.thread_count(),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i) {
                        if (known[at(i)] != 0) continue;
                        const auto one = y.row(pairs[at(i)].u), other = y.row(pairs[at(i)].v);
                        double sum = 0.0;
                        for (std::size_t j = 0; j < one.size(); ++j)
                          sum += (one[j] - other[j]) * (one[j] - other[j]);
                        squares[at(i)] += sum;
                      }
                    });
  };
  Projections sketch(graph, steps, options, run, pairs.size(), add);
  answer.report.setup_seconds += setup.seconds();
  const auto exactly = [&](const std::vector<std::size_t>& values, double tolerance,
                           ResistanceAnswer& exact) {
    std::vector<VertexPair> rest;
    rest.reserve(values.size());
    for (const std::size_t i : values) rest.push_back(pairs[i]);
    solve_pairs(graph, components, rest, tolerance, run, exact);
  };
  project(sketch, local, options, run, exactly, answer);
}

void sketch_diagonal(const Graph& graph, const Components& components,
                     const ResistanceOptions& options, const RunContext& run,
                     ResistanceAnswer& answer) {
  const Stopwatch setup;
  const int steps = worthwhile_steps(graph);
  const std::vector<double> local = short_walk_diagonal(graph, components, steps, run);
  Projections sketch(graph, steps, options, run, local.size(),
                     [&](const Block& y, std::vector<double>& squares) {
                       Block mean(components.count, y.columns());
                       for (std::int64_t v = 0; v < y.rows(); ++v) {
                         const VertexId k = components.of[at(v)];
                         for (std::int64_t j = 0; j < y.columns(); ++j)
                           mean(k, j) += y(v, j) / components.sizes[at(k)];
                       }
                       for (std::int64_t v = 0; v < y.rows(); ++v) {
                         for (std::int64_t j = 0; j < y.columns(); ++j) {
                           const double value = y(v, j) - mean(components.of[at(v)], j);
                           squares[at(v)] += value * value;
                         }
                       }
                     });
  answer.report.setup_seconds += setup.seconds();
  const auto exactly = [&](const std::vector<std::size_t>& values, double tolerance,
                           ResistanceAnswer& exact) {
    solve_diagonal(graph, components, {values.begin(), values.end()}, tolerance, run, exact);
  };
  project(sketch, local, options, run, exactly, answer);
}

}  // namespace gssl::detail
