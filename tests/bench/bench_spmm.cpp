// GroundedLaplacian::apply beside Eigen's row-major sparse product, in the same run, one thread.

#include <benchmark/benchmark.h>

#include <Eigen/Dense>
#include <Eigen/SparseCore>

#include "gssl/core/rng.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

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

const GroundedLaplacian& problem(bool mesh) {
  static const GroundedLaplacian meshed = grid(1000), scale_free = rmat(17);
  return mesh ? meshed : scale_free;
}

void report(benchmark::State& state, const GroundedLaplacian& a) {
  state.counters["edges/s"] =
      benchmark::Counter(static_cast<double>(a.graph().edge_count() * state.range(0)) *
                             static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

void ours(benchmark::State& state, bool mesh) {
  const GroundedLaplacian& a = problem(mesh);
  const Block x(a.size(), state.range(0), 1.0);
  Block y;
  for (auto _ : state) {
    a.apply(x, y);
    benchmark::DoNotOptimize(y.data());
  }
  report(state, a);
}

void eigen(benchmark::State& state, bool mesh) {
  const GroundedLaplacian& a = problem(mesh);
  std::vector<Eigen::Triplet<double>> entries;
  for (VertexId v = 0; v < a.size(); ++v) {
    entries.emplace_back(v, v, a.diagonal()[static_cast<std::size_t>(v)]);
    a.graph().visit_row(v, [&](VertexId u, double w) { entries.emplace_back(v, u, -w); });
  }
  Sparse matrix(a.size(), a.size());
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Dense x = Dense::Ones(a.size(), state.range(0));
  Dense y(a.size(), state.range(0));
  for (auto _ : state) {
    y.noalias() = matrix * x;
    benchmark::DoNotOptimize(y.data());
  }
  report(state, a);
}

BENCHMARK_CAPTURE(ours, grid1000, true)->Arg(1)->Arg(10);
BENCHMARK_CAPTURE(eigen, grid1000, true)->Arg(1)->Arg(10);
BENCHMARK_CAPTURE(ours, rmat17, false)->Arg(1)->Arg(10);
BENCHMARK_CAPTURE(eigen, rmat17, false)->Arg(1)->Arg(10);

}  // namespace

BENCHMARK_MAIN();
