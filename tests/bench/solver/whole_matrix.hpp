#pragma once
// The grounded Laplacian as a matrix of Eigen's, which peers take.

#include <Eigen/SparseCore>

#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::bench {

// All of A by rows, which is also A by columns, in ascending order.
template <class Matrix>
Matrix whole_matrix(const GroundedLaplacian& system) {
  const Graph& graph = system.graph();
  Matrix a(system.size(), system.size());
  a.reserve(2 * graph.edge_count() + system.size());
  for (VertexId v = 0; v < system.size(); ++v) {
    a.startVec(v);
    const auto push = [&](VertexId u, double value) { a.insertBackByOuterInner(v, u) = value; };
    bool diagonal_done = false;
    const auto push_diagonal = [&] {
      push(v, system.diagonal()[static_cast<std::size_t>(v)]);
      diagonal_done = true;
    };
    graph.visit_row(v, [&](VertexId u, double w) {
      if (u > v && !diagonal_done) push_diagonal();
      push(u, -w);
    });
    if (!diagonal_done) push_diagonal();
  }
  a.finalize();
  return a;
}

}  // namespace gssl::bench
