// p-Laplacian potentials beside a plain Newton homotopy (Eigen's LDLᵀ, analyzed once, backtracking,
// no certificate), and the game form, on unit weights, beside the sweeps that packages make of it,
// in the same run on one thread.
//
//   bench_p_laplacian [VERTICES=10000] [game[=SEED]|alone] [P…]     alone: without the plain one

#include <sys/resource.h>

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "gssl/graph/generators.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/transductive/p_laplacian.hpp"

namespace {

using namespace gssl;
using Sparse = Eigen::SparseMatrix<double>;

double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

struct Moons {
  Graph graph;
  std::vector<VertexId> given;
  std::vector<double> values;
};

Moons moons(VertexId n, WeightKind kind, std::uint64_t seed) {
  Rng rng(seed);
  const PlanePoints points = two_moons(n, 0.1, rng);
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    coordinates.push_back(points.x[i]);
    coordinates.push_back(points.y[i]);
  }
  Moons made;
  made.graph =
      knn_graph(Points::dense(n, 2, std::move(coordinates)), 10, {.weights = {.kind = kind}}).graph;
  for (VertexId i = 0; i < 10; ++i) {
    const VertexId v = n / 20 + i * (n / 10);
    made.given.push_back(v);
    made.values.push_back(points.class_of[static_cast<std::size_t>(v)]);
  }
  return made;
}

double energy_of(const Graph& graph, const Eigen::VectorXd& u, double p) {
  double sum = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    graph.visit_row(v, [&](VertexId y, double w) {
      if (v < y) sum += w * std::pow(std::abs(u[v] - u[y]), p);
    });
  return sum;
}

// p ≥ 2: Newton with p·1.5; p < 2: reweighted least squares with a smoothing that shrinks.
void plain(const Moons& moons, double p) {
  const double begin = cpu_seconds();
  const Graph& graph = moons.graph;
  const VertexId n = graph.vertex_count();
  std::vector<int> row(static_cast<std::size_t>(n), 0);
  Eigen::VectorXd u = Eigen::VectorXd::Zero(n);
  for (std::size_t i = 0; i < moons.given.size(); ++i) {
    row[static_cast<std::size_t>(moons.given[i])] = -1;
    u[moons.given[i]] = moons.values[i];
  }
  int free_count = 0;
  for (int& r : row)
    if (r == 0) r = free_count++;
  Eigen::SimplicialLDLT<Sparse> factor;
  int solves = 0;
  // The electrical potentials of conductances w·weight(Δ).
  const auto electrical = [&](const auto& weight) {
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd b = Eigen::VectorXd::Zero(free_count);
    for (VertexId v = 0; v < n; ++v) {
      const int r = row[static_cast<std::size_t>(v)];
      if (r < 0) continue;
      graph.visit_row(v, [&](VertexId y, double w) {
        const double c = w * weight(std::abs(u[v] - u[y]));
        const int s = row[static_cast<std::size_t>(y)];
        entries.emplace_back(r, r, c);
        if (s >= 0) {
          entries.emplace_back(r, s, -c);
        } else {
          b[r] += c * u[y];
        }
      });
    }
    Sparse a(free_count, free_count);
    a.setFromTriplets(entries.begin(), entries.end());
    if (solves++ == 0) factor.analyzePattern(a);
    factor.factorize(a);
    const Eigen::VectorXd x = factor.solve(b);
    Eigen::VectorXd all = u;
    for (VertexId v = 0; v < n; ++v)
      if (row[static_cast<std::size_t>(v)] >= 0) all[v] = x[row[static_cast<std::size_t>(v)]];
    return all;
  };
  u = electrical([](double) { return 1.0; });
  for (double s = 2.0, smooth = 0.1; p >= 2.0 ? s < p : smooth > 1e-9;) {
    if (p >= 2.0) s = std::min(1.5 * s, p);
    if (p < 2.0) smooth *= 0.3, s = p;
    for (int step = 0; step < 30; ++step) {
      double most = 0.0;
      for (VertexId v = 0; v < n; ++v)
        graph.visit_row(v,
                        [&](VertexId y, double) { most = std::max(most, std::abs(u[v] - u[y])); });
      const Eigen::VectorXd toward = electrical([&](double d) {
        return p >= 2.0 ? std::max(std::pow(d / most, s - 2.0), 1e-14)
                        : std::pow(d * d + smooth * smooth, 0.5 * p - 1.0);
      });
      const double before = energy_of(graph, u, s);
      double t = p >= 2.0 ? 2.0 / (s - 1.0) : 1.0, now = before;
      Eigen::VectorXd tried = u;
      for (; t > 1e-6; t *= 0.5) {
        tried = u + t * (toward - u);
        now = energy_of(graph, tried, s);
        if (now < before) break;
      }
      if (!(now < before)) break;
      u = tried;
      if (before - now < (s == p && (p >= 2.0 || smooth < 1e-8) ? 1e-8 : 1e-2) * before) break;
    }
  }
  std::printf("  plain  p=%-4g %8.2f s  %3d solves  energy %.10e\n", p, cpu_seconds() - begin,
              solves, energy_of(graph, u, p));
}

// Gauss–Seidel on the mean value property of the game, u = α mean + (1 − α)(min + max)/2 over the
// neighbors: until no value moves by more than 1e-6 (the rule of GraphLearning), and on until it is
// as close to `answer` as ours is. Unit weights.
void sweeps(const Moons& moons, double p, const Scores& answer) {
  const Graph& graph = moons.graph;
  const double alpha = 1.0 / (2.0 * p - 3.0);
  std::vector<double> u(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  std::vector<char> given(u.size(), 0);
  for (std::size_t i = 0; i < moons.given.size(); ++i) {
    u[static_cast<std::size_t>(moons.given[i])] = moons.values[i];
    given[static_cast<std::size_t>(moons.given[i])] = 1;
  }
  const auto sweep = [&] {
    double most = 0.0;
    for (VertexId v = 0; v < graph.vertex_count(); ++v) {
      if (given[static_cast<std::size_t>(v)]) continue;
      double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0.0;
      for (const VertexId y : graph.neighbors(v)) {
        const double value = u[static_cast<std::size_t>(y)];
        low = std::min(low, value), high = std::max(high, value), sum += value;
      }
      const double mean = sum / static_cast<double>(graph.neighbors(v).size());
      const double now = alpha * mean + (1.0 - alpha) * 0.5 * (low + high);
      most = std::max(most, std::abs(now - u[static_cast<std::size_t>(v)]));
      u[static_cast<std::size_t>(v)] = now;
    }
    return most;
  };
  const auto error = [&] {
    double most = 0.0;
    for (VertexId v = 0; v < graph.vertex_count(); ++v)
      most = std::max(most, std::abs(u[static_cast<std::size_t>(v)] - answer.values(v, 0)));
    return most;
  };
  const double begin = cpu_seconds();
  int count = 1;
  while (sweep() > 1e-6) ++count;
  std::printf("  sweeps p=%-4g %8.2f s  %d of them, off by %.1e\n", p, cpu_seconds() - begin, count,
              error());
  for (; error() > 1e-6 && count < 100000; count += 50)
    for (int i = 0; i < 50; ++i) sweep();
  std::printf("  sweeps p=%-4g %8.2f s  %d of them, off by %.1e\n", p, cpu_seconds() - begin, count,
              error());
  std::fflush(stdout);
}

Fit ours(const Moons& moons, double p, PLaplacianForm form) {
  RunContext run;
  run.threads = 1;
  const double begin = cpu_seconds();
  Fit fit = PLaplacianLearner({.p = p, .form = form})
                .fit(moons.graph, LabeledSet::targets(moons.given, moons.values), run);
  const double seconds = cpu_seconds() - begin;
  std::printf("  ours   p=%-4g %8.2f s  %3d solves ", p, seconds,
              static_cast<int>(fit.report.solver.iterations));
  for (const Certificate& one : fit.report.certificates)
    std::printf(" %s %.10e", one.name.c_str(), one.values[0]);
  std::printf("  %s\n", std::string(to_string(fit.report.solver.outcome)).c_str());
  std::fflush(stdout);
  return fit;
}

}  // namespace

int main(int argc, char** argv) {
  const auto n = static_cast<VertexId>(argc > 1 ? std::atoi(argv[1]) : 10000);
  const std::string mode = argc > 2 ? argv[2] : "";
  const bool game = mode.starts_with("game"), alone = mode == "alone";
  std::vector<double> list;
  for (int i = game || alone ? 3 : 2; i < argc; ++i) list.push_back(std::strtod(argv[i], nullptr));
  if (n < 100 || std::ranges::any_of(list, [](double p) { return !(p > 1.0); })) {
    std::fprintf(stderr, "bench_p_laplacian [VERTICES >= 100] [game[=SEED]|alone] [P > 1 ...]\n");
    return 64;
  }
  if (list.empty() && game) list = {3.0, 10.0, std::numeric_limits<double>::infinity()};
  if (list.empty()) list = {1.1, 1.5, 3.0, 10.0, 50.0};
  const std::uint64_t seed =
      mode.starts_with("game=") ? std::strtoull(argv[2] + 5, nullptr, 10) : 1;
  const Moons problem = moons(n, game ? WeightKind::unit : WeightKind::self_tuning, seed);
  std::printf("two moons, %d vertices, %lld edges%s\n", n,
              static_cast<long long>(problem.graph.edge_count()), game ? ", game form" : "");
  for (const double p : list) {
    const Fit fit = ours(problem, p, game ? PLaplacianForm::game : PLaplacianForm::variational);
    if (game) sweeps(problem, p, fit.scores);
    if (!game && !alone) plain(problem, p);
  }
}
