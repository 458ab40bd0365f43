#include "online/least_norm.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/index.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl::detail {
namespace {

// Two means that are to be equal may differ by this much of the larger, by rounding.
constexpr double same_mean = 1e-12;

struct ComponentMean {
  double sum = 0.0;   // of h
  double give = 0.0;  // Σx: how easily the mean is moved; 0: not at all
  double size = 0.0;  // vertices
  bool labeled = false;
};

// min_μ Σ_c (size μ − sum)²/give + μ²/b.
double cost_of_means(const std::vector<ComponentMean>& parts, double b) {
  double fixed = 0.0, weight = 0.0, weighted = 0.0;
  bool is_fixed = b == 0.0;
  for (const ComponentMean& part : parts) {
    if (!part.labeled || part.give > 0.0) continue;
    const double mean = part.sum / part.size;
    if (is_fixed && std::abs(mean - fixed) > same_mean * std::max(1.0, std::abs(mean)))
      return std::numeric_limits<double>::infinity();
    if (!is_fixed) fixed = mean;
    is_fixed = true;
  }
  double mu = fixed;
  if (!is_fixed) {
    weight = 1.0 / b;
    for (const ComponentMean& part : parts) {
      if (!part.labeled) continue;
      weight += part.size * part.size / part.give;
      weighted += part.size * part.sum / part.give;
    }
    mu = weighted / weight;
  }
  double cost = b > 0.0 ? mu * mu / b : 0.0;
  for (const ComponentMean& part : parts)
    if (part.labeled && part.give > 0.0)
      cost += (part.size * mu - part.sum) * (part.size * mu - part.sum) / part.give;
  return cost;
}

}  // namespace

std::vector<double> least_norms(const Graph& graph, const std::vector<VertexId>& labeled,
                                const Block& values, double b, const RunContext& run) {
  const Components components = connected_components(graph);
  const std::int64_t columns = values.columns();
  DirichletProblem problem = make_dirichlet_problem(graph, labeled);
  const Block given = problem.right_hand_side(values);
  const auto free = static_cast<std::int64_t>(problem.free_vertices.size());
  Block right(free, columns + 1), x(free, columns + 1);
  for (std::int64_t r = 0; r < free; ++r) {
    for (std::int64_t k = 0; k < columns; ++k) right(r, k) = given(r, k);
    right(r, columns) = 1.0;
  }
  if (free > 0) {
    SolverOptions options;
    options.tolerance = 1e-12;
    make_solver(problem.system, options, run)->solve(right, x, run);
  }
  Block h(graph.vertex_count(), columns);
  std::vector<double> give(index(graph.vertex_count()), 0.0);
  for (std::size_t i = 0; i < labeled.size(); ++i)
    for (std::int64_t k = 0; k < columns; ++k)
      h(labeled[i], k) = values(static_cast<std::int64_t>(i), k);
  for (std::int64_t r = 0; r < free; ++r) {
    for (std::int64_t k = 0; k < columns; ++k) h(problem.free_vertices[index(r)], k) = x(r, k);
    give[index(problem.free_vertices[index(r)])] = x(r, columns);
  }
  std::vector<double> norms;
  for (std::int64_t k = 0; k < columns; ++k) {
    std::vector<ComponentMean> parts(index(components.count));
    for (const VertexId v : labeled) parts[index(components.of[index(v)])].labeled = true;
    double energy = 0.0;
    for (VertexId v = 0; v < graph.vertex_count(); ++v) {
      ComponentMean& part = parts[index(components.of[index(v)])];
      part.sum += h(v, k);
      part.give += give[index(v)];
      part.size += 1.0;
      graph.visit_row(v, [&](VertexId u, double weight) {
        if (v < u) energy += weight * (h(u, k) - h(v, k)) * (h(u, k) - h(v, k));
      });
    }
    norms.push_back(energy + cost_of_means(parts, b));
  }
  return norms;
}

}  // namespace gssl::detail
