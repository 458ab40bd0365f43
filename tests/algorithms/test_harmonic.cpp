// Harmonic labels against hand calculations and the dense twin.

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>
#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "gssl/transductive/harmonic.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// (L + diag(ground)) X = B in full.
Block dense_grounded_solve(const Graph& graph, const std::vector<double>& ground, Block b) {
  std::vector<std::vector<double>> a = dense_adjacency(graph);
  for (std::size_t u = 0; u < a.size(); ++u) {
    double degree = 0.0;
    for (double& w : a[u]) {
      degree += w;
      w = -w;
    }
    a[u][u] = degree + ground[u];
  }
  return dense_solve(std::move(a), std::move(b));
}

// Rows of given vertices replaced by the identity: L_uu X = W_uℓ Y in full.
Block dense_harmonic(const Graph& graph, const LabeledSet& labeled) {
  std::vector<std::vector<double>> a = dense_adjacency(graph);
  for (std::size_t u = 0; u < a.size(); ++u) {
    double degree = 0.0;
    for (double& w : a[u]) {
      degree += w;
      w = -w;
    }
    a[u][u] = degree;
  }
  const Block targets = labeled.target_block();
  Block b(graph.vertex_count(), targets.columns());
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    std::ranges::fill(a[static_cast<std::size_t>(v)], 0.0);
    a[static_cast<std::size_t>(v)][static_cast<std::size_t>(v)] = 1.0;
    std::ranges::copy(targets.row(static_cast<std::int64_t>(i)), b.row(v).begin());
  }
  return dense_solve(std::move(a), std::move(b));
}

Fit fit(const HarmonicOptions& options, const Graph& graph, const LabeledSet& labeled) {
  return HarmonicLearner(options).fit(graph, labeled, on_threads(2));
}

}  // namespace

TEST_CASE("on a weighted path the potential falls in proportion to the resistance") {
  // 0 -2- 1 -1- 2 -1- 3: resistances ½, 1, 1 between labels 1 and 0.
  const Graph path = graph_from_edges(4, {{0, 1, 2.0}, {1, 2, 1.0}, {2, 3, 1.0}});
  const Fit result = fit({}, path, LabeledSet::targets({0, 3}, {1.0, 0.0}));
  CHECK(result.scores.values(1, 0) == Approx(0.8));
  CHECK(result.scores.values(2, 0) == Approx(0.4));
}

TEST_CASE("harmonic scores equal the dense solution, classes and real targets alike") {
  const Graph graph = random_graph(60, 90, 21);
  const LabeledSet given = classes({1, 8, 17, 33, 50, 59}, {2, 0, 1, 3, 0, 2}, 4);
  const Fit result = fit({}, graph, given);
  CHECK(max_difference(result.scores.values, dense_harmonic(graph, given)) < 1e-9);
  const LabeledSet targets = LabeledSet::targets({4, 30, 44}, {-7.0, 2.5, 100.0});
  CHECK(max_difference(fit({}, graph, targets).scores.values, dense_harmonic(graph, targets)) <
        1e-7);
}

TEST_CASE("every solver kind gives the same harmonic scores to 1e-6") {
  const Graph graph = random_graph(300, 600, 22);
  const LabeledSet given = classes({1, 80, 117, 233, 250, 299}, {2, 0, 1, 2, 0, 1}, 3);
  const Fit reference = fit({.solver = SolverKind::cholesky}, graph, given);
  for (const SolverKind kind : {SolverKind::automatic, SolverKind::conjugate_gradient,
                                SolverKind::consensus, SolverKind::asynchronous_consensus}) {
    CAPTURE(std::string(to_string(kind)));
    const Fit other = fit({.solver = kind}, graph, given);
    CHECK(other.report.converged());
    CHECK(other.report.relative_residual() <= 1e-10);
    CHECK(max_difference(other.scores.values, reference.scores.values) < 1e-6);
  }
}

TEST_CASE("soft labels equal the dense solution and approach hard ones as c grows") {
  const Graph graph = random_graph(40, 60, 23);
  const LabeledSet given = classes({0, 9, 21, 35}, {0, 1, 2, 1}, 3);
  const double c = 0.7;
  Block b(40, 3);
  std::vector<double> ground(40, 0.0);
  for (std::size_t i = 0; i < given.size(); ++i) {
    ground[static_cast<std::size_t>(given.vertices()[i])] = c;
    b(given.vertices()[i], given.class_of()[i]) = c;
  }
  const Fit soft = fit({.soft = c}, graph, given);
  CHECK(max_difference(soft.scores.values, dense_grounded_solve(graph, ground, b)) < 1e-9);
  CHECK(soft.scores.status[9] == VertexStatus::given);
  CHECK(soft.confidence[9] < 1.0);
  const Fit nearly_hard = fit({.soft = 1e8}, graph, given);
  CHECK(max_difference(nearly_hard.scores.values, fit({}, graph, given).scores.values) < 1e-6);
}

TEST_CASE("a wrong label among right ones is outvoted when labels are soft") {
  // A clique of five whose vertex 4 is mislabelled, beside a clique with true ones.
  const Graph graph = two_cliques(5);
  const LabeledSet given = classes({0, 1, 2, 4, 7, 8, 9}, {0, 0, 0, 1, 1, 1, 1}, 2);
  const Fit soft = fit({.soft = 0.5}, graph, given);
  CHECK(soft.decision[4] == 0);
  CHECK(soft.scores.status[4] == VertexStatus::given);
  CHECK(fit({}, graph, given).decision[4] == 1);
}

TEST_CASE("soft labels leave components without a label unreached") {
  const Graph graph = graph_from_edges(5, {{0, 1}, {2, 3}});
  const Fit soft = fit({.soft = 2.0}, graph, classes({0}, {1}, 2));
  CHECK(soft.decision == std::vector<int>{1, 1, -1, -1, -1});
  CHECK(soft.scores.values(1, 1) == Approx(1.0));
  for (VertexId v = 2; v < 5; ++v) {
    CHECK(soft.scores.status[static_cast<std::size_t>(v)] == VertexStatus::unreached);
    CHECK(soft.scores.values(v, 0) == 0.0);
  }
}

TEST_CASE("class mass normalization meets the proportions and keeps the decision of the rule") {
  const Graph graph = random_graph(80, 100, 24, 2);
  const LabeledSet given = classes({0, 2, 4, 10, 20}, {0, 0, 0, 1, 2}, 3);  // odd part unreached
  const Fit plain = fit({}, graph, given);
  const Fit cmn = fit({.mass = MassRule::cmn}, graph, given);
  const Fit priors = fit({.mass = MassRule::priors, .priors = {1.0, 1.0, 6.0}}, graph, given);
  const auto check_rule = [&](const Fit& rescaled, const std::vector<double>& q) {
    std::vector<double> mass(3, 0.0);
    for (VertexId v = 0; v < 80; ++v)
      if (plain.scores.status[static_cast<std::size_t>(v)] == VertexStatus::inferred)
        for (int k = 0; k < 3; ++k) mass[static_cast<std::size_t>(k)] += plain.scores.values(v, k);
    for (VertexId v = 0; v < 80; ++v) {
      const auto i = static_cast<std::size_t>(v);
      if (plain.scores.status[i] != VertexStatus::inferred) {
        CHECK(std::ranges::equal(rescaled.scores.values.row(v), plain.scores.values.row(v)));
        continue;
      }
      double sum = 0.0;
      for (std::size_t k = 0; k < 3; ++k)
        sum += plain.scores.values(v, static_cast<std::int64_t>(k)) * q[k] / mass[k];
      int best = 0;
      for (int k = 0; k < 3; ++k) {
        const auto j = static_cast<std::size_t>(k);
        const double expected = plain.scores.values(v, k) * q[j] / mass[j] / sum;
        CHECK(rescaled.scores.values(v, k) == Approx(expected));
        if (rescaled.scores.values(v, k) > rescaled.scores.values(v, best)) best = k;
      }
      CHECK(rescaled.decision[i] == best);
    }
  };
  check_rule(cmn, {0.6, 0.2, 0.2});
  check_rule(priors, {1.0, 1.0, 6.0});
}

TEST_CASE("proportions that do not fit the problem are usage errors") {
  const Graph graph = graph_from_edges(3, {{0, 1}, {1, 2}});
  const HarmonicLearner three({.mass = MassRule::priors, .priors = {1.0, 1.0, 1.0}});
  const auto wrong_count = error_of([&] {
    three.fit(graph, classes({0, 2}, {0, 1}, 2), on_threads(1));
  });
  REQUIRE(wrong_count);
  CHECK(wrong_count->code() == ErrorCode::usage);
  const HarmonicLearner cmn({.mass = MassRule::cmn});
  const auto real =
      error_of([&] { cmn.fit(graph, LabeledSet::targets({0}, {1.0}), on_threads(1)); });
  REQUIRE(real);
  CHECK(real->code() == ErrorCode::usage);
}

TEST_CASE("a class with a proportion but no mass is warned of") {
  const Graph graph = graph_from_edges(4, {{0, 1}, {2, 3}});
  const LabeledSet given = classes({0, 2, 3}, {0, 1, 1}, 2);  // only vertex 1 is inferred: class 0
  const Fit cmn = fit({.mass = MassRule::cmn}, graph, given);
  REQUIRE(cmn.report.warnings.size() == 1);
  CHECK_THAT(cmn.report.warnings[0], Catch::Contains("'c1'"));
  CHECK(cmn.scores.values(1, 0) == 1.0);
}

TEST_CASE("two joined cliques with a label each keep their own label ever better as they grow") {
  // D_m: label 1 at vertex 0, 0 at vertex 2m−1. The bridge takes 1/(1 + 4/m) of the fall, since the
  // resistance between two vertices of a clique is 2/m, and by symmetry the rest lies half-way.
  for (const VertexId m : {5, 20, 80}) {
    const Fit result = fit({}, two_cliques(m), LabeledSet::targets({0, 2 * m - 1}, {1.0, 0.0}));
    const double total = 1.0 + 4.0 / m;
    CHECK(result.scores.values(m - 1, 0) == Approx(1.0 - 2.0 / m / total));
    CHECK(result.scores.values(m, 0) == Approx(2.0 / m / total));
    CHECK(result.scores.values(1, 0) == Approx(1.0 - 1.0 / m / total));
  }
}

TEST_CASE("the class that is left out of the solve meets the tolerance too") {
  // Eight classes hold one corner of a grid together, the ninth holds the other: the eight columns
  // solved are the same, and so are their residuals, which add up in the ninth.
  constexpr VertexId side = 30, corner = 0, other = side * side - 1, classes = 9;
  const double tolerance = 1e-4;
  std::vector<Edge> edges;
  const Graph grid = grid_graph(side, side);
  for (VertexId u = 0; u <= other; ++u)
    grid.visit_row(u, [&](VertexId v, double w) {
      if (u < v) edges.push_back({u, v, w});
    });
  std::vector<VertexId> vertices;
  std::vector<std::string> label;
  for (VertexId k = 0; k < classes; ++k) {
    vertices.push_back(other + 1 + k);
    label.push_back("class " + std::to_string(k));
    edges.push_back({k + 1 < classes ? corner : other, other + 1 + k, 1.0});
  }
  const Graph graph = graph_from_edges(other + 1 + classes, edges);
  const LabeledSet labeled = LabeledSet::classes(vertices, label);
  for (const double soft : {0.0, 2.0}) {
    HarmonicOptions options{.soft = soft, .tolerance = tolerance};
    options.solver = SolverKind::conjugate_gradient;
    const Fit result = fit(options, graph, labeled);
    INFO("soft " << soft);
    CHECK(result.report.converged());
    const Block& x = result.scores.values;
    Block lx;
    apply_laplacian(graph, LaplacianKind::combinatorial, x, lx);
    for (VertexId k = 0; k < classes; ++k) {
      double left = 0.0, given = soft == 0.0 ? 1.0 : soft * soft;
      for (VertexId v = 0; v < graph.vertex_count(); ++v) {
        const double held = v == other + 1 + k ? 1.0 : 0.0;
        if (v > other && soft == 0.0) continue;
        const double r = v > other ? soft * (held - x(v, k)) - lx(v, k) : lx(v, k);
        left += r * r;
      }
      INFO("class " << k);
      CHECK(std::sqrt(left / given) <= tolerance * (1.0 + 1e-6));
      CHECK(result.report.relative_residual() >= std::sqrt(left / given) * (1.0 - 1e-6));
    }
  }
}

TEST_CASE("a cancelled or late run says so and its scores are finite and in range") {
  const Graph graph = random_graph(3000, 9000, 25);
  const LabeledSet given = classes({0, 1500, 2999}, {0, 1, 0}, 2);
  RunContext late = on_threads(1);
  late.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
  std::atomic<bool> raised{true};
  RunContext cancelled = on_threads(1);
  cancelled.cancel = &raised;
  const HarmonicLearner learner({.solver = SolverKind::consensus});
  const Fit stopped = learner.fit(graph, given, cancelled);
  CHECK(stopped.report.outcome == Outcome::cancelled);
  CHECK(learner.fit(graph, given, late).report.outcome == Outcome::time_limit);
  for (const double score : stopped.scores.values.values()) {
    CHECK(score >= 0.0);
    CHECK(score <= 1.0);
  }
}
