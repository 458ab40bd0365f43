// The linear learners for few labels against slow twins written from the formulas of their headers,
// on small random graphs with one and two parts; the learners that make a partition are in
// test_partition_learners.cpp.

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/fixtures.hpp"
#include "gssl/transductive/centered_kernel.hpp"
#include "gssl/transductive/local_global.hpp"
#include "gssl/transductive/p_eikonal.hpp"
#include "gssl/transductive/poisson.hpp"
#include "gssl/transductive/poisson_reweighted.hpp"
#include "gssl/transductive/properly_weighted.hpp"
#include "gssl/transductive/random_walk.hpp"
#include "gssl/transductive/sparse_label_propagation.hpp"
#include "gssl/transductive/wnll.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double equal = 1e-8;
constexpr double no_limit = std::numeric_limits<double>::infinity();

using Matrix = std::vector<std::vector<double>>;

Matrix zeros(std::size_t n) { return Matrix(n, std::vector<double>(n, 0.0)); }

std::vector<double> row_sums(const Matrix& w) {
  std::vector<double> sums;
  for (const auto& row : w) {
    sums.push_back(0.0);
    for (const double value : row) sums.back() += value;
  }
  return sums;
}

Matrix laplacian(const Matrix& w) {
  Matrix l = zeros(w.size());
  const std::vector<double> degree = row_sums(w);
  for (std::size_t u = 0; u < w.size(); ++u)
    for (std::size_t v = 0; v < w.size(); ++v) l[u][v] = (u == v ? degree[u] : 0.0) - w[u][v];
  return l;
}

// Connected, with the labels of the tests.
struct Case {
  Graph graph;
  LabeledSet labeled;
  Matrix w;
};

Case random_case(std::uint64_t seed, VertexId n = 30) {
  Case c{random_graph(n, 35, seed), classes({1, 8, 14, 20, 27}, {0, 2, 1, 1, 0}, 3), {}};
  c.w = dense_adjacency(c.graph);
  return c;
}

Block one_hot(const Case& c) {
  Block y(c.graph.vertex_count(), c.labeled.class_count());
  for (std::size_t i = 0; i < c.labeled.size(); ++i)
    y(c.labeled.vertices()[i], c.labeled.class_of()[i]) = 1.0;
  return y;
}

bool is_given(const Case& c, std::size_t v) {
  const auto& given = c.labeled.vertices();
  return std::find(given.begin(), given.end(), static_cast<VertexId>(v)) != given.end();
}

// A x = b with x = y at the given vertices.
Block solve_given(const Case& c, Matrix a) {
  Block b = one_hot(c);
  for (std::size_t v = 0; v < a.size(); ++v)
    if (is_given(c, v)) {
      std::fill(a[v].begin(), a[v].end(), 0.0);
      a[v][v] = 1.0;
    }
  return dense_solve(std::move(a), std::move(b));
}

// The answer of L x = b of a connected graph whose mean is 0; b sums to 0.
Block solve_singular(Matrix l, Block b) {
  for (auto& row : l)
    for (double& value : row) value += 1.0;
  return dense_solve(std::move(l), std::move(b));
}

Block positive_shares(Block u) {
  for (std::int64_t v = 0; v < u.rows(); ++v) {
    double sum = 0.0;
    for (double& value : u.row(v)) sum += value = std::max(value, 0.0);
    for (double& value : u.row(v)) value /= sum;
  }
  return u;
}

Block dense_poisson(const Case& c) {
  Block b = one_hot(c);
  std::vector<double> mean(3, 0.0);
  for (const int k : c.labeled.class_of())
    mean[static_cast<std::size_t>(k)] += 1.0 / static_cast<double>(c.labeled.size());
  for (const VertexId v : c.labeled.vertices())
    for (std::size_t k = 0; k < 3; ++k) b.row(v)[k] -= mean[k];
  Block u = solve_singular(laplacian(c.w), b);
  const std::vector<double> degree = row_sums(c.w);
  for (std::int64_t k = 0; k < 3; ++k) {
    double moment = 0.0;
    double total = 0.0;
    for (std::size_t v = 0; v < degree.size(); ++v) {
      moment += degree[v] * u(static_cast<std::int64_t>(v), k);
      total += degree[v];
    }
    for (std::int64_t v = 0; v < u.rows(); ++v) u(v, k) -= moment / total;
  }
  return u;
}

}  // namespace

TEST_CASE("poisson: shares of the positive part of L⁺ applied to centered labels") {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    const Case c = random_case(seed);
    Block u = dense_poisson(c);
    const Fit fit = PoissonLearner().fit(c.graph, c.labeled, on_threads(2));
    CHECK(fit.report.converged());
    CHECK(max_difference(fit.scores.values, positive_shares(u)) < equal);
    // Priors multiply column k by q_k over the share of its labels, 2/5, 2/5 and 1/5.
    const std::vector<double> q{0.1, 0.2, 0.7};
    for (std::int64_t v = 0; v < u.rows(); ++v)
      for (std::size_t k = 0; k < 3; ++k) u.row(v)[k] *= q[k] / (k == 2 ? 0.2 : 0.4);
    const Fit weighed = PoissonLearner({.mass = MassRule::priors, .priors = {1.0, 2.0, 7.0}})
                            .fit(c.graph, c.labeled, on_threads(1));
    CHECK(max_difference(weighed.scores.values, positive_shares(u)) < equal);
  }
}

TEST_CASE("poisson: a component whose labels are of one class belongs to it") {
  const Graph two = graph_from_edges(7, {{0, 1}, {1, 2}, {3, 4}, {4, 5}});
  const Fit fit = PoissonLearner().fit(two, classes({0, 2, 4}, {0, 1, 1}, 2), {});
  CHECK(fit.scores.values(3, 0) == 0.0);
  CHECK(fit.scores.values(3, 1) == 1.0);
  CHECK(fit.decision == std::vector<int>{0, 0, 1, 1, 1, 1, -1});
  CHECK(fit.scores.values(1, 0) == 0.5);  // halfway
}

TEST_CASE("wnll: least of the energy with the given vertices weighed by n/|S|") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Case c = random_case(seed);
    for (const double weight : {0.0, 1.0, 40.0}) {
      const double mu = weight > 0.0 ? weight : 30.0 / 5.0;
      // Half the gradient of Σ_u m_u Σ_v w_uv (x_u − x_v)², m = μ at given vertices.
      Matrix a = zeros(c.w.size());
      for (std::size_t u = 0; u < a.size(); ++u)
        for (std::size_t v = 0; v < a.size(); ++v) {
          const double term = (is_given(c, u) ? mu : 1.0) * c.w[u][v];
          a[u][u] += term;
          a[v][v] += term;
          a[u][v] -= term;
          a[v][u] -= term;
        }
      const Fit fit = WnllLearner({.weight = weight}).fit(c.graph, c.labeled, on_threads(2));
      CHECK(max_difference(fit.scores.values, solve_given(c, a)) < equal);
    }
  }
}

TEST_CASE("properly-weighted: harmonic labels under (γ_u + γ_v)/2 with γ from hop distances") {
  for (const std::uint64_t seed : {4, 5, 6}) {
    const Case c = random_case(seed);
    const std::size_t n = c.w.size();
    std::vector<double> rho(n, no_limit);
    for (const VertexId v : c.labeled.vertices()) rho[static_cast<std::size_t>(v)] = 0.0;
    for (std::size_t round = 0; round < n; ++round)
      for (std::size_t u = 0; u < n; ++u)
        for (std::size_t v = 0; v < n; ++v)
          if (c.w[u][v] > 0.0) rho[u] = std::min(rho[u], rho[v] + 1.0);
    const double furthest = *std::max_element(rho.begin(), rho.end());
    std::vector<double> gamma;
    for (const double distance : rho)
      gamma.push_back(std::min(1.0 + std::pow(0.5 * furthest / distance, 3.0), 1e4));
    Matrix heavier = c.w;
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) heavier[u][v] *= 0.5 * (gamma[u] + gamma[v]);
    const Fit fit = ProperlyWeightedLearner({.alpha = 3.0, .radius = 0.5, .ceiling = 1e4})
                        .fit(c.graph, c.labeled, on_threads(2));
    CHECK(max_difference(fit.scores.values, solve_given(c, laplacian(heavier))) < equal);
  }
}

TEST_CASE("poisson-reweighted: harmonic labels under γ_u γ_v w with γ from a Poisson problem") {
  for (const std::uint64_t seed : {7, 8, 9}) {
    const Case c = random_case(seed);
    const std::size_t n = c.w.size();
    Block b(30, 1, -5.0 / 30.0);
    for (const VertexId v : c.labeled.vertices()) b(v, 0) += 1.0;
    const Block g = solve_singular(laplacian(c.w), b);
    const auto [low, high] = std::minmax_element(g.values().begin(), g.values().end());
    std::vector<double> gamma;
    for (const double value : g.values()) gamma.push_back((value - *low) / (*high - *low) + 0.01);
    Matrix grown = c.w;
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v) grown[u][v] *= gamma[u] * gamma[v];
    for (const double tau : {0.0, 0.5}) {
      Matrix a = laplacian(grown);
      double degrees = 0.0;
      for (const double d : row_sums(grown)) degrees += d;
      for (std::size_t v = 0; v < n; ++v) a[v][v] += tau * degrees / static_cast<double>(n);
      const Fit fit = PoissonReweightedLearner({.floor = 0.01, .tau = tau})
                          .fit(c.graph, c.labeled, on_threads(2));
      CHECK(max_difference(fit.scores.values, solve_given(c, a)) < equal);
      REQUIRE(fit.report.certificates.size() == 1);
      CHECK(fit.report.certificates[0].name == "reweighting_residual");
      CHECK(fit.report.certificates[0].values.at(0) < 1e-9);
    }
  }
}

TEST_CASE("random-walk: the three inverses of the header, row by row in shares") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Case c = random_case(seed);
    const std::vector<double> degree = row_sums(c.w);
    for (const double alpha : {0.3, 0.95}) {
      for (const WalkKind walk : {WalkKind::symmetric, WalkKind::commute, WalkKind::forward}) {
        Matrix a = zeros(c.w.size());
        for (std::size_t u = 0; u < a.size(); ++u)
          for (std::size_t v = 0; v < a.size(); ++v) {
            const double divisor = walk == WalkKind::symmetric ? std::sqrt(degree[u] * degree[v])
                                   : walk == WalkKind::forward ? degree[u]
                                                               : 1.0;
            a[u][v] = (u != v)                    ? -alpha * c.w[u][v] / divisor
                      : walk == WalkKind::commute ? degree[u]
                                                  : 1.0;
          }
        const Block expected = positive_shares(dense_solve(a, one_hot(c)));
        const Fit fit = RandomWalkLearner({.alpha = alpha, .walk = walk})
                            .fit(c.graph, c.labeled, on_threads(2));
        CHECK(max_difference(fit.scores.values, expected) < 1e-7);
      }
    }
    const Fit symmetric = RandomWalkLearner({.alpha = 0.9}).fit(c.graph, c.labeled, {});
    const Fit spread = LocalGlobalLearner({.alpha = 0.9}).fit(c.graph, c.labeled, {});
    CHECK(symmetric.decision == spread.decision);
  }
}

TEST_CASE("random-walk warns where no score stands out") {
  const Fit fit = RandomWalkLearner({.alpha = 0.1})
                      .fit(graph_from_edges(40,
                                            [] {
                                              std::vector<Edge> path;
                                              for (VertexId v = 1; v < 40; ++v)
                                                path.push_back({v - 1, v, 1.0});
                                              return path;
                                            }()),
                           classes({0, 1}, {0, 1}, 2), {});
  REQUIRE(fit.report.warnings.size() == 1);
  CHECK(fit.report.warnings[0].find("raise alpha") != std::string::npos);
  CHECK(fit.scores.values(39, 0) == 0.5);
}

TEST_CASE("centered-kernel: (αI − Ŵ_uu) f_u = Ŵ_uℓ f_ℓ with α just above the norm of Ŵ") {
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const Case c = random_case(seed);
    const std::size_t n = c.w.size();
    Matrix centered = c.w;
    const std::vector<double> sums = row_sums(c.w);
    double total = 0.0;
    for (const double s : sums) total += s;
    for (std::size_t u = 0; u < n; ++u)
      for (std::size_t v = 0; v < n; ++v)
        centered[u][v] += -(sums[u] + sums[v]) / 30.0 + total / 900.0;
    // ‖Ŵ‖ by steps of the power method on Ŵ².
    Block x(30, 1);
    for (std::int64_t v = 0; v < 30; ++v) x(v, 0) = std::sin(1.0 + static_cast<double>(v * v));
    double norm = 0.0;
    for (int step = 0; step < 4000; ++step) {
      Block y(30, 1);
      double length = 0.0;
      for (std::size_t u = 0; u < n; ++u) {
        for (std::size_t v = 0; v < n; ++v)
          y.row(static_cast<std::int64_t>(u))[0] +=
              centered[u][v] * x(static_cast<std::int64_t>(v), 0);
        length += y(static_cast<std::int64_t>(u), 0) * y(static_cast<std::int64_t>(u), 0);
      }
      norm = std::sqrt(length);
      for (std::int64_t v = 0; v < 30; ++v) x(v, 0) = y(v, 0) / norm;
    }
    const Fit fit = CenteredKernelLearner({.alpha = 1.2}).fit(c.graph, c.labeled, on_threads(2));
    CHECK(fit.report.converged());
    REQUIRE(fit.report.certificates.at(0).name == "alpha");
    CHECK(fit.report.certificates.at(0).values.at(0) == Approx(1.2 * norm).epsilon(1e-6));

    Matrix a = zeros(n);
    Block b(30, 3);
    for (std::size_t u = 0; u < n; ++u) {
      a[u][u] = fit.report.certificates.at(0).values.at(0);
      for (std::size_t v = 0; v < n; ++v)
        if (!is_given(c, u) && !is_given(c, v)) a[u][v] -= centered[u][v];
      if (is_given(c, u)) continue;
      for (std::size_t i = 0; i < c.labeled.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          const double y = (c.labeled.class_of()[i] == k ? 1.0 : 0.0) - (k == 2 ? 0.2 : 0.4);
          b(static_cast<std::int64_t>(u), k) +=
              centered[u][static_cast<std::size_t>(c.labeled.vertices()[i])] * y;
        }
    }
    Block expected = positive_shares(dense_solve(a, b));
    for (std::size_t i = 0; i < c.labeled.size(); ++i)
      for (int k = 0; k < 3; ++k)
        expected(c.labeled.vertices()[i], k) = c.labeled.class_of()[i] == k ? 1.0 : 0.0;
    CHECK(max_difference(fit.scores.values, expected) < 1e-7);
  }
}

TEST_CASE("p-eikonal: the fixed point of repeated local solves by bisection") {
  for (const double p : {1.0, 1.7, 2.0, 8.0}) {
    for (const double density : {0.0, 1.0}) {
      const Case c = random_case(12);
      const std::size_t n = c.w.size();
      const std::vector<double> degree = row_sums(c.w);
      double mean = 0.0;
      for (const double d : degree) mean += d / static_cast<double>(n);
      Block distance(30, 3);
      for (int k = 0; k < 3; ++k) {
        std::vector<double> x(n, 1e3);  // above every answer
        for (std::size_t i = 0; i < c.labeled.size(); ++i)
          if (c.labeled.class_of()[i] == k)
            x[static_cast<std::size_t>(c.labeled.vertices()[i])] = 0.0;
        bool moved = true;
        for (int sweep = 0; moved && sweep < 200; ++sweep) {
          moved = false;
          for (std::size_t u = 0; u < n; ++u) {
            if (x[u] == 0.0) continue;
            double low = 0.0;
            double high = 1e3;
            for (int step = 0; step < 80; ++step) {
              const double middle = 0.5 * (low + high);
              double sum = 0.0;
              for (std::size_t v = 0; v < n; ++v)
                sum += c.w[u][v] * std::pow(std::max(middle - x[v], 0.0), p);
              (sum < mean * std::pow(mean / degree[u], density) ? low : high) = middle;
            }
            moved |= x[u] != high;
            x[u] = high;
          }
        }
        for (std::size_t v = 0; v < n; ++v) distance(static_cast<std::int64_t>(v), k) = x[v];
      }
      Block expected = one_hot(c);
      for (std::size_t v = 0; v < n; ++v) {
        if (is_given(c, v)) continue;
        const auto row = distance.row(static_cast<std::int64_t>(v));
        for (std::size_t k = 0; k < 3; ++k)
          expected.row(static_cast<std::int64_t>(v))[k] =
              1.0 / row[k] / (1.0 / row[0] + 1.0 / row[1] + 1.0 / row[2]);
      }
      CAPTURE(p, density);
      const Fit fit =
          PEikonalLearner({.p = p, .density = density}).fit(c.graph, c.labeled, on_threads(2));
      CHECK(max_difference(fit.scores.values, expected) < equal);
      for (const double residual : fit.report.certificates.at(0).values) CHECK(residual < 1e-9);
    }
  }
}

TEST_CASE("p-eikonal on a path is the distance to the labels for every p") {
  const Graph path = graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}});
  for (const double p : {1.0, 3.0, 50.0}) {
    const Fit fit = PEikonalLearner({.p = p}).fit(path, classes({0, 3}, {0, 1}, 2), {});
    CHECK(fit.scores.values(1, 0) == Approx(2.0 / 3.0));
  }
}

TEST_CASE("regression: the reweighted learners stay within the targets and meet them") {
  const Graph graph = random_graph(40, 40, 2);
  const LabeledSet targets = LabeledSet::targets({3, 17, 25}, {-1.0, 0.5, 4.0});
  for (const Fit& fit :
       {WnllLearner().fit(graph, targets, {}), ProperlyWeightedLearner().fit(graph, targets, {}),
        PoissonReweightedLearner().fit(graph, targets, {})}) {
    CHECK(fit.scores.values(17, 0) == 0.5);
    for (const double value : fit.scores.values.values()) {
      CHECK(value >= -1.0);
      CHECK(value <= 4.0);
    }
  }
  const auto error =
      error_of([&] { WnllLearner({.mass = MassRule::cmn}).fit(graph, targets, {}); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
}

TEST_CASE("options out of range are refused by name") {
  const auto message = [](auto&& make) {
    const auto error = error_of(make);
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
    return std::string(error->what());
  };
  CHECK(message([] { WnllLearner({.weight = -1.0}); }).find("weight=-1") != std::string::npos);
  CHECK(message([] { ProperlyWeightedLearner({.alpha = 0.0}); }).find("alpha=0") !=
        std::string::npos);
  CHECK(message([] { ProperlyWeightedLearner({.ceiling = 1.0}); }).find("ceiling=1") !=
        std::string::npos);
  CHECK(message([] { PoissonReweightedLearner({.floor = 1.0}); }).find("floor=1") !=
        std::string::npos);
  CHECK(message([] { PoissonReweightedLearner({.tau = std::nan("")}); }).find("tau=nan") !=
        std::string::npos);
  CHECK(message([] { RandomWalkLearner({.alpha = 1.0}); }).find("alpha=1") != std::string::npos);
  CHECK(message([] { CenteredKernelLearner({.alpha = 1.0}); }).find("alpha=1") !=
        std::string::npos);
  CHECK(message([] { PEikonalLearner({.p = 0.5}); }).find("p=0.5") != std::string::npos);
  CHECK(message([] { SparseLabelPropagationLearner({.gap = 0.0}); }).find("gap=0") !=
        std::string::npos);
  CHECK(message([] { PoissonLearner({.priors = {1.0}}); }).find("mass") != std::string::npos);
  const Case c = random_case(1);
  CHECK(message([&] {
          PoissonLearner({.mass = MassRule::priors, .priors = {1.0}}).fit(c.graph, c.labeled, {});
        }).find("3 classes") != std::string::npos);
}
