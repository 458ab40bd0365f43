#include "projections.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "resistance_solves.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t line = 8;  // doubles that share a cache line
// The error of the solves should be a small part of ε; the residual it takes is smaller still.
constexpr double solve_share = 0.1;
constexpr double residual_share = 0.1;

// Root of an increasing function on (low, high), from above.
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

double solve_tolerance(const Graph& graph, double epsilon) {
  const double n = std::max<double>(graph.vertex_count(), 1.0);
  return std::min(1e-3, solve_share * residual_share * epsilon / std::sqrt(n));
}

}  // namespace

Projections::Projections(const Graph& graph, double epsilon, double bytes, const RunContext& run)
    : graph_(graph),
      group_(fitting_group(
          graph, {.tolerance = solve_tolerance(graph, epsilon), .columns = 8 * group_width},
          bytes + 8.0 * static_cast<double>(graph.vertex_count() * group_width), run)),
      solver_(make_solver(GroundedLaplacian(std::make_shared<const Graph>(graph), {}),
                          group_.options, group_.run)) {}

Block Projections::next_group(Report& report) {
  Block z = random_columns();
  for (std::int64_t first = 0; first < group_width; first += group_.width)
    if (!solve_part(z, first, group_.width, report)) return {};
  columns_ += group_width;
  return z;
}

bool Projections::solve_part(Block& columns, std::int64_t first, std::int64_t width,
                             Report& report) {
  Block b(columns.rows(), width), z;
  for (std::int64_t i = 0; i < b.rows(); ++i)
    for (std::int64_t j = 0; j < width; ++j) b(i, j) = columns(i, first + j);
  const SolveReport solved = solver_->solve(b, z, group_.run);
  if (group_.run.should_stop()) return false;
  merge(report, solved);
  const double error = solved.error_estimate.value_or(1.0);
  for (std::int64_t i = 0; i < b.rows(); ++i) {
    for (std::int64_t j = 0; j < width; ++j) {
      lost_energy_ += error * error * b(i, j) * z(i, j);
      columns(i, first + j) = z(i, j);
    }
  }
  return true;
}

double Projections::solve_error() const {
  return std::sqrt(lost_energy_ / static_cast<double>(columns_));
}

// BᵀW^½q, a random stream for each column.
Block Projections::random_columns() const {
  Block b(graph_.vertex_count(), group_width);
  parallel_blocks(
      group_width, group_.run.thread_count(),
      [&](std::int64_t first, std::int64_t last) {
        std::vector<Rng> rng;
        for (std::int64_t j = first; j < last; ++j)
          rng.push_back(group_.run.rng(static_cast<std::uint64_t>(columns_ + j)));
        for (VertexId u = 0; u < graph_.vertex_count(); ++u) {
          graph_.visit_row(u, [&](VertexId v, double w) {
            if (v < u) return;
            const double root = std::sqrt(w);
            for (std::int64_t j = first; j < last; ++j) {
              const double current = root * rng[index(j - first)].normal();
              b(u, j) += current;
              b(v, j) -= current;
            }
          });
        }
      },
      line);
  return b;
}

ProjectionInterval projection_interval(double columns, double count, double probability,
                                       double solve_error) {
  const double j = columns / static_cast<double>(Projections::group_width);
  const auto [below, above] = chi_square_deviation(columns, tail_exponent(count, probability, j));
  const double more = (1.0 + solve_error) * (1.0 + solve_error);
  const double less = (1.0 - solve_error) * (1.0 - solve_error);
  return {1.0 / ((1.0 + above) * more), solve_error < 1.0
                                            ? 1.0 / ((1.0 - below) * less)
                                            : std::numeric_limits<double>::infinity()};
}

}  // namespace gssl::detail
