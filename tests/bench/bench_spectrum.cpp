// The ten smallest eigenpairs of L_sym, ours beside Spectra: plain Lanczos on 2I − L_sym (60
// vectors), and shift-invert with a CHOLMOD factor. Residuals are recomputed here for everyone.

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
#include "harness/measure.hpp"
#include "harness/program.hpp"

using namespace gssl;
using bench::MemoryMeter;
using bench::Program;
using bench::Results;
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

struct Race {
  int threads = 1;
  int count = 10;
  bool peers = true;
  bool plain = true;
  bool forced = false;
};

// Processor seconds of `solve`.
double measured(Results& results, const std::string& method, const Graph& graph,
                const std::function<Found(std::string&)>& solve) {
  std::string said;
  const MemoryMeter memory;
  const Stopwatch watch;
  const Found found = solve(said);
  const double seconds = watch.elapsed().cpu;
  results.value(method, seconds, "s");
  std::printf("    %.0f MB, residual %s, last %s; %s\n", memory.peak_growth_bytes() / 1e6,
              to_brief_text(worst_residual(graph, found)).c_str(),
              found.values.empty() ? "none" : to_brief_text(found.values.back()).c_str(),
              said.c_str());
  return seconds;
}

void race(Results& results, const Graph& graph, const Race& how, [[maybe_unused]] bool inverse) {
  const double own = measured(results, "gssl", graph, [&](std::string& said) {
    return ours(graph, how.count, SpectrumMethod::automatic, how.threads, said);
  });
  if (how.forced)
    for (const SpectrumMethod method : {SpectrumMethod::lanczos, SpectrumMethod::inversion})
      measured(results, std::string(to_string(method)), graph, [&](std::string& said) {
        return ours(graph, how.count, method, how.threads, said);
      });
  if (!how.peers) return;
  if (how.plain)
    results.beside("eigenpairs", "Spectra", own,
                   measured(results, "Spectra", graph,
                            [&](std::string&) { return spectra_plain(graph, how.count); }));
#ifdef GSSL_BENCH_CHOLMOD
  if (inverse)
    results.beside("eigenpairs", "Spectra + CHOLMOD", own,
                   measured(results, "Spectra + CHOLMOD", graph,
                            [&](std::string&) { return spectra_inverse(graph, how.count); }));
#endif
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_spectrum", "The smallest eigenpairs of L_sym beside Spectra's");
  Race how;
  program.options().add_option("--threads", how.threads, "of ours")->capture_default_str();
  program.options().add_option("--count", how.count, "eigenpairs")->capture_default_str();
  program.options().add_flag("!--no-peers", how.peers, "ours alone");
  program.options().add_flag("!--no-plain", how.plain, "without Spectra's plain Lanczos");
  program.options().add_flag("--forced", how.forced, "our two methods as well, each when told");
  using enum Program::Runs;
  // The factor of the peer would take minutes and most of the memory on the last two.
  const auto add = [&](const char* name, const char* about, auto make, Program::Runs runs,
                       bool inverse) {
    program.add(
        name, about,
        [&how, make, inverse](Results& results) { race(results, make(how.threads), how, inverse); },
        runs);
  };
  const auto moons_of = [](VertexId n) {
    return [n](int threads) { return largest_component(moons(n, threads)); };
  };
  add("moons10k", "10-NN graph of two moons, noise 0.15, 10k points", moons_of(10'000), when_named,
      true);
  add("moons100k", "the same of 100k points", moons_of(100'000), by_default, true);
  add("moons1m", "the same of 1M points", moons_of(1'000'000), when_named, true);
  add(
      "grid316", "plane grid, 100k vertices", [](int) { return grid_graph(316, 316); }, by_default,
      true);
  add(
      "grid1000", "plane grid, 1M vertices", [](int) { return grid_graph(1000, 1000); }, when_named,
      true);
  add(
      "knn20", "10-NN graph of ten gaussians in 20 dimensions, 100k points",
      [](int threads) { return largest_component(gaussians(100'000, threads)); }, by_default,
      false);
  add(
      "rmat18", "largest component of RMAT 18",
      [](int) {
        Rng rng(1);
        return largest_component(rmat_graph(18, 16, rng));
      },
      by_default, false);
  return program.run(argc, argv);
}
