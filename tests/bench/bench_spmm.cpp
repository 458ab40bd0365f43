// GroundedLaplacian::apply beside Eigen's row-major sparse product, in the same run, one thread.

#include <Eigen/Dense>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

using namespace gssl;
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using Dense = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

GroundedLaplacian grid(VertexId side) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1});
    if (v + side < side * side) edges.push_back({v, v + side});
  }
  return {graph_from_edges(side * side, edges), {}};
}

// RMAT with the usual (.57, .19, .19, .05), 16 edges a vertex, all weights 1.
GroundedLaplacian rmat(int scale) {
  Rng rng(1);
  std::vector<Edge> edges;
  for (std::int64_t e = 0; e < std::int64_t{16} << scale; ++e) {
    VertexId u = 0, v = 0;
    for (int bit = 0; bit < scale; ++bit) {
      const double r = rng.uniform();
      u = 2 * u + (r >= 0.76);
      v = 2 * v + ((r >= 0.57 && r < 0.76) || r >= 0.95);
    }
    if (u != v) edges.push_back({u, v});
  }
  return {graph_from_edges(VertexId{1} << scale, edges, {.duplicates = DuplicatePolicy::max}), {}};
}

// The fastest of as many runs as fit into a second, at least five.
template <class Work>
double fastest(Work&& work) {
  double best = HUGE_VAL, spent = 0.0;
  for (int run = 0; run < 5 || spent < 1.0; ++run) {
    const bench::Stopwatch watch;
    work();
    const double seconds = watch.elapsed().cpu;
    best = std::min(best, seconds);
    spent += seconds;
  }
  return best;
}

void race(bench::Results& results, const GroundedLaplacian& a) {
  std::vector<Eigen::Triplet<double>> entries;
  for (VertexId v = 0; v < a.size(); ++v) {
    entries.emplace_back(v, v, a.diagonal()[static_cast<std::size_t>(v)]);
    a.graph().visit_row(v, [&](VertexId u, double w) { entries.emplace_back(v, u, -w); });
  }
  Sparse matrix(a.size(), a.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  for (const std::int64_t columns : {1, 10}) {
    const Block x(a.size(), columns, 1.0);
    Block y;
    const double ours = fastest([&] { a.apply(x, y); });
    const Dense dense = Dense::Ones(a.size(), columns);
    Dense product(a.size(), columns);
    const double theirs = fastest([&] { product.noalias() = matrix * dense; });
    results.beside(std::to_string(columns) + " columns", "Eigen", 1e3 * ours, 1e3 * theirs, "ms");
  }
}

}  // namespace

int main(int argc, char** argv) {
  bench::Program program("bench_spmm", "The Laplacian times a block beside Eigen, one thread");
  program.add("grid1000", "plane grid, 1M vertices",
              [](bench::Results& results) { race(results, grid(1000)); });
  program.add("rmat17", "RMAT 17, 2M edges",
              [](bench::Results& results) { race(results, rmat(17)); });
  return program.run(argc, argv);
}
