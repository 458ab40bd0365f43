#include "resistance_solves.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "gssl/core/index.hpp"
#include "gssl/core/stopwatch.hpp"
#include "gssl/graph/spanning_tree.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "solve_group.hpp"

namespace gssl::detail {
namespace {

constexpr double bytes_of_forest = 16.0;  // in a Forest

// The strongest spanning forest, parents before children.
struct Forest {
  std::vector<VertexId> order;
  std::vector<VertexId> parent;
  std::vector<double> weight;  // of the edge to the parent
};

Forest strongest_forest(const Graph& graph) {
  const Graph tree = minimum_spanning_forest(graph, EdgeLength::inverse);
  const std::size_t n = index(graph.vertex_count());
  Forest forest{{}, std::vector<VertexId>(n, no_vertex), std::vector<double>(n, 0.0)};
  forest.order.reserve(n);
  std::vector<char> seen(n, 0);
  for (VertexId root = 0; root < graph.vertex_count(); ++root) {
    if (seen[index(root)] != 0) continue;
    seen[index(root)] = 1;
    forest.order.push_back(root);
    for (std::size_t head = forest.order.size() - 1; head < forest.order.size(); ++head) {
      const VertexId v = forest.order[head];
      tree.visit_row(v, [&](VertexId u, double w) {
        if (seen[index(u)] != 0) return;
        seen[index(u)] = 1;
        forest.parent[index(u)] = v;
        forest.weight[index(u)] = w;
        forest.order.push_back(u);
      });
    }
  }
  return forest;
}

// ρ of each column; r is spent.
std::vector<double> carried_norms(const Forest& forest, Block& r) {
  std::vector<double> energy(index(r.columns()), 0.0);
  for (auto v = forest.order.rbegin(); v != forest.order.rend(); ++v) {
    const VertexId p = forest.parent[index(*v)];
    if (p == no_vertex) continue;
    const std::span<const double> below = r.row(*v);
    const std::span<double> above = r.row(p);
    for (std::size_t j = 0; j < below.size(); ++j) {
      energy[j] += below[j] * below[j] / forest.weight[index(*v)];
      above[j] += below[j];
    }
  }
  for (double& e : energy) e = std::sqrt(e);
  return energy;
}

std::vector<VertexId> distinct_ends(const std::vector<VertexPair>& pairs) {
  std::vector<VertexId> ends;
  ends.reserve(2 * pairs.size());
  for (const VertexPair& pair : pairs) ends.insert(ends.end(), {pair.u, pair.v});
  std::ranges::sort(ends);
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

// Solves the columns that `fill(column, b, j)` puts into b, a group at a time, and hands
// use(column, x, j, ρ) each solution.
template <class Fill, class Use>
void solve_groups(const Graph& graph, std::int64_t columns, double tolerance, const RunContext& run,
                  Report& report, Fill&& fill, Use&& use) {
  const Stopwatch setup;
  const auto system = std::make_shared<const GroundedLaplacian>(
      std::make_shared<const Graph>(graph), std::vector<double>());
  const Forest forest = strongest_forest(graph);
  const SolveGroup group =
      fitting_group(graph, {.tolerance = tolerance, .columns = columns},
                    bytes_of_forest * static_cast<double>(graph.vertex_count()), run);
  const auto solver = make_solver(system, group.options, group.run);
  report.setup_seconds += setup.seconds();
  const Stopwatch solving;
  Block x, r;
  for (std::int64_t first = 0; first < columns; first += group.width) {
    const std::int64_t width = std::min(group.width, columns - first);
    Block b(graph.vertex_count(), width);
    for (std::int64_t j = 0; j < width; ++j) fill(first + j, b, j);
    merge(report, solver->solve(b, x, group.run));
    if (run.should_stop()) break;
    system->apply(x, r, run.thread_count());
    for (std::int64_t v = 0; v < r.rows(); ++v)
      for (std::int64_t j = 0; j < width; ++j) r(v, j) = b(v, j) - r(v, j);
    std::vector<double> energy(index(width), 0.0);  // bᵀx + xᵀr
    for (std::int64_t v = 0; v < r.rows(); ++v)
      for (std::int64_t j = 0; j < width; ++j) energy[index(j)] += x(v, j) * (b(v, j) + r(v, j));
    const std::vector<double> rho = carried_norms(forest, r);
    for (std::int64_t j = 0; j < width; ++j) use(first + j, x, j, energy[index(j)], rho[index(j)]);
    run.report_progress("pairs", static_cast<double>(first + width) / static_cast<double>(columns));
  }
  report.solve_seconds += solving.seconds();
}

// Column j of b becomes e_v − 1/n on the component of v, which has n vertices.
void put_centered(const Components& components, VertexId v, Block& b, std::int64_t j) {
  const VertexId component = components.of[index(v)];
  const double share = 1.0 / components.sizes[index(component)];
  for (std::int64_t u = 0; u < b.rows(); ++u)
    if (components.of[index(u)] == component) b(u, j) = -share;
  b(v, j) += 1.0;
}

// One column for each pair: 2bᵀx − xᵀLx is below r by the square of the error.
void solve_each_pair(const Graph& graph, const std::vector<VertexPair>& pairs, double tolerance,
                     const RunContext& run, ResistanceAnswer& answer) {
  solve_groups(
      graph, static_cast<std::int64_t>(pairs.size()), tolerance, run, answer.report,
      [&](std::int64_t i, Block& b, std::int64_t j) {
        b(pairs[index(i)].u, j) = 1.0;
        b(pairs[index(i)].v, j) = -1.0;
      },
      [&](std::int64_t i, const Block&, std::int64_t, double energy, double rho) {
        answer.values[index(i)] = energy;
        answer.error_bound[index(i)] = rho * rho;
      });
}

// One centered column for each end, and a difference of two for each pair.
void solve_each_end(const Graph& graph, const Components& components,
                    const std::vector<VertexPair>& pairs, const std::vector<VertexId>& ends,
                    double tolerance, const RunContext& run, ResistanceAnswer& answer) {
  std::vector<std::vector<std::size_t>> pairs_of(ends.size());
  const auto end_of = [&](VertexId v) {
    return index(std::ranges::lower_bound(ends, v) - ends.begin());
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs_of[end_of(pairs[i].u)].push_back(i);
    pairs_of[end_of(pairs[i].v)].push_back(i);
  }
  solve_groups(
      graph, static_cast<std::int64_t>(ends.size()), tolerance, run, answer.report,
      [&](std::int64_t i, Block& b, std::int64_t j) {
        put_centered(components, ends[index(i)], b, j);
      },
      [&](std::int64_t i, const Block& x, std::int64_t j, double, double rho) {
        for (const std::size_t p : pairs_of[index(i)]) {
          const double drop = x(pairs[p].u, j) - x(pairs[p].v, j);
          answer.values[p] += pairs[p].u == ends[index(i)] ? drop : -drop;
          answer.error_bound[p] += rho;
        }
      });
  for (std::size_t p = 0; p < pairs.size(); ++p)
    answer.error_bound[p] *= std::sqrt(std::max(answer.values[p], 0.0));
}

}  // namespace

void solve_diagonal(const Graph& graph, const Components& components,
                    const std::vector<VertexId>& vertices, double tolerance, const RunContext& run,
                    ResistanceAnswer& answer) {
  answer.values.assign(vertices.size(), 0.0);
  answer.error_bound.assign(vertices.size(), 0.0);
  solve_groups(
      graph, static_cast<std::int64_t>(vertices.size()), tolerance, run, answer.report,
      [&](std::int64_t i, Block& b, std::int64_t j) {
        put_centered(components, vertices[index(i)], b, j);
      },
      [&](std::int64_t i, const Block&, std::int64_t, double energy, double rho) {
        answer.values[index(i)] = energy;
        answer.error_bound[index(i)] = rho * rho;
      });
}

std::int64_t solve_columns(const std::vector<VertexPair>& pairs) {
  return static_cast<std::int64_t>(std::min(pairs.size(), distinct_ends(pairs).size()));
}

void solve_pairs(const Graph& graph, const Components& components,
                 const std::vector<VertexPair>& pairs, double tolerance, const RunContext& run,
                 ResistanceAnswer& answer) {
  answer.values.assign(pairs.size(), 0.0);
  answer.error_bound.assign(pairs.size(), 0.0);
  const std::vector<VertexId> ends = distinct_ends(pairs);
  if (ends.size() < pairs.size())
    solve_each_end(graph, components, pairs, ends, tolerance, run, answer);
  else
    solve_each_pair(graph, pairs, tolerance, run, answer);
}

}  // namespace gssl::detail
