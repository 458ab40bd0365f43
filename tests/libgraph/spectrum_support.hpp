#pragma once
// What tests of eigenpairs share: a slow twin, and what every answer must fulfill.

#include <algorithm>
#include <cmath>
#include <vector>

#include "gssl/core/dense.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace gssl::test {

inline constexpr LaplacianKind kinds[] = {LaplacianKind::combinatorial, LaplacianKind::symmetric,
                                          LaplacianKind::random_walk};

// The slow twin: all eigenvalues of the whole matrix (L_rw has those of L_sym).
inline std::vector<double> dense_values(const Graph& graph, LaplacianKind kind) {
  const VertexId n = graph.vertex_count();
  Block m(n, n);
  for (VertexId u = 0; u < n; ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      const double s = kind == LaplacianKind::combinatorial
                           ? 1.0
                           : std::sqrt(graph.weighted_degree(u) * graph.weighted_degree(v));
      m(u, v) -= w / s;
      m(u, u) += kind == LaplacianKind::combinatorial ? w : w / graph.weighted_degree(u);
    });
  return dense_eigen(m).values;
}

inline double mean_degree(const Graph& graph) {
  double sum = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) sum += graph.weighted_degree(v);
  return sum / std::max(1, graph.vertex_count());
}

// Residuals as claimed, each vector on its component.
inline void check_residuals(const Graph& graph, LaplacianKind kind, const Spectrum& s) {
  const VertexId n = graph.vertex_count();
  const auto k = static_cast<std::int64_t>(s.values.size());
  const Components components = connected_components(graph);
  Block y;
  apply_laplacian(graph, kind, s.vectors, y);
  for (std::int64_t j = 0; j < k; ++j) {
    double squares = 0.0, elsewhere = 0.0;
    for (VertexId v = 0; v < n; ++v) {
      const double d = graph.weighted_degree(v);
      const double weight = kind == LaplacianKind::random_walk && d > 0.0 ? d : 1.0;
      const double r = y(v, j) - s.values[static_cast<std::size_t>(j)] * s.vectors(v, j);
      squares += weight * r * r;
      if (components.of[static_cast<std::size_t>(v)] != s.component_of[static_cast<std::size_t>(j)])
        elsewhere = std::max(elsewhere, std::abs(s.vectors(v, j)));
    }
    CHECK(std::abs(std::sqrt(squares) - s.residuals[static_cast<std::size_t>(j)]) <
          1e-12 * (1.0 + std::sqrt(mean_degree(graph))));
    CHECK(elsewhere == 0.0);
    if (j < s.zero_count) CHECK(s.values[static_cast<std::size_t>(j)] == 0.0);
  }
}

// Orthonormal (D-orthonormal for L_rw) vectors, residuals as claimed, each on its component.
inline void check_pairs(const Graph& graph, LaplacianKind kind, const Spectrum& s) {
  const VertexId n = graph.vertex_count();
  const auto k = static_cast<std::int64_t>(s.values.size());
  REQUIRE(s.vectors.rows() == n);
  REQUIRE(s.vectors.columns() == k);
  double worst = 0.0;
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < k; ++j) {
      double dot = 0.0;
      for (VertexId v = 0; v < n; ++v) {
        const double d = graph.weighted_degree(v);
        const double weight = kind == LaplacianKind::random_walk && d > 0.0 ? d : 1.0;
        dot += weight * s.vectors(v, i) * s.vectors(v, j);
      }
      worst = std::max(worst, std::abs(dot - (i == j ? 1.0 : 0.0)));
    }
  CHECK(worst < 1e-9);
  check_residuals(graph, kind, s);
}

}  // namespace gssl::test
