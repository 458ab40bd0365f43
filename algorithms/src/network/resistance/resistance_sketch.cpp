#include "resistance_sketch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "gssl/solve/cost_model.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "projections.hpp"
#include "relaxation.hpp"
#include "resistance_solves.hpp"
#include "short_walks.hpp"
#include "solve_group.hpp"

namespace gssl::detail {
namespace {

// What a relaxation is to leave, beside half of what 64 columns can bound; it goes on to the next
// of these where the projections say that more is left than it takes for.
constexpr std::array finer{1.0, 0.125, 0.015625};
// Each value has an estimate by walks and one by each of these.
constexpr double estimates_per_value = 1.0 + finer.size();
// Values that are solved for need no more than a small part of ε either; their errors are bounded.
constexpr double exact_share = 1e-4;
// Projections are kept up to here for relaxations.
constexpr std::size_t kept_groups = 8;
constexpr auto group_columns = static_cast<double>(Projections::group_width);
constexpr double bounding_columns = 64.0;
constexpr double relaxed_part = 0.5;
// A relaxation reads no more than this, and on a small graph this part of it.
constexpr std::int64_t most_visits = 100'000;
constexpr std::int64_t visited_part = 16;
constexpr std::size_t trial_size = 64;
constexpr std::int64_t least_block = 256;

// Bytes of a value: its pair, its estimates, its place in the answer. Of a vertex: its degree, what
// a relaxation keeps, and a block that neighbors are averaged into.
constexpr double bytes_of_value = 96.0, bytes_of_vertex = 36.0 + 8.0 * group_columns;

// A sketch of `values` without the projections that are kept for relaxations.
double sketch_bytes(const Graph& graph, std::size_t values) {
  return bytes_of_value * static_cast<double>(values) +
         bytes_of_vertex * static_cast<double>(graph.vertex_count());
}

// Those projections.
double kept_bytes(const Graph& graph) {
  return 8.0 * group_columns * kept_groups * static_cast<double>(graph.vertex_count());
}

bool keeping_fits(const Graph& graph, std::size_t values, const RunContext& run) {
  return fits(run, sketch_bytes(graph, values) + kept_bytes(graph) +
                       group_bytes(graph, Projections::group_width));
}

// What is known of a value.
struct Bounds {
  double low, high;

  Bounds(double local, double estimate, const ProjectionInterval& interval)
      : low(local + interval.low * estimate), high(local + interval.high * estimate) {}

  // Some number is within ε of all between them.
  bool within(double epsilon) const { return low > 0.0 && high - low <= epsilon * (high + low); }
  // The one nearest to the estimate.
  double nearest(double estimate, double epsilon) const {
    return std::max((1.0 - epsilon) * high, std::min((1.0 + epsilon) * low, estimate));
  }
  double error(double value) const { return std::max(value - low, high - value); }
  double relative_error(double value) const {
    return std::max((value - low) / low, (high - value) / high);
  }
};

// Solves for some of the values to a tolerance.
using ExactSolve = std::function<void(const std::vector<std::size_t>&, double tolerance,
                                      const RunContext&, ResistanceAnswer&)>;

// Mean over each component.
Block component_means(const Components& components, const Block& y) {
  Block mean(components.count, y.columns());
  for (std::int64_t v = 0; v < y.rows(); ++v) {
    const VertexId k = components.of[index(v)];
    for (std::int64_t j = 0; j < y.columns(); ++j)
      mean(k, j) += y(v, j) / components.sizes[index(k)];
  }
  return mean;
}

struct Cost {
  double cost = 0.0;
  std::size_t settled = 0;
  Cost& operator+=(const Cost& other) {
    cost += other.cost;
    settled += other.settled;
    return *this;
  }
};

// bᵀL⁺b of several b: e_u − e_v, or e_u − 1/n over the component of u if v is no_vertex.
class Sketch {
 public:
  Sketch(const Graph& graph, const Components& components, const std::vector<VertexPair>& wanted,
         std::vector<double> local, int steps, const ResistanceOptions& options,
         const RunContext& run, ResistanceAnswer& answer)
      : graph_(graph),
        components_(components),
        wanted_(wanted),
        local_(std::move(local)),
        steps_(steps),
        options_(options),
        epsilon_(options.epsilon * (1.0 - 1e-9)),  // room for rounding
        run_(run),
        answer_(answer),
        degree_(weighted_degrees(graph, run.thread_count())),
        kept_most_(keeping_fits(graph, local_.size(), run) ? kept_groups : 0),
        projections_(
            graph, options.epsilon,
            sketch_bytes(graph, local_.size()) + (kept_most_ > 0 ? kept_bytes(graph) : 0.0), run),
        squares_(local_.size(), 0.0),
        settled_(local_.size(), 0),
        relative_(local_.size(), 0.0) {
    answer.values.assign(local_.size(), 0.0);
    answer.error_bound.assign(local_.size(), 0.0);
    spread_ = std::ranges::any_of(wanted, [](const VertexPair& b) { return b.v == no_vertex; });
    relaxed_share_ = relaxed_part * bounded_share(bounding_columns);
    most_visits_ = std::min(most_visits, 2 * graph.edge_count() / visited_part);
  }

  void know(std::size_t i, double value) {
    settled_[i] = 1;
    answer_.values[i] = value;
  }

  // Adds columns until all values are within ε or few enough are left to solve for them exactly.
  void run(const ExactSolve& exactly) {
    const Stopwatch watch;
    std::vector<std::size_t> left;
    while (add_group()) {
      left = find_left();
      if (!kept_.empty()) relax_where_it_pays(left);
      if (left.empty()) break;
      const Forecast rest = forecast(left);
      run_.report_progress("projections", columns() / (columns() + rest.more));
      if (rest.more == 0.0 && (kept_.empty() || rest.cost <= group_columns)) break;
    }
    kept_.clear();
    projections_.finish();
    answer_.report.solve_seconds += watch.seconds();
    if (!run_.should_stop()) {
      for (std::size_t i = 0; i < local_.size(); ++i)
        if (settled_[i] == 0) set(i, local_[i] + estimate(i), bounds(i));
      if (!left.empty()) solve_rest(left, exactly);
    }
    if (run_.should_stop()) {
      answer_.values.clear(), answer_.error_bound.clear();
      return;
    }
    add_certificates(left.size());
  }

 private:
  double columns() const { return static_cast<double>(projections_.columns()); }
  double estimate(std::size_t i) const { return squares_[i] / columns(); }
  Bounds bounds(std::size_t i) const { return {local_[i], estimate(i), interval_}; }

  ProjectionInterval interval_of(double columns, double solve_error) const {
    return projection_interval(columns, estimates_per_value * static_cast<double>(local_.size()),
                               options_.failure_probability, solve_error);
  }

  // False if the run was stopped: nothing is added then.
  bool add_group() {
    Block z = projections_.next_group(answer_.report);
    if (z.rows() == 0) return false;
    if (columns() == static_cast<double>(kept_.size() + 1) * group_columns &&
        kept_.size() < kept_most_) {
      kept_.push_back(z);
      if (spread_) kept_mean_.push_back(component_means(components_, z));
    } else {
      kept_.clear(), kept_mean_.clear();
    }
    const Block y = average_neighbors(graph_, std::move(z), steps_, run_.thread_count());
    const Block mean = spread_ ? component_means(components_, y) : Block();
    parallel_blocks(static_cast<std::int64_t>(wanted_.size()), run_.thread_count(),
                    [&](std::int64_t begin, std::int64_t end) {
                      for (std::int64_t i = begin; i < end; ++i)
                        if (settled_[index(i)] == 0)
                          squares_[index(i)] += square(wanted_[index(i)], y, mean);
                    });
    interval_ = interval_of(columns(), projections_.solve_error());
    return true;
  }

  double square(const VertexPair& b, const Block& y, const Block& mean) const {
    const auto one = y.row(b.u);
    const auto other = b.v == no_vertex ? mean.row(components_.of[index(b.u)]) : y.row(b.v);
    double sum = 0.0;
    for (std::size_t j = 0; j < one.size(); ++j) sum += (one[j] - other[j]) * (one[j] - other[j]);
    return sum;
  }

  std::vector<std::size_t> find_left() const {
    std::vector<std::size_t> left;
    for (std::size_t i = 0; i < local_.size(); ++i)
      if (settled_[i] == 0 && squares_[i] > 0.0 && !bounds(i).within(epsilon_)) left.push_back(i);
    return left;
  }

  // The largest part of a value that this many columns can bound.
  double bounded_share(double columns) const {
    const auto [low, high] = interval_of(columns, 0.0);
    return 2.0 * epsilon_ / (high - low - epsilon_ * (high + low - 2.0));
  }

  // What is still to be done if nothing is relaxed.
  struct Forecast {
    double cost;       // of more columns, and then solves for the rest, in columns
    double more;       // of these the columns
    double next_left;  // values that are not within ε after the next group
  };
  Forecast forecast(const std::vector<std::size_t>& left) const {
    const auto left_after = [&](double more) {
      const double share = bounded_share(columns() + more);
      return static_cast<double>(std::ranges::count_if(
          left, [&](std::size_t i) { return estimate(i) > share * (local_[i] + estimate(i)); }));
    };
    Forecast best{cost_.sketch_solve * static_cast<double>(left.size()), 0.0,
                  left_after(group_columns)};
    double rest = best.next_left;
    for (double more = group_columns; more < best.cost; more *= 2.0, rest = left_after(more)) {
      const double cost = more + cost_.sketch_solve * rest;
      if (cost < best.cost) best.cost = cost, best.more = more;
    }
    return best;
  }

  void set(std::size_t i, double estimate, const Bounds& b) {
    const double value = b.within(epsilon_) ? b.nearest(estimate, epsilon_) : estimate;
    answer_.values[i] = value;
    answer_.error_bound[i] = b.error(value);
    relative_[i] = b.low > 0.0 ? b.relative_error(value) : 0.0;
  }

  // Some are relaxed; all if these promise that it costs less than to go without, and if it would
  // not save more than a group of columns to wait for the fewer that are left then.
  void relax_where_it_pays(std::vector<std::size_t>& left) {
    if (left.empty()) return;
    std::vector<std::size_t> trial;
    const std::size_t stride = (left.size() + trial_size - 1) / trial_size;
    for (std::size_t i = 0; i < left.size(); i += stride) trial.push_back(left[i]);
    const Cost tried = relax(trial);
    const auto drop_settled = [&] {
      std::erase_if(left, [&](std::size_t i) { return settled_[i] != 0; });
    };
    drop_settled();
    if (tried.settled == 0 && columns() >= bounding_columns) kept_.clear();  // of no use here
    if (left.empty() || tried.settled == 0) return;
    const Forecast rest = forecast(left);
    const auto count = static_cast<double>(left.size());
    const auto of_column = static_cast<double>(2 * graph_.edge_count());
    const double cost = tried.cost / static_cast<double>(trial.size()) * count;
    const double useful = static_cast<double>(tried.settled) / static_cast<double>(trial.size());
    if (cost > useful * rest.cost * of_column ||
        cost * (1.0 - rest.next_left / count) > group_columns * of_column)
      return;
    relax(left);
    drop_settled();
  }

  // Settles those that are within ε by a relaxation and what the kept projections say of its rest.
  Cost relax(const std::vector<std::size_t>& values) {
    const auto count = static_cast<std::int64_t>(values.size());
    const Cost total = blocked_sum(
        count, run_.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          Cost cost;
          Relaxation relaxation(graph_, degree_);
          for (std::int64_t i = begin; i < end && !run_.should_stop(); ++i) {
            const std::size_t value = values[index(i)];
            const VertexPair& b = wanted_[value];
            relaxation.start(b);
            for (const double part : finer) {
              relaxation.reduce(part * relaxed_share_, most_visits_);
              const auto remainder = relaxation.remainder();
              cost.cost += cost_.relaxed_rest * columns() * static_cast<double>(remainder.size());
              double local = relaxation.energy();
              if (b.v == no_vertex)
                local -=
                    2.0 * relaxation.sum() / components_.sizes[index(components_.of[index(b.u)])];
              const double rest = squares_of(remainder, b) / columns();
              const Bounds found(local, rest, interval_);
              if (!found.within(epsilon_) && relaxation.visits() < most_visits_) continue;
              if (!found.within(epsilon_)) break;
              set(value, local + rest, found);
              settled_[value] = 1;
              ++cost.settled;
              break;
            }
            cost.cost += cost_.relaxed_entry * static_cast<double>(relaxation.visits());
          }
          return cost;
        },
        std::max(least_block, count / 32));
    relaxed_ += total.settled;
    return total;
  }

  // Σ over the kept columns of (zᵀc)², c what a relaxation left of b.
  double squares_of(const std::vector<std::pair<VertexId, double>>& remainder,
                    const VertexPair& b) const {
    double squares = 0.0;
    std::array<double, Projections::group_width> product{};
    for (std::size_t group = 0; group < kept_.size(); ++group) {
      product.fill(0.0);
      for (const auto& [v, c] : remainder) {
        const std::span<const double> z = kept_[group].row(v);
        for (std::size_t j = 0; j < product.size(); ++j) product[j] += c * z[j];
      }
      if (b.v == no_vertex) {
        const std::span<const double> mean = kept_mean_[group].row(components_.of[index(b.u)]);
        for (std::size_t j = 0; j < product.size(); ++j) product[j] -= mean[j];
      }
      for (const double p : product) squares += p * p;
    }
    return squares;
  }

  // To a small part of ε, and to the full tolerance where the bound is then above ε.
  void solve_rest(const std::vector<std::size_t>& left, const ExactSolve& exactly) {
    const double loose = std::max(options_.tolerance, exact_share * options_.epsilon);
    const std::vector<std::size_t> missed = solve_values(left, loose, exactly);
    if (!missed.empty() && options_.tolerance < loose)
      solve_values(missed, options_.tolerance, exactly);
  }

  // Returns those whose bound is above ε.
  std::vector<std::size_t> solve_values(const std::vector<std::size_t>& values, double tolerance,
                                        const ExactSolve& exactly) {
    ResistanceAnswer exact;
    exactly(values, tolerance, with_taken(run_, sketch_bytes(graph_, local_.size())), exact);
    merge(answer_.report, solve_report(exact.report));
    answer_.report.solve_seconds += exact.report.solve_seconds;
    std::vector<std::size_t> missed;
    for (std::size_t i = 0; i < values.size() && !run_.should_stop(); ++i) {
      const std::size_t value = values[i];
      answer_.values[value] = exact.values[i];
      answer_.error_bound[value] = exact.error_bound[i];
      relative_[value] = exact.error_bound[i] / exact.values[i];
      if (!(relative_[value] <= options_.epsilon)) missed.push_back(value);
    }
    return missed;
  }

  void add_certificates(std::size_t solved) {
    const auto add = [&](const char* name, double value) {
      answer_.report.certificates.push_back({name, {value}});
    };
    if (relaxed_ > 0) add("relaxed", static_cast<double>(relaxed_));
    if (solved > 0) add("solved_exactly", static_cast<double>(solved));
    const auto worst = std::ranges::max_element(relative_);
    add("relative_error_bound", worst == relative_.end() ? 0.0 : *worst);
    add("failure_probability", options_.failure_probability);
    add("projections", columns());
    add("solve_error", projections_.solve_error());
  }

  const Graph& graph_;
  const Components& components_;
  const std::vector<VertexPair>& wanted_;
  const std::vector<double> local_;
  const int steps_;
  const ResistanceOptions& options_;
  const double epsilon_;
  const CostModel& cost_ = cost_model();
  const RunContext& run_;
  ResistanceAnswer& answer_;
  const std::vector<double> degree_;
  const std::size_t kept_most_;
  Projections projections_;
  std::vector<double> squares_;   // of the projections of what the walks leave
  std::vector<char> settled_;     // has its place in the answer
  std::vector<double> relative_;  // bound of the relative error of those
  ProjectionInterval interval_{0.0, std::numeric_limits<double>::infinity()};
  std::vector<Block> kept_, kept_mean_;  // all columns, while they are few
  bool spread_ = false;
  double relaxed_share_ = 0.0;
  std::int64_t most_visits_ = 0;
  std::size_t relaxed_ = 0;
};

}  // namespace

void sketch_pairs(const Graph& graph, const Components& components,
                  const std::vector<VertexPair>& pairs, const ResistanceOptions& options,
                  const RunContext& run, ResistanceAnswer& answer) {
  const Stopwatch setup;
  const int steps = worthwhile_steps(graph);
  Sketch sketch(graph, components, pairs, short_walk_resistance(graph, pairs, steps, run), steps,
                options, run, answer);
  const std::vector<VertexId> parent = pendant_parents(graph);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto [u, v] = pairs[i];
    if (parent[index(u)] == v || parent[index(v)] == u) sketch.know(i, 1.0 / graph.weight(u, v));
  }
  answer.report.setup_seconds += setup.seconds();
  sketch.run([&](const std::vector<std::size_t>& values, double tolerance,
                 const RunContext& rest_run, ResistanceAnswer& exact) {
    std::vector<VertexPair> rest;
    rest.reserve(values.size());
    for (const std::size_t i : values) rest.push_back(pairs[i]);
    solve_pairs(graph, components, rest, tolerance, rest_run, exact);
  });
}

void sketch_diagonal(const Graph& graph, const Components& components,
                     const ResistanceOptions& options, const RunContext& run,
                     ResistanceAnswer& answer) {
  const Stopwatch setup;
  const int steps = worthwhile_steps(graph);
  std::vector<VertexPair> vertices;
  vertices.reserve(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId v = 0; v < graph.vertex_count(); ++v) vertices.push_back({v, no_vertex});
  Sketch sketch(graph, components, vertices, short_walk_diagonal(graph, components, steps, run),
                steps, options, run, answer);
  answer.report.setup_seconds += setup.seconds();
  sketch.run([&](const std::vector<std::size_t>& values, double tolerance,
                 const RunContext& rest_run, ResistanceAnswer& exact) {
    solve_diagonal(graph, components, {values.begin(), values.end()}, tolerance, rest_run, exact);
  });
}

}  // namespace gssl::detail
