// Walks and kernels of a graph: hand-checked chains, simulated walkers, dense twins.

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "fixtures.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/laplacian.hpp"
#include "gssl/network/graph_kernel.hpp"
#include "gssl/network/walks.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

using Matrix = std::vector<std::vector<double>>;

Matrix multiply(const Matrix& a, const Matrix& b) {
  const std::size_t n = a.size();
  Matrix c(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j) c[i][j] += a[i][k] * b[k][j];
  return c;
}

Matrix identity(std::size_t n) {
  Matrix a(n, std::vector<double>(n, 0.0));
  for (std::size_t i = 0; i < n; ++i) a[i][i] = 1.0;
  return a;
}

// I·x + a·y
Matrix combined(double x, double y, const Matrix& a) {
  Matrix c = a;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < a.size(); ++j) c[i][j] = y * a[i][j] + (i == j ? x : 0.0);
  return c;
}

Matrix inverted(const Matrix& a) {
  const auto n = static_cast<std::int64_t>(a.size());
  Block ones(n, n);
  for (std::int64_t i = 0; i < n; ++i) ones(i, i) = 1.0;
  const Block x = dense_solve(a, ones);
  Matrix c(a.size(), std::vector<double>(a.size()));
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) c[index(i)][index(j)] = x(i, j);
  return c;
}

// exp(−t a) by Taylor's series of a small step, squared back.
Matrix decayed(const Matrix& a, double t) {
  constexpr int halvings = 12;
  const Matrix step = combined(0.0, -std::ldexp(t, -halvings), a);
  Matrix term = identity(a.size()), sum = term;
  for (int k = 1; k <= 20; ++k) {
    term = combined(0.0, 1.0 / k, multiply(term, step));
    for (std::size_t i = 0; i < a.size(); ++i)
      for (std::size_t j = 0; j < a.size(); ++j) sum[i][j] += term[i][j];
  }
  for (int k = 0; k < halvings; ++k) sum = multiply(sum, sum);
  return sum;
}

// L or L_sym, and W or D^-½WD^-½, of a graph that may have isolated vertices.
struct Dense {
  Matrix laplacian, adjacency;
  Dense(const Graph& graph, bool normalized) : adjacency(dense_adjacency(graph)) {
    const std::size_t n = adjacency.size();
    std::vector<double> degree(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      degree[i] = std::accumulate(adjacency[i].begin(), adjacency[i].end(), 0.0);
    if (normalized)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j)
          if (adjacency[i][j] > 0.0) adjacency[i][j] /= std::sqrt(degree[i] * degree[j]);
    laplacian = combined(0.0, -1.0, adjacency);
    for (std::size_t i = 0; i < n; ++i)
      laplacian[i][i] = normalized ? (degree[i] > 0.0 ? 1.0 : 0.0) : degree[i];
  }
};

Block kernel_matrix(const Graph& graph, const GraphKernelOptions& options,
                    std::vector<double>* diagonal = nullptr) {
  const GraphKernel kernel(std::make_shared<const Graph>(graph), options, {});
  const KernelProduct all = kernel.columns(identity_order(graph.vertex_count()), {});
  CHECK(all.report.converged());
  if (diagonal != nullptr) *diagonal = kernel.diagonal({}).value();
  return all.values;
}

double difference(const Block& found, const Matrix& expected) {
  double worst = 0.0;
  for (std::int64_t i = 0; i < found.rows(); ++i)
    for (std::int64_t j = 0; j < found.columns(); ++j)
      worst = std::max(worst, std::abs(found(i, j) - expected[index(i)][index(j)]));
  return worst;
}

// A connected part of 18 vertices, a pair, and an isolated vertex.
Graph small_graph() {
  const Graph part = random_graph(18, 20, 6);
  std::vector<Edge> edges{{18, 19, 0.7}};
  for (VertexId u = 0; u < 18; ++u)
    part.visit_row(u, [&](VertexId v, double w) {
      if (v > u) edges.push_back({u, v, w});
    });
  return graph_from_edges(21, edges);
}

}  // namespace

TEST_CASE("a path of six: absorption is linear, hitting times are squares") {
  const Graph path = path_graph(6);
  const Absorption ends = absorption_probabilities(path, {5, 0}, {}, {});
  const HittingTimes to_end = hitting_times(path, {5}, {}, {});
  for (VertexId v = 0; v < 6; ++v) {
    CHECK(ends.probability(v, 0) == Approx(v / 5.0).margin(1e-12));
    CHECK(ends.probability(v, 0) + ends.probability(v, 1) == Approx(1.0));
    CHECK(to_end.steps[index(v)] == Approx(25.0 - v * v));
  }
  CHECK(to_end.report.converged());
}

TEST_CASE("commute time is the hitting times there and back, and resistance times volume") {
  const Graph graph = small_graph();
  const double there = hitting_times(graph, {11}, {}, {}).steps[2];
  const double back = hitting_times(graph, {2}, {}, {}).steps[11];
  const auto commute = commute_times(graph, {{2, 11}, {18, 19}, {20, 20}, {20, 1}}, {}, {}).values;
  CHECK(commute[0] == Approx(there + back));
  CHECK(commute[1] == Approx(2.0));
  CHECK(commute[2] == 0.0);
  CHECK(std::isinf(commute[3]));
  CHECK(std::isinf(hitting_times(graph, {2}, {}, {}).steps[20]));
  CHECK(std::isinf(hitting_times(graph, {20}, {}, {}).steps[2]));
}

TEST_CASE("rows of absorption probabilities sum to one, or to zero where no target is reached") {
  const Graph graph = small_graph();
  const Absorption found = absorption_probabilities(graph, {0, 7, 16}, {}, {});
  for (VertexId v = 0; v < 21; ++v) {
    const auto row = found.probability.row(v);
    CHECK(std::accumulate(row.begin(), row.end(), 0.0) == Approx(v < 18 ? 1.0 : 0.0));
    for (const double p : row) CHECK((p >= 0.0 && p <= 1.0));
  }
  CHECK(absorption_probabilities(graph, {18}, {}, {}).probability(19, 0) == 1.0);
}

TEST_CASE("small chances of absorption have their digits in any order of the targets") {
  // From 1: heavy to 0, light to 2, and by way of 3 hardly ever to 4; 5 and 6 are on their own.
  const Graph graph =
      graph_from_edges(7, {{0, 1, 1e8}, {1, 2, 3.0}, {1, 3, 1e-8}, {3, 4, 1.0}, {5, 6, 1.0}});
  const double far = 1e-8 / (1.0 + 1e-8), all = 1e8 + 3.0 + far;
  const std::vector<VertexId> targets{0, 2, 4, 5};
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    std::vector<VertexId> shuffled;
    for (const std::size_t k : order) shuffled.push_back(targets[k]);
    const Block found = absorption_probabilities(graph, shuffled, {}, {}).probability;
    const double expected[] = {1e8 / all, 3.0 / all, far / all, 0.0};
    for (std::int64_t k = 0; k < 4; ++k)
      CHECK(found(1, k) == Approx(expected[order[index(k)]]).epsilon(1e-9));
    for (std::int64_t k = 0; k < 4; ++k) CHECK(found(6, k) == (order[index(k)] == 3 ? 1.0 : 0.0));
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_CASE("simulated walkers agree within their error bars") {
  const Graph graph = small_graph();
  const WalkOptions options{.walks = 40'000};
  const std::vector<VertexId> targets{0, 7, 16};
  const WalkEstimate walked = simulate_hitting(graph, 11, targets, options, {});
  CHECK(walked.unfinished == 0);
  CHECK(walked.standard_error > 0.0);
  const double steps = hitting_times(graph, targets, {}, {}).steps[11];
  CHECK(std::abs(walked.mean - steps) < 4.0 * walked.standard_error);
  // Bars that an answer wrong by a tenth would not fit in.
  CHECK(4.0 * walked.standard_error < 0.05 * steps);
  const auto expected = absorption_probabilities(graph, targets, {}, {}).probability;
  for (std::int64_t k = 0; k < 3; ++k) {
    const double p = expected(11, k);
    const double bar = 4.0 * std::sqrt(p * (1.0 - p) / 40'000.0);
    CHECK(std::abs(walked.share[index(k)] - p) < bar);
    CHECK(bar < 0.05 * p);
  }
  const WalkEstimate again = simulate_hitting(graph, 11, targets, options, on_threads(3));
  CHECK(again.mean == walked.mean);
  CHECK(simulate_hitting(graph, 20, {0}, options, {}).unfinished == 40'000);
  CHECK(simulate_hitting(graph, 11, {0}, {.walks = 50, .most_steps = 1}, {}).unfinished > 0);
}

TEST_CASE("sums of resistances, their total and the pseudo-inverse's diagonal fit together") {
  const Graph graph = random_graph(40, 60, 12);
  const auto diagonal = pseudoinverse_diagonal(graph, {}, {}).values;
  const double total = total_resistances(graph, {}, {}).values.at(0);
  double most = 0.0, twice = 0.0;
  for (VertexId v = 0; v < 40; ++v) {
    double sum = 0.0;  // R(v)
    for (const double r : resistances_from(graph, v, {}, {}).values) {
      sum += r;
      most = std::max(most, r);
    }
    twice += sum;
    CHECK(diagonal[index(v)] == Approx(sum / 40 - total / (40.0 * 40.0)).epsilon(1e-10));
  }
  CHECK(twice == Approx(2.0 * total).epsilon(1e-12));
  CHECK(*std::ranges::max_element(diagonal) <= most);
}

TEST_CASE("a step of the walk is D⁻¹W, and its distribution keeps the walkers") {
  const Graph graph = small_graph();
  Block x(21, 2);
  Rng rng(1);
  for (std::int64_t v = 0; v < 21; ++v) x(v, 0) = rng.uniform(), x(v, 1) = 1.0;
  const Block y = walk_step(graph, x, 2);
  const Block z = walk_distribution(graph, x, 2);
  const Matrix w = dense_adjacency(graph);
  double walkers = 0.0, before = 0.0, inner = 0.0, outer = 0.0;
  for (std::int64_t v = 0; v < 21; ++v) {
    double sum = 0.0, degree = 0.0;
    for (std::int64_t u = 0; u < 21; ++u)
      sum += w[index(v)][index(u)] * x(u, 0), degree += w[index(v)][index(u)];
    CHECK(y(v, 0) == Approx(degree > 0.0 ? sum / degree : 0.0));
    CHECK(y(v, 1) == Approx(degree > 0.0 ? 1.0 : 0.0));
    walkers += z(v, 0);
    before += x(v, 0);
    if (degree > 0.0) inner += y(v, 0) * x(v, 1), outer += x(v, 0) * z(v, 1);
  }
  CHECK(walkers == Approx(before));
  CHECK(inner == Approx(outer));  // (Px)ᵀ1 = xᵀ(Pᵀ1)
}

TEST_CASE("a von Neumann kernel exists up to 1 over the spectral radius of W") {
  // A star of 26 has degree 25 and radius 5; a heavy pair and an isolated vertex stand beside it.
  std::vector<Edge> edges{{26, 27, 4.75}};
  for (VertexId v = 1; v < 26; ++v) edges.push_back({0, v, 1.0});
  const Graph graph = graph_from_edges(29, edges);
  const Dense dense(graph, false);
  for (const double alpha : {0.05, 0.15, 0.19, 0.1999}) {
    INFO(alpha);
    std::vector<double> diagonal;
    const Block found =
        kernel_matrix(graph, {.kind = KernelKind::von_neumann, .alpha = alpha}, &diagonal);
    const Matrix truth = inverted(combined(1.0, -alpha, dense.adjacency));
    CHECK(difference(found, truth) < 1e-9 * truth[0][0]);
    for (std::int64_t v = 0; v < 29; ++v) CHECK(diagonal[index(v)] == Approx(found(v, v)));
  }
  for (const double alpha : {0.2, 0.2001, 0.21, 5.0})
    CHECK_THROWS_AS(kernel_matrix(graph, {.kind = KernelKind::von_neumann, .alpha = alpha}), Error);
  const Graph none = graph_from_edges(2, {});
  CHECK(kernel_matrix(none, {.kind = KernelKind::von_neumann, .alpha = 7.0})(1, 1) == 1.0);
}

TEST_CASE("diffusion over weights of any smallness is the identity and its first step") {
  for (const double w : {1e-60, 1e-200, 1e-308, 5e-324}) {
    const Graph graph = graph_from_edges(3, {{0, 1, w}, {1, 2, w}});
    const Block k = kernel_matrix(graph, {.kind = KernelKind::diffusion, .time = 2.0});
    CHECK(k(0, 0) == 1.0);
    CHECK(k(0, 1) >= 0.0);
    CHECK(k(0, 1) <= 4.0 * w);
  }
}

TEST_CASE("kernels are what their formulas say, on a graph with parts and an isolated vertex") {
  const Graph graph = small_graph();
  for (const bool normalized : {false, true}) {
    INFO(normalized);
    const Dense dense(graph, normalized);
    std::vector<double> diagonal;
    const auto check_diagonal = [&](const Block& k) {
      for (std::int64_t v = 0; v < 21; ++v)
        CHECK(diagonal[index(v)] == Approx(k(v, v)).margin(1e-13));
    };
    const Block regularized = kernel_matrix(
        graph, {.kind = KernelKind::regularized, .normalized = normalized, .epsilon = 0.3},
        &diagonal);
    CHECK(difference(regularized, inverted(combined(0.3, 1.0, dense.laplacian))) < 1e-9);
    check_diagonal(regularized);

    const Block diffusion = kernel_matrix(
        graph, {.kind = KernelKind::diffusion, .normalized = normalized, .time = 0.8});
    CHECK(difference(diffusion, decayed(dense.laplacian, 0.8)) < 1e-9);

    const double alpha = normalized ? 0.9 : 0.02;
    const Block von_neumann = kernel_matrix(
        graph, {.kind = KernelKind::von_neumann, .normalized = normalized, .alpha = alpha},
        &diagonal);
    CHECK(difference(von_neumann, inverted(combined(1.0, -alpha, dense.adjacency))) < 1e-9);
    check_diagonal(von_neumann);

    const double shift = normalized ? 2.5 : 50.0;
    const Block walk = kernel_matrix(
        graph, {.kind = KernelKind::walk, .normalized = normalized, .steps = 3, .shift = shift});
    const Matrix once = combined(shift, -1.0, dense.laplacian);
    CHECK(difference(walk, multiply(once, multiply(once, once))) < 1e-9 * std::pow(shift, 3));

    // L L⁺ L = L, L⁺ L L⁺ = L⁺, both products symmetric: the pseudo-inverse and nothing else.
    const Block inverse =
        kernel_matrix(graph, {.kind = KernelKind::pseudoinverse, .normalized = normalized},
                      normalized ? nullptr : &diagonal);
    if (!normalized) check_diagonal(inverse);
    Matrix plus(21, std::vector<double>(21));
    for (std::int64_t i = 0; i < 21; ++i)
      for (std::int64_t j = 0; j < 21; ++j) plus[index(i)][index(j)] = inverse(i, j);
    const Matrix product = multiply(dense.laplacian, plus);
    CHECK(difference(inverse, multiply(plus, product)) < 1e-8);
    const Matrix back = multiply(product, dense.laplacian);
    for (std::size_t i = 0; i < 21; ++i) {
      for (std::size_t j = 0; j < 21; ++j) {
        REQUIRE(back[i][j] == Approx(dense.laplacian[i][j]).margin(1e-8));
        REQUIRE(product[i][j] == Approx(product[j][i]).margin(1e-8));
      }
    }
  }
}

TEST_CASE("a walk kernel of vertices without edges is the least shift to the power of its steps") {
  const auto graph = std::make_shared<const Graph>(GraphBuilder(3).finish());
  const GraphKernel kernel(graph, {.kind = KernelKind::walk, .normalized = true, .steps = 3}, {});
  const Block k = kernel.columns({1}, {}).values;
  CHECK(k(0, 0) == 0.0);
  CHECK(k(1, 0) == 8.0);
}

TEST_CASE("a diffusion says how far off it is, at any length of time") {
  const auto graph = std::make_shared<const Graph>(grid_graph(12, 12));
  for (const double time : {0.0, 1e-3, 1.0, 50.0, 1e5}) {
    INFO(time);
    const GraphKernel kernel(graph, {.kind = KernelKind::diffusion, .time = time}, {});
    const KernelProduct k = kernel.columns({0, 77}, {});
    CHECK(k.report.converged());
    CHECK(k.report.certificates.at(0).values.at(0) <= 1e-10);
    double sum = 0.0;
    for (VertexId v = 0; v < 144; ++v) sum += k.values(v, 1);
    CHECK(sum == Approx(1.0).epsilon(1e-8));  // heat is kept
    if (time == 1e5) CHECK(k.values(3, 0) == Approx(1.0 / 144).epsilon(1e-7));
    if (time == 0.0) CHECK(k.values(0, 0) == 1.0);
  }
  // exp(−2t(I − …)): two steps of t are one of 2t.
  const GraphKernel one(graph, {.kind = KernelKind::diffusion, .time = 3.0}, {});
  const GraphKernel two(graph, {.kind = KernelKind::diffusion, .time = 6.0}, {});
  CHECK(max_difference(one.product(one.columns({5}, {}).values, {}).values,
                       two.columns({5}, {}).values) < 1e-9);
  const GraphKernel cut(graph, {.kind = KernelKind::diffusion, .time = 1e5, .most_products = 100},
                        {});
  const KernelProduct short_of = cut.columns({0}, {});
  CHECK(short_of.report.outcome == Outcome::iteration_limit);
  CHECK(short_of.report.certificates.at(0).values.at(0) > 1e-10);
}

TEST_CASE("what walks and kernels refuse") {
  const auto graph = std::make_shared<const Graph>(grid_graph(4, 4));
  const auto code = [](auto&& call) { return error_of(call)->code(); };
  CHECK(code([&] { hitting_times(*graph, {}, {}, {}); }) == ErrorCode::usage);
  CHECK(code([&] { hitting_times(*graph, {3, 3}, {}, {}); }) == ErrorCode::bad_data);
  CHECK(code([&] { absorption_probabilities(*graph, {16}, {}, {}); }) == ErrorCode::bad_data);
  CHECK(code([&] { simulate_hitting(*graph, 0, {3}, {.walks = 1}, {}); }) == ErrorCode::usage);
  CHECK(code([&] { walk_step(*graph, Block(3, 1)); }) == ErrorCode::usage);
  // The second power of weights of 1e200 is more than a double holds.
  const auto huge = std::make_shared<const Graph>(graph_from_edges(2, {{0, 1, 1e200}}));
  const GraphKernel overflowing(huge, {.kind = KernelKind::walk, .steps = 2, .shift = 2e200}, {});
  CHECK(code([&] { overflowing.columns({0}, {}); }) == ErrorCode::usage);
  const auto refused = [&](const GraphKernelOptions& options) {
    return code([&] { GraphKernel(graph, options, {}); }) == ErrorCode::usage;
  };
  CHECK(refused({.kind = KernelKind::regularized, .epsilon = 0.0}));
  CHECK(refused({.kind = KernelKind::diffusion, .time = -1.0}));
  // The spectral radius of the 4×4 grid is 4 cos(π/5).
  CHECK(refused({.kind = KernelKind::von_neumann, .alpha = 1.0001 / (4.0 * std::cos(M_PI / 5.0))}));
  CHECK(refused({.kind = KernelKind::von_neumann, .alpha = 1e308}));
  CHECK(refused({.kind = KernelKind::von_neumann, .normalized = true, .alpha = 1.0}));
  CHECK(refused({.kind = KernelKind::walk, .shift = 7.9}));
  CHECK(refused({.kind = KernelKind::walk, .steps = 0}));
  // A ring of ones: I − W/2 is singular, and Σ (W/2)ᵏ infinite. A path is not, nor a ring and α <
  // ½.
  const auto ring = std::make_shared<const Graph>(cycle_graph(5));
  const GraphKernelOptions half = {.kind = KernelKind::von_neumann, .alpha = 0.5};
  CHECK(code([&] { GraphKernel(ring, half, {}); }) == ErrorCode::usage);
  GraphKernel(std::make_shared<const Graph>(path_graph(5)), half, {});
  GraphKernel(ring, {.kind = KernelKind::von_neumann, .alpha = 0.49}, {});
  const GraphKernel far(graph, {.kind = KernelKind::walk, .steps = 400}, {});
  CHECK(code([&] { far.columns({0}, {}); }) == ErrorCode::usage);
  const GraphKernel kernel(graph, {}, {});
  CHECK(code([&] { kernel.columns({16}, {}); }) == ErrorCode::bad_data);
  CHECK(code([&] { kernel.product(Block(15, 1), {}); }) == ErrorCode::bad_data);
  CHECK(code([&] { kernel.product(Block(16, 1, std::nan("")), {}); }) == ErrorCode::bad_data);
  CHECK(!GraphKernel(graph, {.kind = KernelKind::diffusion}, {}).diagonal({}).has_value());
}
