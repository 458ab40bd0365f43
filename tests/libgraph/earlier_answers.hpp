#pragma once
// Systems whose earlier answers are corrected, and what a fresh solve makes of them.

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/solve/solve_from.hpp"

namespace gssl::test {

// A current into every vertex.
inline NetworkProblem fed_everywhere(const GroundedLaplacian& system, Block b) {
  NetworkProblem problem{
      .graph = system.graph(), .ground = system.ground(), .current = std::move(b)};
  for (VertexId v = 0; v < system.size(); ++v) problem.fed.push_back(v);
  return problem;
}

inline SolveFromReport solve_from(const std::shared_ptr<const GroundedLaplacian>& system,
                                  const SolveFromOptions& options, const Block& b, Block& x,
                                  const RunContext& run = {}) {
  return gssl::solve_from(fed_everywhere(*system, b), options, x, run);
}

// A grid with a vertex tied to earth in every `step`th place.
inline std::shared_ptr<const GroundedLaplacian> tied(const Graph& graph, std::size_t step) {
  std::vector<double> ground(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  for (std::size_t v = 0; v < ground.size(); v += step) ground[v] = 1.0;
  return std::make_shared<const GroundedLaplacian>(graph, std::move(ground));
}

inline Block at_ground(const GroundedLaplacian& system, std::int64_t columns) {
  Block b(system.size(), columns);
  Rng rng(3);
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::int64_t j = 0; j < columns; ++j)
      b(v, j) = system.ground()[static_cast<std::size_t>(v)] * rng.uniform();
  return b;
}

inline double largest_difference(const Block& a, const Block& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.values().size(); ++i)
    largest = std::max(largest, std::abs(a.values()[i] - b.values()[i]));
  return largest;
}

inline Block solved(const std::shared_ptr<const GroundedLaplacian>& system, const Block& b,
                    double tolerance) {
  Block x;
  make_solver_and_solve(system, {.tolerance = tolerance}, b, x);
  return x;
}

inline constexpr double tolerance = 1e-11;

}  // namespace gssl::test
