#pragma once
// Small systems, and one call to solve them, for the tests of the linear solver.

#include <cmath>

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "support/support.hpp"

namespace gssl::test {

inline constexpr SolverKind every_kind[] = {SolverKind::automatic,
                                            SolverKind::cholesky,
                                            SolverKind::approximate_cholesky,
                                            SolverKind::multigrid,
                                            SolverKind::conjugate_gradient,
                                            SolverKind::consensus,
                                            SolverKind::asynchronous_consensus};

inline Graph random_graph(VertexId n, int count, Rng& rng) {
  std::vector<Edge> edges;
  while (static_cast<int>(edges.size()) < count) {
    const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    const auto v = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    if (u != v) edges.push_back({u, v, 0.1 + rng.uniform()});
  }
  return graph_from_edges(n, edges);
}

inline Graph path(VertexId n) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1, 1.0});
  return graph_from_edges(n, edges);
}

// side × side vertices; each is tied to its right and lower neighbor, and to the one between them.
inline Graph grid(VertexId side) {
  std::vector<Edge> edges;
  const auto at = [side](VertexId i, VertexId j) { return i * side + j; };
  for (VertexId i = 0; i < side; ++i)
    for (VertexId j = 0; j < side; ++j) {
      if (j + 1 < side) edges.push_back({at(i, j), at(i, j + 1), 1.0});
      if (i + 1 < side) edges.push_back({at(i, j), at(i + 1, j), 1.0});
      if (i + 1 < side && j + 1 < side) edges.push_back({at(i, j), at(i + 1, j + 1), 1.0});
    }
  return graph_from_edges(side * side, edges);
}

// The same edges with weights log-uniform over so many decades around 1.
inline Graph weighted(const Graph& shape, double decades, Rng& rng) {
  return with_log_uniform_weights(shape, std::pow(10.0, -decades / 2), std::pow(10.0, decades / 2),
                                  rng);
}

inline Block random_block(VertexId n, std::int64_t c, Rng& rng) {
  Block b(n, c);
  for (VertexId v = 0; v < n; ++v)
    for (double& value : b.row(v)) value = rng.normal();
  return b;
}

inline SolveReport solve_once(const GroundedLaplacian& a, SolverOptions options, const Block& b,
                              Block& x, RunContext run = on_threads(2)) {
  return make_solver(a, options, run)->solve(b, x, run);
}

}  // namespace gssl::test
