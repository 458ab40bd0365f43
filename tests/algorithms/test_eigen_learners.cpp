// Labels in the span of eigenvectors and eigenfunctions.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/spectrum.hpp"
#include "gssl/transductive/eigenfunction.hpp"
#include "gssl/transductive/eigenvector.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

Block clamped(Block f) {
  for (std::int64_t v = 0; v < f.rows(); ++v) {
    double sum = 0.0;
    for (double& x : f.row(v)) sum += x = std::clamp(x, 0.0, 1.0);
    for (double& x : f.row(v)) x /= sum;
  }
  return f;
}

// The slow twin: argmin fᵀLf + c Σ d_i (y_i − f_i)² over f = B a, from the full matrices.
Block projected_fit(const Graph& graph, const Block& b, const LabeledSet& labeled, double c) {
  const VertexId n = graph.vertex_count();
  const auto w = dense_adjacency(graph);
  std::vector<std::vector<double>> m(static_cast<std::size_t>(n),
                                     std::vector<double>(static_cast<std::size_t>(n), 0.0));
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = 0; v < n; ++v) {
      const auto i = static_cast<std::size_t>(u), j = static_cast<std::size_t>(v);
      m[i][j] = (u == v ? graph.weighted_degree(u) : 0.0) - w[i][j];
    }
  const Block y = labeled.target_block();
  Block right(n, y.columns());
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    const double weight = c * graph.weighted_degree(v);
    m[static_cast<std::size_t>(v)][static_cast<std::size_t>(v)] += weight;
    for (std::int64_t k = 0; k < y.columns(); ++k)
      right(v, k) = weight * y(static_cast<std::int64_t>(i), k);
  }
  const std::int64_t k = b.columns();
  std::vector<std::vector<double>> small(static_cast<std::size_t>(k),
                                         std::vector<double>(static_cast<std::size_t>(k), 0.0));
  Block small_right(k, y.columns());
  for (std::int64_t p = 0; p < k; ++p) {
    for (std::int64_t q = 0; q < k; ++q)
      for (VertexId u = 0; u < n; ++u)
        for (VertexId v = 0; v < n; ++v)
          small[static_cast<std::size_t>(p)][static_cast<std::size_t>(q)] +=
              b(u, p) * m[static_cast<std::size_t>(u)][static_cast<std::size_t>(v)] * b(v, q);
    for (std::int64_t j = 0; j < y.columns(); ++j)
      for (VertexId u = 0; u < n; ++u) small_right(p, j) += b(u, p) * right(u, j);
  }
  const Block a = dense_solve(small, small_right);
  Block f(n, y.columns());
  for (VertexId v = 0; v < n; ++v)
    for (std::int64_t p = 0; p < k; ++p)
      for (std::int64_t j = 0; j < y.columns(); ++j) f(v, j) += b(v, p) * a(p, j);
  return clamped(f);
}

Block identity(VertexId n) {
  Block b(n, n);
  for (VertexId v = 0; v < n; ++v) b(v, v) = 1.0;
  return b;
}

// Three groups of `per_class` points in `d` dimensions, far apart in the first two.
Points three_groups(VertexId per_class, std::int64_t d, std::vector<int>& truth) {
  Rng rng(8);
  std::vector<double> values;
  truth.clear();
  for (int c = 0; c < 3; ++c)
    for (VertexId i = 0; i < per_class; ++i) {
      truth.push_back(c);
      for (std::int64_t j = 0; j < d; ++j)
        values.push_back(rng.normal() + (j == 0 ? 8.0 * c : 0.0) + (j == 1 && c == 1 ? 9.0 : 0.0));
    }
  return Points::dense(3 * per_class, d, std::move(values));
}

}  // namespace

TEST_CASE(
    "eigenvector labels are the soft fit projected on the span, and with k = n the whole fit") {
  const Graph graph = random_graph(36, 50, 3);
  const LabeledSet labeled = classes({2, 9, 17, 30}, {0, 1, 2, 1}, 3);
  const Fit all = EigenvectorLearner({.k = 36, .weight = 7.0}).fit(graph, labeled, on_threads(1));
  CHECK(max_difference(all.scores.values, projected_fit(graph, identity(36), labeled, 7.0)) < 1e-9);

  const Fit some = EigenvectorLearner({.k = 6, .weight = 7.0}).fit(graph, labeled, on_threads(1));
  const Spectrum s = smallest_eigenpairs(
      graph, {.count = 6, .kind = LaplacianKind::random_walk, .method = SpectrumMethod::dense},
      on_threads(1));
  // Another basis of the same span, so that nothing of the eigenvectors but the span is used.
  Block basis(36, 6);
  for (VertexId v = 0; v < 36; ++v)
    for (std::int64_t j = 0; j < 6; ++j)
      for (std::int64_t i = 0; i <= j; ++i)
        basis(v, j) += s.vectors(v, i) * (i == j ? 1.0 : 0.3 * static_cast<double>(i - j));
  CHECK(max_difference(some.scores.values, projected_fit(graph, basis, labeled, 7.0)) < 1e-9);
  CHECK(max_difference(some.scores.values, all.scores.values) > 1e-3);
  CHECK(some.report.certificates.front().name == "residuals");
  CHECK(some.report.certificates.front().values.size() == 7);
}

TEST_CASE("an eigenspace is used whole or not at all") {
  // On the complete graph all eigenvalues but the zero are copies: k = 4 leaves the constant alone.
  std::vector<Edge> edges;
  for (VertexId u = 0; u < 8; ++u)
    for (VertexId v = u + 1; v < 8; ++v) edges.push_back({u, v});
  const Graph graph = graph_from_edges(8, edges);
  const Fit fit =
      EigenvectorLearner({.k = 4}).fit(graph, classes({0, 1, 2}, {0, 1, 1}, 2), on_threads(1));
  for (VertexId v = 0; v < 8; ++v) CHECK(fit.scores.values(v, 1) == Approx(2.0 / 3));
  REQUIRE(fit.report.warnings.size() == 1);
  CHECK(fit.report.warnings.front() ==
        "eigenvector: eigenvalue k = 4 has copies beyond it; all are left out, and 1 eigenvector "
        "is used");
  // more than there are is all of them
  CHECK(EigenvectorLearner({.k = std::numeric_limits<int>::max()})
            .fit(graph, classes({0, 1, 2}, {0, 1, 1}, 2), on_threads(1))
            .scores.values == EigenvectorLearner({.k = 8})
                                  .fit(graph, classes({0, 1, 2}, {0, 1, 1}, 2), on_threads(1))
                                  .scores.values);
  CHECK(error_of([] { EigenvectorLearner({.k = 0}); }));
  CHECK(error_of([] { EigenvectorLearner({.weight = -1.0}); }));
  CHECK(error_of([] { EigenvectorLearner({.tolerance = 2.0}); }));
}

TEST_CASE("eigenfunctions label far groups of points, whichever way they are turned") {
  std::vector<int> truth;
  const Points points = three_groups(3000, 4, truth);
  const LabeledSet labeled = classes({0, 1, 3000, 3001, 6000, 6001}, {0, 0, 1, 1, 2, 2}, 3);
  const EigenfunctionLearner learner;
  const Fit fit = learner.fit(points, labeled, on_threads(1));
  std::vector<VertexId> rest;
  for (VertexId v = 0; v < 9000; ++v)
    if (v % 3000 > 1) rest.push_back(v);
  CHECK(accuracy(fit.decision, truth, rest) > 0.99);
  CHECK(fit.scores.values == learner.fit(points, labeled, on_threads(4)).scores.values);
  const std::vector<double>& sigma = fit.report.certificates.front().values;
  CHECK(sigma.size() == 20);
  CHECK(std::is_sorted(sigma.begin(), sigma.end()));
  CHECK(sigma.front() > 0.0);

  std::vector<double> turned;
  for (VertexId v = 0; v < 9000; ++v) {
    const double x = points.value(v, 0), y = points.value(v, 2);
    turned.insert(turned.end(), {0.6 * x - 0.8 * y, points.value(v, 1) + 5.0, 0.8 * x + 0.6 * y,
                                 points.value(v, 3)});
  }
  const Fit other = learner.fit(Points::dense(9000, 4, turned), labeled, on_threads(1));
  CHECK(max_difference(other.scores.values, fit.scores.values) < 1e-4);
}

TEST_CASE("eigenfunction labels do not depend on the scale of the points") {
  std::vector<int> truth;
  const Points points = three_groups(100, 4, truth);
  const LabeledSet labeled = classes({0, 100, 200}, {0, 1, 2}, 3);
  const auto scaled = [&](int exponent) {
    std::vector<double> values;
    for (VertexId v = 0; v < points.rows(); ++v)
      for (std::int64_t j = 0; j < 4; ++j)
        values.push_back(std::ldexp(points.value(v, j), exponent));
    return Points::dense(points.rows(), 4, std::move(values));
  };
  const EigenfunctionLearner learner;
  const Block scores = learner.fit(points, labeled, on_threads(1)).scores.values;
  for (const int exponent : {-960, -560, 3, 560, 1015})
    CHECK(learner.fit(scaled(exponent), labeled, on_threads(1)).scores.values == scores);
  // one far point leaves the others a spread whose square no double holds, or none at all
  for (const double far : {1e150, 1e300}) {
    std::vector<double> values;
    for (int v = 0; v < 300; ++v) values.push_back(v == 7 ? far : 1e-40 * (v % 11));
    const Fit fit = learner.fit(Points::dense(300, 1, values), labeled, on_threads(1));
    for (const double s : fit.scores.values.values()) CHECK((s >= 0.0 && s <= 1.0));
  }
}

TEST_CASE("eigenfunction labels do not depend on the order and the signs of the columns") {
  std::vector<int> truth;
  const Points points = three_groups(100, 4, truth);
  const LabeledSet labeled = classes({0, 100, 200}, {0, 1, 2}, 3);
  const auto scores_of = [&](const std::vector<int>& order, const std::vector<double>& sign) {
    std::vector<double> values;
    for (VertexId v = 0; v < points.rows(); ++v)
      for (std::size_t j = 0; j < 4; ++j) values.push_back(sign[j] * points.value(v, order[j]));
    return EigenfunctionLearner()
        .fit(Points::dense(points.rows(), 4, std::move(values)), labeled, on_threads(1))
        .scores.values;
  };
  const Block scores = scores_of({0, 1, 2, 3}, {1, 1, 1, 1});
  CHECK(max_difference(scores_of({0, 1, 2, 3}, {-1, 1, -1, 1}), scores) < 1e-9);
  CHECK(max_difference(scores_of({0, 1, 2, 3}, {-1, -1, -1, -1}), scores) < 1e-9);
  CHECK(max_difference(scores_of({2, 0, 3, 1}, {1, 1, 1, 1}), scores) < 1e-9);
  CHECK(max_difference(scores_of({3, 2, 1, 0}, {1, -1, -1, 1}), scores) < 1e-9);
}

TEST_CASE("outliers that hang by almost nothing do not spoil the fit in eigenvectors") {
  // Two grids joined by one weak edge; ten vertices each tied to them by less than the one before.
  const Graph grid = grid_graph(6, 6);
  std::vector<Edge> edges{{35, 36, 1e-3}};
  for (VertexId u = 0; u < 36; ++u)
    for (const VertexId v : grid.neighbors(u))
      if (u < v) edges.insert(edges.end(), {{u, v, 1.0}, {36 + u, 36 + v, 1.0}});
  for (VertexId i = 0; i < 10; ++i)
    edges.push_back({7 * i, 72 + i, std::max(5e-324, std::pow(10.0, -14.0 - 34.0 * i))});
  const Graph graph = graph_from_edges(82, edges);
  const LabeledSet labeled = classes({3, 50}, {0, 1}, 2);
  for (const int k : {2, 5, 12, 20, 40, 82}) {
    INFO(k << " eigenvectors");
    const Fit fit = EigenvectorLearner({.k = k}).fit(graph, labeled, on_threads(1));
    for (const double score : fit.scores.values.values()) CHECK((score >= 0.0 && score <= 1.0));
    CHECK(fit.decision[3] == 0);
    CHECK(fit.decision[50] == 1);
    if (k < 12) continue;
    for (VertexId v = 0; v < 72; ++v)
      CHECK(fit.decision[static_cast<std::size_t>(v)] == (v < 36 ? 0 : 1));
  }
}

TEST_CASE("eigenfunctions that are stopped say so") {
  std::vector<int> truth;
  const LabeledSet labeled = classes({0, 20, 40}, {0, 1, 2}, 3);
  // In the middle of the axes, and in the fit of many functions.
  for (const EigenfunctionOptions& options :
       {EigenfunctionOptions{.k = 12}, EigenfunctionOptions{.k = 2900, .bins = 50}}) {
    const Points points = three_groups(20, options.k == 12 ? 12 : 60, truth);
    RunContext run = on_threads(1);
    run.progress = [&](std::string_view stage, double done) {
      const double enough = options.k == 12 ? 0.5 : 59.0 / 60.0;
      if (stage == "eigenfunctions" && done >= enough && !run.deadline)
        run.deadline =
            RunContext::Clock::now() + std::chrono::milliseconds(options.k == 12 ? 0 : 200);
    };
    const Fit fit = EigenfunctionLearner(options).fit(points, labeled, run);
    INFO(options.k << " functions");
    CHECK(fit.report.outcome == Outcome::time_limit);
    for (const double s : fit.scores.values.values()) CHECK((s >= 0.0 && s <= 1.0));
  }
  const std::atomic<bool> stop{true};
  RunContext cancelled = on_threads(1);
  cancelled.cancel = &stop;
  const Fit none = EigenfunctionLearner().fit(three_groups(20, 3, truth), labeled, cancelled);
  CHECK(none.report.outcome == Outcome::cancelled);
  CHECK(none.scores.values(5, 0) == Approx(1.0 / 3));
}

TEST_CASE("eigenfunctions of degenerate points") {
  const EigenfunctionLearner learner;
  const LabeledSet two = classes({0, 2}, {0, 1}, 2);
  // All the same: the constant alone, the mean of the labels.
  const Fit flat =
      learner.fit(Points::dense(4, 2, std::vector<double>(8, 1.5)), two, on_threads(1));
  CHECK(flat.scores.values(3, 0) == Approx(0.5));
  const Fit none = learner.fit(Points::dense(3, 0, std::vector<float>{}), two, on_threads(1));
  CHECK(none.scores.values(1, 1) == Approx(0.5));
  const Fit one = learner.fit(Points::dense(1, 1, std::vector<float>{2.0F}), classes({0}, {0}, 1),
                              on_threads(1));
  CHECK(one.scores.values(0, 0) == 1.0);
  // Sparse rows give what dense ones give.
  const Points dense = Points::dense(4, 3, std::vector<double>{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 1, 1});
  const Points sparse =
      Points::sparse(4, 3, {0, 1, 2, 3, 5}, {0, 1, 2, 1, 2}, std::vector<double>{1, 2, 3, 1, 1});
  CHECK(learner.fit(sparse, two, on_threads(1)).scores.values ==
        learner.fit(dense, two, on_threads(1)).scores.values);
  CHECK(error_of([&] { learner.fit(dense, classes({4}, {0}, 1), on_threads(1)); }));
  CHECK(error_of([&] { learner.fit(dense, LabeledSet::targets({0}, {1.0}), on_threads(1)); }));
  CHECK(error_of([&] {
    learner.fit(Points::dense(1, 5001, std::vector<float>(5001)), classes({0}, {0}, 1),
                on_threads(1));
  }));
  for (const EigenfunctionOptions& wrong :
       {EigenfunctionOptions{.k = 0}, EigenfunctionOptions{.bins = 2},
        EigenfunctionOptions{.scale = 0.0}, EigenfunctionOptions{.weight = std::nan("")}})
    CHECK(error_of([&] { EigenfunctionLearner{wrong}; }));
  CHECK(error_of([] {
    builtin_learners()
        .make("eigenfunction")
        .transductive()
        .fit(Graph(), LabeledSet(), on_threads(1));
  }));
}
