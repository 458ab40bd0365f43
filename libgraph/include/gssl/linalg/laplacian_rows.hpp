#pragma once
// A Laplacian as the three arrays of compressed sparse rows, for code of others.
//
//   gssl::SparseRows l = gssl::laplacian_rows(graph);                     // D − W
//   gssl::SparseRows a = gssl::laplacian_rows(graph, ground);             // D − W + diag(ground)
//   gssl::SparseRows s = gssl::laplacian_rows(graph, gssl::LaplacianKind::symmetric);
//
// Row v holds values[e] in column columns[e] for offsets[v] ≤ e < offsets[v + 1]. SciPy takes the
// three as csr_array((values, columns, offsets)); Eigen maps them. O(n + m) time, and n + 2m
// entries of 12 bytes: every diagonal entry is there, also that of an isolated vertex. The solvers
// of this library form no matrix and have no use for it.

#include <span>
#include <vector>

#include "gssl/graph/graph.hpp"
#include "gssl/linalg/laplacian.hpp"

namespace gssl {

struct SparseRows {
  std::vector<EdgeIndex> offsets;  // n + 1 of them
  std::vector<VertexId> columns;   // ascending within a row
  std::vector<double> values;
};

// Same bytes at any thread count.
SparseRows laplacian_rows(const Graph& graph, LaplacianKind kind = LaplacianKind::combinatorial,
                          int threads = 1);

// The grounded Laplacian. Throws ErrorCode::bad_data unless `ground` has one finite value ≥ 0 for
// each vertex.
SparseRows laplacian_rows(const Graph& graph, std::span<const double> ground, int threads = 1);

}  // namespace gssl
