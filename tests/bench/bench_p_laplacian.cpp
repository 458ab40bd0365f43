// p-Laplacian potentials beside a plain Newton homotopy (Eigen's LDLᵀ, analyzed once, backtracking,
// no certificate), and the game form, on unit weights, beside the sweeps that packages make of it,
// in the same run on one thread.

#include <Eigen/SparseCholesky>
#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gssl/core/number_text.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/transductive/p_laplacian.hpp"
#include "harness/measure.hpp"
#include "harness/program.hpp"

namespace {

using namespace gssl;
using bench::Program;
using bench::Results;
using bench::Stopwatch;
using Sparse = Eigen::SparseMatrix<double>;

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

// The electrical potentials of conductances that differ from step to step, by Eigen's factor.
class Electrical {
 public:
  explicit Electrical(const Moons& moons)
      : graph_(moons.graph), row_(static_cast<std::size_t>(graph_.vertex_count()), 0) {
    for (const VertexId v : moons.given) row_[static_cast<std::size_t>(v)] = -1;
    for (int& r : row_)
      if (r == 0) r = free_count_++;
  }

  // Of conductances w·weight(|difference of u|), with u at the given vertices.
  template <class Weight>
  Eigen::VectorXd operator()(const Eigen::VectorXd& u, Weight&& weight) {
    std::vector<Eigen::Triplet<double>> entries;
    Eigen::VectorXd b = Eigen::VectorXd::Zero(free_count_);
    for (VertexId v = 0; v < graph_.vertex_count(); ++v) {
      const int r = row_[static_cast<std::size_t>(v)];
      if (r < 0) continue;
      graph_.visit_row(v, [&](VertexId y, double w) {
        const double c = w * weight(std::abs(u[v] - u[y]));
        const int s = row_[static_cast<std::size_t>(y)];
        entries.emplace_back(r, r, c);
        if (s >= 0) {
          entries.emplace_back(r, s, -c);
        } else {
          b[r] += c * u[y];
        }
      });
    }
    Sparse a(free_count_, free_count_);
    a.setFromTriplets(entries.begin(), entries.end());
    if (solves_++ == 0) factor_.analyzePattern(a);
    factor_.factorize(a);
    const Eigen::VectorXd x = factor_.solve(b);
    Eigen::VectorXd all = u;
    for (VertexId v = 0; v < graph_.vertex_count(); ++v)
      if (row_[static_cast<std::size_t>(v)] >= 0) all[v] = x[row_[static_cast<std::size_t>(v)]];
    return all;
  }

  int solves() const { return solves_; }

 private:
  const Graph& graph_;
  std::vector<int> row_;
  int free_count_ = 0;
  int solves_ = 0;
  Eigen::SimplicialLDLT<Sparse> factor_;
};

double largest_difference(const Graph& graph, const Eigen::VectorXd& u) {
  double most = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    graph.visit_row(v, [&](VertexId y, double) { most = std::max(most, std::abs(u[v] - u[y])); });
  return most;
}

// Processor seconds. p ≥ 2: Newton with p·1.5; p < 2: reweighted least squares with a smoothing
// that shrinks.
double plain(const Moons& moons, double p) {
  const Stopwatch watch;
  const Graph& graph = moons.graph;
  Eigen::VectorXd u = Eigen::VectorXd::Zero(graph.vertex_count());
  for (std::size_t i = 0; i < moons.given.size(); ++i) u[moons.given[i]] = moons.values[i];
  Electrical electrical(moons);
  u = electrical(u, [](double) { return 1.0; });
  for (double s = 2.0, smooth = 0.1; p >= 2.0 ? s < p : smooth > 1e-9;) {
    if (p >= 2.0) s = std::min(1.5 * s, p);
    if (p < 2.0) smooth *= 0.3, s = p;
    for (int step = 0; step < 30; ++step) {
      const double most = largest_difference(graph, u);
      const Eigen::VectorXd toward = electrical(u, [&](double d) {
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
  const double seconds = watch.elapsed().cpu;
  std::printf("    plain: %d solves, energy %.10e\n", electrical.solves(), energy_of(graph, u, p));
  return seconds;
}

// Gauss–Seidel on the mean value property of the game, u = α mean + (1 − α)(min + max)/2 over the
// neighbors: until no value moves by more than 1e-6 (the rule of GraphLearning), and on until it is
// as close to `answer` as ours is. Unit weights. Processor seconds of all.
double sweeps(const Moons& moons, double p, const Scores& answer) {
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
  const Stopwatch watch;
  int count = 1;
  while (sweep() > 1e-6) ++count;
  std::printf("    sweeps: %.2f s, %d of them, off by %.1e\n", watch.elapsed().cpu, count, error());
  for (; error() > 1e-6 && count < 100000; count += 50)
    for (int i = 0; i < 50; ++i) sweep();
  const double seconds = watch.elapsed().cpu;
  std::printf("    sweeps: %.2f s, %d of them, off by %.1e\n", seconds, count, error());
  return seconds;
}

struct Ours {
  Fit fit;
  double seconds;
};

Ours ours(const Moons& moons, double p, PLaplacianForm form) {
  RunContext run;
  run.threads = 1;
  const Stopwatch watch;
  Fit fit = PLaplacianLearner({.p = p, .form = form})
                .fit(moons.graph, LabeledSet::targets(moons.given, moons.values), run);
  const double seconds = watch.elapsed().cpu;
  std::printf("    ours: %d solves", static_cast<int>(fit.report.iterations));
  for (const Certificate& one : fit.report.certificates)
    std::printf(" %s %.10e", one.name.c_str(), one.values[0]);
  std::printf("  %s\n", std::string(to_string(fit.report.outcome)).c_str());
  return {std::move(fit), seconds};
}

struct Race {
  VertexId vertices = 10000;
  std::vector<double> powers;
  std::uint64_t seed = 1;
  bool peers = true;
};

void race(Results& results, const Race& how, PLaplacianForm form) {
  const bool game = form == PLaplacianForm::game;
  const Moons problem =
      moons(how.vertices, game ? WeightKind::unit : WeightKind::self_tuning, how.seed);
  std::printf("two moons, %d vertices, %lld edges\n", how.vertices,
              static_cast<long long>(problem.graph.edge_count()));
  std::vector<double> powers = how.powers;
  if (powers.empty())
    powers = game ? std::vector{3.0, 10.0, std::numeric_limits<double>::infinity()}
                  : std::vector{1.1, 1.5, 3.0, 10.0, 50.0};
  for (const double p : powers) {
    const Ours own = ours(problem, p, form);
    const std::string figure = "p=" + to_text(p);
    if (!how.peers)
      results.value(figure, own.seconds, "s");
    else if (game)
      results.beside(figure, "sweeps", own.seconds, sweeps(problem, p, own.fit.scores));
    else
      results.beside(figure, "plain Newton", own.seconds, plain(problem, p));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Program program("bench_p_laplacian", "p-Laplacian potentials beside a plain Newton homotopy");
  Race how;
  program.options()
      .add_option("--vertices", how.vertices, "points of the two moons")
      ->check(CLI::Range(100, 100'000'000))
      ->capture_default_str();
  program.options()
      .add_option("-p", how.powers, "powers above 1")
      ->check(CLI::Range(1.0001, 1e300));
  program.options().add_option("--seed", how.seed, "of the points")->capture_default_str();
  program.options().add_flag("!--no-peers", how.peers, "ours alone");
  program.add("variational", "least p-energy, self-tuning weights",
              [&](Results& results) { race(results, how, PLaplacianForm::variational); });
  program.add(
      "game", "the game form, unit weights, beside Gauss-Seidel sweeps",
      [&](Results& results) { race(results, how, PLaplacianForm::game); },
      Program::Runs::when_named);
  return program.run(argc, argv);
}
