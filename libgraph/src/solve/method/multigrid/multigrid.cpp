#include "multigrid.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "multigrid_aggregation.hpp"
#include "multigrid_coarsening.hpp"
#include "multigrid_cycle.hpp"

namespace gssl::solve {
namespace {

constexpr double least_diagonal = 1e-25, most_diagonal = 1e25;
// Weights within this factor count as nearly equal.
constexpr double most_contrast = 16.0;
constexpr std::size_t weight_sample = 10'000;
// Additions per entry of the finest matrix that one coarse system may take: 20 on a 2-D grid, 50 on
// a 3-D one.
constexpr double most_work = 100.0;
// A level that keeps more than this part of the vertices is no progress.
constexpr double most_kept = 0.8;
// A second visit must not make the next level dearer than this one.
constexpr double most_repeated = 0.45;
// Rows of the system that is inverted. Visited often in the second case, hence smaller.
constexpr VertexId coarsest_smoothed = 300, coarsest_constant = 100;
// Keeps the eigenvalues of M A below 2.
constexpr double most_step = 1.95;

// All but a few of the lightest and of the heaviest, as a sample tells.
bool nearly_equal_weights(const Graph& graph) {
  if (graph.has_unit_weights()) return true;
  const std::span<const double> all = graph.weight_array();
  std::vector<double> sample;
  for (std::size_t e = 0; e < all.size(); e += 1 + all.size() / weight_sample)
    sample.push_back(all[e]);
  const std::size_t outliers = sample.size() / 50;
  std::ranges::sort(sample);
  return sample.empty() || sample[sample.size() - 1 - outliers] <= most_contrast * sample[outliers];
}

bool in_range(std::span<const double> diagonal) {
  return std::ranges::all_of(diagonal,
                             [](double d) { return d >= least_diagonal && d <= most_diagonal; });
}

// M: row by row the damping that makes I − M A least in the Frobenius norm (Bröker and Grote 2002,
// doi:10.1016/S0168-9274(01)00110-6), within what Gershgorin's circles allow.
std::vector<double> jacobi_steps(const MultigridMatrix& a, int threads) {
  std::vector<double> step(index(a.size));
  parallel_blocks(a.size, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const double d = a.diagonal[index(v)];
      double squares = 1.0, sum = 1.0;
      for (EdgeIndex e = a.begin(v); e < a.end(v); ++e) {
        const double ratio = a.weight(e) / d;
        squares += ratio * ratio;
        sum += std::abs(ratio);
      }
      step[index(v)] = std::min(1.0 / squares, most_step / sum) / d;
    }
  });
  return step;
}

// The level as the cycle uses it. Consumes the rows of `a` and the transfers.
MultigridLevel make_level(MultigridMatrix& a, Coarsening& c, const std::vector<double>& step,
                          const std::vector<double>& coarse_step, int threads) {
  MultigridLevel l;
  l.size = a.size;
  l.own.resize(step.size());
  const bool unit = a.rows.value.empty();
  if (unit) l.step.assign(step.begin(), step.end());
  l.coupling = std::move(a.rows);
  l.offset = a.offset.data();
  l.column = a.column.data();
  parallel_blocks(a.size, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t v = begin; v < end; ++v) {
      const double m = step[index(v)];
      l.own[index(v)] = static_cast<float>(1.0 - m * a.diagonal[index(v)]);
      if (unit) continue;
      for (EdgeIndex e = l.offset[v]; e < l.offset[v + 1]; ++e) {
        float& value = l.coupling.value[index(e)];
        value = static_cast<float>(m * static_cast<double>(value));
      }
    }
  });
  l.interpolation = std::move(c.interpolation);
  l.restriction = std::move(c.restriction);
  parallel_blocks(c.coarse.size, threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t k = begin; k < end; ++k)
      for (EdgeIndex q = l.restriction.begin(k); q < l.restriction.end(k); ++q) {
        float& value = l.restriction.value[index(q)];
        value = static_cast<float>(static_cast<double>(value) * coarse_step[index(k)] /
                                   step[index(l.restriction.column[index(q)])]);
      }
  });
  return l;
}

// A⁻¹M⁻¹ row after row, by Gauss–Jordan elimination in place, or nothing where A is not positive
// definite. The steps of the sweep fix the bytes, which a library's own threads would not.
std::optional<std::vector<double>> invert(const MultigridMatrix& a,
                                          const std::vector<double>& step) {
  const std::size_t n = index(a.size);
  std::vector<double> x(n * n, 0.0);
  for (VertexId v = 0; v < a.size; ++v) {
    x[index(v) * (n + 1)] = a.diagonal[index(v)];
    for (EdgeIndex e = a.begin(v); e < a.end(v); ++e)
      x[index(v) * n + index(a.neighbor(e))] = -a.weight(e);
  }
  for (std::size_t k = 0; k < n; ++k) {
    double* pivot_row = x.data() + k * n;
    const double pivot = std::exchange(pivot_row[k], 1.0);
    if (!(pivot > 0.0)) return std::nullopt;
    for (std::size_t j = 0; j < n; ++j) pivot_row[j] /= pivot;
    for (std::size_t i = 0; i < n; ++i) {
      double* row = x.data() + i * n;
      if (i == k || row[k] == 0.0) continue;
      const double factor = std::exchange(row[k], 0.0);
      for (std::size_t j = 0; j < n; ++j) row[j] -= factor * pivot_row[j];
    }
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double mean = 0.5 * (x[i * n + j] + x[j * n + i]);
      x[i * n + j] = mean / step[j];
      x[j * n + i] = mean / step[i];
    }
  return x;
}

}  // namespace

std::unique_ptr<Preconditioner> make_multigrid(const GroundedLaplacian& system, int threads,
                                               const RunContext& run) {
  if (!in_range(system.diagonal())) return nullptr;
  const bool smoothed = nearly_equal_weights(system.graph());
  MultigridMatrix a = finest_matrix(system);
  std::vector<double> step = jacobi_steps(a, threads);
  std::vector<float> finest_step;
  const double budget = most_work * static_cast<double>(a.entries() + a.size);
  std::vector<MultigridLevel> levels;
  while (a.size > (smoothed ? coarsest_smoothed : coarsest_constant)) {
    Aggregates aggregates = smoothed ? aggregate_neighborhoods(a) : aggregate_heaviest(a);
    if (aggregates.count > most_kept * a.size) return nullptr;
    std::optional<Coarsening> c;
    if (smoothed) {
      c = smoothed_coarsening(a, std::move(aggregates), step, budget, threads, run);
    } else {
      c = constant_coarsening(a, aggregates, threads, run);
    }
    if (run.should_stop() || !c || !in_range(c->coarse.diagonal)) return nullptr;
    std::vector<double> coarse_step = jacobi_steps(c->coarse, threads);
    const bool again = !smoothed && !levels.empty() &&
                       static_cast<double>(c->coarse.entries()) <=
                           most_repeated * static_cast<double>(a.entries());
    if (levels.empty() && !a.rows.value.empty()) finest_step.assign(step.begin(), step.end());
    levels.push_back(make_level(a, *c, step, coarse_step, threads));
    levels.back().visits_twice = again;
    a = std::move(c->coarse);
    step = std::move(coarse_step);
  }
  if (levels.empty()) finest_step.assign(step.begin(), step.end());
  std::optional<std::vector<double>> coarsest = invert(a, step);
  if (!coarsest) return nullptr;
  return make_multigrid_cycle(system.shared_graph(), std::move(finest_step), std::move(levels),
                              *std::move(coarsest));
}

}  // namespace gssl::solve
