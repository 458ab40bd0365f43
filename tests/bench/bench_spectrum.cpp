// The ten smallest eigenpairs of L_sym, ours beside Spectra: plain Lanczos on 2I − L_sym (60
// vectors), and shift-invert with a CHOLMOD factor. Residuals are recomputed here for everyone.
//
//   bench_spectrum [--threads T] [--count K] [--no-peers] [--no-plain] [--forced] [GRAPH…]
//
// --forced: our two methods as well, each when it is told, beside the one we choose.
//
// Graphs: moons10k moons100k moons1m (two moons, noise 0.15, union of 10 nearest neighbors, unit
// weights), grid316 grid1000 (lattices), knn20 (10 gaussians in 20 dimensions, 100k points), rmat18
// (largest component). Default: those of 100k vertices.

#include <Spectra/MatOp/SparseSymMatProd.h>
#include <Spectra/SymEigsShiftSolver.h>
#include <Spectra/SymEigsSolver.h>

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#ifdef GSSL_BENCH_CHOLMOD
#include <Eigen/CholmodSupport>
#endif

#include "gssl/core/number_text.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "solver/measure.hpp"

using namespace gssl;
using bench::MemoryMeter;
using bench::Seconds;
using bench::Stopwatch;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

Graph neighbors_of(Points points, int threads) {
  KnnGraphOptions options;
  options.weights.kind = WeightKind::unit;
  RunContext run;
  run.threads = threads;
  return knn_graph(points, 10, options, run).graph;
}

Graph moons(VertexId n, int threads) {
  Rng rng(1);
  const PlanePoints plane = two_moons(n, 0.15, rng);
  std::vector<double> values;
  for (std::size_t i = 0; i < plane.x.size(); ++i) {
    values.push_back(plane.x[i]);
    values.push_back(plane.y[i]);
  }
  return neighbors_of(Points::dense(n, 2, std::move(values)), threads);
}

Graph gaussians(VertexId n, int threads) {
  Rng rng(1);
  std::vector<double> centers(200), values;
  for (double& c : centers) c = rng.normal();
  for (VertexId i = 0; i < n; ++i)
    for (std::size_t d = 0; d < 20; ++d)
      values.push_back(centers[static_cast<std::size_t>(i % 10) * 20 + d] + rng.normal());
  return neighbors_of(Points::dense(n, 20, std::move(values)), threads);
}

Graph largest_component(const Graph& graph) {
  const Components c = connected_components(graph);
  const auto largest = std::max_element(c.sizes.begin(), c.sizes.end()) - c.sizes.begin();
  return component_graph(graph, c, static_cast<VertexId>(largest)).graph;
}

Graph make(const std::string& name, int threads) {
  Rng rng(1);
  if (name == "moons10k") return largest_component(moons(10'000, threads));
  if (name == "moons100k") return largest_component(moons(100'000, threads));
  if (name == "moons1m") return largest_component(moons(1'000'000, threads));
  if (name == "grid316") return grid_graph(316, 316);
  if (name == "grid1000") return grid_graph(1000, 1000);
  if (name == "knn20") return largest_component(gaussians(100'000, threads));
  if (name == "rmat18") return largest_component(rmat_graph(18, 16, rng));
  std::fprintf(stderr, "bench_spectrum: no graph %s\n", name.c_str());
  std::exit(64);
}

Sparse symmetric_laplacian(const Graph& graph, double shift) {
  const VertexId n = graph.vertex_count();
  std::vector<Eigen::Triplet<double>> entries;
  for (VertexId u = 0; u < n; ++u) {
    entries.emplace_back(u, u, 1.0 + shift);
    graph.visit_row(u, [&](VertexId v, double w) {
      entries.emplace_back(u, v,
                           -w / std::sqrt(graph.weighted_degree(u) * graph.weighted_degree(v)));
    });
  }
  Sparse m(n, n);
  m.setFromTriplets(entries.begin(), entries.end());
  return m;
}

struct Found {
  std::vector<double> values;  // ascending
  Eigen::MatrixXd vectors;
};

Found sorted(const Eigen::VectorXd& values, const Eigen::MatrixXd& vectors) {
  std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Eigen::Index>(i);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values(a) < values(b); });
  Found found;
  found.vectors.resize(vectors.rows(), vectors.cols());
  for (std::size_t j = 0; j < order.size(); ++j) {
    found.values.push_back(values(order[j]));
    found.vectors.col(static_cast<Eigen::Index>(j)) = vectors.col(order[j]);
  }
  return found;
}

double worst_residual(const Graph& graph, const Found& found) {
  const Sparse m = symmetric_laplacian(graph, 0.0);
  double worst = 0.0;
  for (std::size_t j = 0; j < found.values.size(); ++j) {
    const Eigen::VectorXd v = found.vectors.col(static_cast<Eigen::Index>(j));
    worst = std::max(worst, (m * v - found.values[j] * v).norm() / v.norm());
  }
  return worst;
}

Found ours(const Graph& graph, int count, SpectrumMethod method, int threads, std::string& said) {
  RunContext run;
  run.threads = threads;
  const Spectrum s = smallest_eigenpairs(graph, {.count = count, .method = method}, run);
  said = s.sentence;
  Found found{s.values, Eigen::MatrixXd(graph.vertex_count(), count)};
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    for (int j = 0; j < count; ++j) found.vectors(v, j) = s.vectors(v, j);
  return found;
}

// 2I − L_sym: the largest eigenvalues are the smallest of L_sym.
Found spectra_plain(const Graph& graph, int count) {
  const Sparse m = -symmetric_laplacian(graph, -2.0);
  Spectra::SparseSymMatProd<double> op(m);
  Spectra::SymEigsSolver<Spectra::SparseSymMatProd<double>> solver(op, count, 60);
  solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, 1000, 5e-7);
  return sorted((2.0 - solver.eigenvalues().array()).matrix(), solver.eigenvectors());
}

#ifdef GSSL_BENCH_CHOLMOD
// (L_sym + shift I)⁻¹ for Spectra.
class ShiftedInverse {
 public:
  using Scalar = double;
  ShiftedInverse(const Graph& graph, double shift) : m_(symmetric_laplacian(graph, shift)) {
    factor_.compute(m_);
  }
  Eigen::Index rows() const { return m_.rows(); }
  Eigen::Index cols() const { return m_.cols(); }
  void set_shift(double) {}
  void perform_op(const double* x, double* y) const {
    Eigen::Map<Eigen::VectorXd>(y, rows()) =
        factor_.solve(Eigen::Map<const Eigen::VectorXd>(x, rows()));
  }

 private:
  Sparse m_;
  Eigen::CholmodDecomposition<Sparse, Eigen::Lower> factor_;
};

Found spectra_inverse(const Graph& graph, int count) {
  constexpr double shift = 1e-6;
  ShiftedInverse op(graph, shift);
  Spectra::SymEigsShiftSolver<ShiftedInverse> solver(op, count, 2 * count + 10, -shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-7);
  return sorted(solver.eigenvalues(), solver.eigenvectors());
}
#endif

void race(const std::string& name, const std::string& method, const Graph& graph,
          const std::function<Found(std::string&)>& solve) {
  std::string said;
  MemoryMeter memory;
  const Stopwatch watch;
  const Found found = solve(said);
  const Seconds t = watch.elapsed();
  std::printf(
      "%-10s %-16s %8.2f %8.2f %8.0f %10s %10s  %s\n", name.c_str(), method.c_str(), t.cpu, t.wall,
      memory.peak_growth_bytes() / 1e6, to_brief_text(worst_residual(graph, found)).c_str(),
      found.values.empty() ? "none" : to_brief_text(found.values.back()).c_str(), said.c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 1, count = 10;
  bool peers = true, plain = true, forced = false;
  std::vector<std::string> names;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--no-peers") {
      peers = false;
    } else if (argument == "--no-plain") {
      plain = false;
    } else if (argument == "--forced") {
      forced = true;
    } else if (argument == "--threads" && i + 1 < argc) {
      threads = std::atoi(argv[++i]);
    } else if (argument == "--count" && i + 1 < argc) {
      count = std::atoi(argv[++i]);
    } else {
      names.push_back(argument);
    }
  }
  if (names.empty()) names = {"moons100k", "grid316", "knn20", "rmat18"};
  std::printf("%-10s %-16s %8s %8s %8s %10s %10s\n", "graph", "method", "cpu s", "wall s", "MB",
              "residual", "last");
  for (const std::string& name : names) {
    const Graph graph = make(name, threads);
    race(name, "gssl", graph, [&](std::string& said) {
      return ours(graph, count, SpectrumMethod::automatic, threads, said);
    });
    if (forced)
      for (const SpectrumMethod method : {SpectrumMethod::lanczos, SpectrumMethod::inversion})
        race(name, std::string(to_string(method)), graph,
             [&](std::string& said) { return ours(graph, count, method, threads, said); });
    if (!peers) continue;
    if (plain)
      race(name, "spectra-plain", graph, [&](std::string&) { return spectra_plain(graph, count); });
#ifdef GSSL_BENCH_CHOLMOD
    // Its factor would take minutes and most of the memory on the other two.
    if (name != "knn20" && name != "rmat18")
      race(name, "spectra-inverse", graph,
           [&](std::string&) { return spectra_inverse(graph, count); });
#endif
  }
  return 0;
}
