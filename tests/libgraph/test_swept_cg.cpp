#include <algorithm>
#include <cmath>

#include "gssl/graph/generators.hpp"
#include "gssl/linalg/residual.hpp"
#include "solve/choose/forecast.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/cg/swept_cg.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;
using solve::SweptSystem;

std::vector<double> random_ground(VertexId n, Rng& rng) {
  std::vector<double> ground(static_cast<std::size_t>(n));
  for (double& g : ground) g = rng.uniform();
  return ground;
}

Graph complete(VertexId n) {
  std::vector<Edge> edges;
  for (VertexId u = 0; u < n; ++u)
    for (VertexId v = u + 1; v < n; ++v) edges.push_back({u, v, 1.0});
  return graph_from_edges(n, edges);
}

// A x for rows in the order of the split.
Block multiply(const GroundedLaplacian& a, const SweptSystem& split, const Block& x) {
  Block given(x.rows(), x.columns()), product, result(x.rows(), x.columns());
  for (VertexId r = 0; r < split.size(); ++r)
    std::ranges::copy(x.row(r), given.row(split.vertex(r)).begin());
  a.apply(given, product);
  for (VertexId r = 0; r < split.size(); ++r)
    std::ranges::copy(product.row(split.vertex(r)), result.row(r).begin());
  return result;
}

}  // namespace

TEST_CASE("the split operator is the matrix between two triangles") {
  Rng rng(3);
  const Graph random = random_graph(200, 900, rng);
  std::vector<double> scratch;
  // Weights, none, none stored, more colors than a byte can tell apart, and no edges at all.
  for (const Graph& graph :
       {random, rmat_graph(7, 4, rng), complete(300), graph_from_edges(4, std::vector<Edge>{})}) {
    const VertexId n = graph.vertex_count();
    const GroundedLaplacian a(graph, random_ground(n, rng));
    const SweptSystem split(a, 1);
    REQUIRE(split.size() == n);
    for (std::int64_t c = 1; c <= 5; ++c) {
      const Block x = random_block(n, c, rng);
      Block y(n, c), back = x, undone(n, c);
      split.apply(x.data(), y.data(), c, 1, scratch);
      split.backward(back.data(), c, 1);
      split.undo_forward(y.data(), undone.data(), c, 1);
      CHECK(max_difference(undone, multiply(a, split, back)) < 1e-10);
      split.undo_backward(back.data(), undone.data(), c, 1);
      CHECK(max_difference(undone, x) < 1e-11);
      Block forth = x;
      split.forward(forth.data(), c, 1);
      split.undo_forward(forth.data(), undone.data(), c, 1);
      CHECK(max_difference(undone, x) < 1e-11);
    }
  }
}

TEST_CASE("the factor has the diagonal of the matrix") {
  Rng rng(4);
  const VertexId n = 300;
  const GroundedLaplacian a(random_graph(n, 1500, rng), random_ground(n, rng));
  const SweptSystem split(a, 1);
  // (P − W) P⁻¹ (P − Wᵀ) by columns of the second factor.
  for (VertexId r = 0; r < n; ++r) {
    Block unit(n, 1), upper(n, 1), product(n, 1);
    unit(r, 0) = 1.0;
    split.undo_backward(unit.data(), upper.data(), 1, 1);
    for (VertexId i = 0; i < n; ++i) upper(i, 0) /= split.pivots()[static_cast<std::size_t>(i)];
    split.undo_forward(upper.data(), product.data(), 1, 1);
    const double d = a.diagonal()[static_cast<std::size_t>(split.vertex(r))];
    CHECK(std::abs(product(r, 0) - d) < 1e-12 * d);
  }
}

// Hubs with leaves of their own, of which the diagonal needs a step for each number of leaves.
TEST_CASE("leaves cost the sweeps nothing, and no pivot is left to rounding") {
  Rng rng(6);
  const VertexId hubs = 60, leaves = 40;
  std::vector<Edge> edges;
  for (VertexId u = 0; u < hubs; ++u) {
    for (VertexId v = u + 1; v < hubs; ++v)
      if (rng.uniform() < 0.5) edges.push_back({u, v, 1.0});
    for (VertexId leaf = 0; leaf < 1 + u * leaves / hubs; ++leaf)
      edges.push_back({u, static_cast<VertexId>(hubs + u * leaves + leaf), 1.0});
  }
  const Graph graph = graph_from_edges(hubs + hubs * leaves, edges);
  const VertexId n = graph.vertex_count();
  // Leaves that no hub has are on their own.
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (VertexId v = 0; v < n; ++v)
    if (graph.degree(v) == 0) ground[static_cast<std::size_t>(v)] = 1.0;
  ground[0] = 0.1;
  const auto a = std::make_shared<const GroundedLaplacian>(graph, ground);
  const Block b = random_block(n, 1, rng);
  const std::vector<double> targets{1e-8 * column_norms(b, 1)[0]};
  Block x(n, 1), r;
  const auto result =
      solve::make_swept_conjugate_gradient(a, 1000, 1)->solve(b, x, targets, on_threads(1));
  CHECK(result.outcome == Outcome::converged);
  CHECK(residual(*a, b, x, r, 1)[0] <= targets[0]);
  CHECK(result.iterations <= 12);

  // The last pivot of a star would be its ground.
  std::vector<Edge> star;
  for (VertexId v = 1; v < 1000; ++v) star.push_back({0, v, 1.0});
  std::vector<double> weak(1000, 0.0);
  weak[0] = 1e-14;
  const GroundedLaplacian hub(graph_from_edges(1000, star), weak);
  const SweptSystem split(hub, 1);
  for (const double pivot : split.pivots()) CHECK(pivot >= 0.99);
}

TEST_CASE("sweeps over the colors give the same bytes on one thread and four") {
  Rng rng(5);
  const VertexId n = 50'000;
  const GroundedLaplacian a(random_graph(n, 400'000, rng), random_ground(n, rng));
  const SweptSystem one(a, 1), four(a, 4);
  const Block x = random_block(n, 2, rng);
  Block y(n, 2), z(n, 2);
  std::vector<double> scratch;
  one.apply(x.data(), y.data(), 2, 1, scratch);
  four.apply(x.data(), z.data(), 2, 4, scratch);
  CHECK(y == z);
  one.forward(y.data(), 2, 1);
  four.forward(z.data(), 2, 4);
  CHECK(y == z);
  one.undo_forward(x.data(), y.data(), 2, 1);
  four.undo_forward(x.data(), z.data(), 2, 4);
  CHECK(y == z);
  // With colors that are not cut.
  four.undo_forward(x.data(), z.data(), 2, 0);
  CHECK(max_difference(y, z) < 1e-12);
}

TEST_CASE("swept conjugate gradients meet their targets in fewer steps than the diagonal's") {
  Rng rng(7);
  const VertexId n = 3000;
  const auto a = std::make_shared<const GroundedLaplacian>(random_graph(n, 24'000, rng),
                                                           std::vector<double>(n, 1e-3));
  Block b = random_block(n, 7, rng);
  for (VertexId v = 0; v < n; ++v) b(v, 3) = 0.0;
  std::vector<double> targets = column_norms(b, 1);
  for (double& target : targets) target *= 1e-9;
  const auto swept = solve::make_swept_conjugate_gradient(a, 1000, 1);
  const auto plain = solve::make_conjugate_gradient(a, nullptr, 1000);
  Block x(n, 7), y(n, 7), r;
  const auto first = swept->solve(b, x, targets, on_threads(2));
  const auto second = plain->solve(b, y, targets, on_threads(2));
  CHECK(first.outcome == Outcome::converged);
  CHECK(worst_ratio(residual(*a, b, x, r, 1), targets) <= 1.0);
  CHECK(4 * first.iterations < 3 * second.iterations);
  for (VertexId v = 0; v < n; ++v) CHECK(x(v, 3) == 0.0);
  REQUIRE(first.error.size() == 7);
  // The estimate is of the error some steps before the last.
  CHECK(first.error[0] < 1e-6);
  CHECK(first.error[0] > 0.0);

  Block again(n, 7);
  swept->solve(b, again, targets, on_threads(1));
  CHECK(again == x);
  CHECK(swept->solve(b, again, targets, on_threads(2)).iterations == 0);
  for (VertexId v = 0; v < n; ++v) again(v, 0) += 1e-4 * rng.normal();
  const auto warm = swept->solve(b, again, targets, on_threads(2));
  CHECK(warm.outcome == Outcome::converged);
  CHECK(warm.iterations < first.iterations);

  const auto heavier = std::make_shared<const GroundedLaplacian>(a->with_weights(
      std::vector<double>(a->graph().neighbor_array().size(), 3.0), std::vector<double>(n, 0.1)));
  const auto updated = swept->updated(heavier);
  CHECK(updated->solve(b, y, targets, on_threads(2)).outcome == Outcome::converged);
  CHECK(worst_ratio(residual(*heavier, b, y, r, 1), targets) <= 1.0);
}

TEST_CASE("swept conjugate gradients stop at their limit, and where rounding stops them") {
  Rng rng(9);
  const VertexId n = 2000;
  const auto a = std::make_shared<const GroundedLaplacian>(random_graph(n, 12'000, rng),
                                                           std::vector<double>(n, 1e-3));
  const Block b = random_block(n, 1, rng);
  Block x(n, 1), r;
  const auto few = solve::make_swept_conjugate_gradient(a, 3, 1);
  CHECK(few->solve(b, x, {1e-9}, on_threads(1)).outcome == Outcome::iteration_limit);
  CHECK(residual(*a, b, x, r, 1)[0] < column_norms(b, 1)[0]);
  const auto many = solve::make_swept_conjugate_gradient(a, 100'000, 1);
  CHECK(many->solve(b, x, {1e-30}, on_threads(1)).outcome == Outcome::breakdown);
  CHECK(residual(*a, b, x, r, 1)[0] < 1e-10 * column_norms(b, 1)[0]);
}

TEST_CASE("automatic sweeps where many steps are ahead, and says so") {
  Rng rng(11);
  const VertexId n = 4000;
  const GroundedLaplacian a(random_graph(n, 40'000, rng), std::vector<double>(n, 0.01));
  const Block b = random_block(n, 5, rng);
  Block x;
  const SolveReport many = solve_once(a, {.columns = 5}, b, x);
  CHECK(many.outcome == Outcome::converged);
  CHECK(many.used == "cg");
  CHECK(many.sentence.find("swept color by color") != std::string::npos);
  const SolveReport few = solve_once(a, {.tolerance = 0.1, .columns = 1}, b, x);
  CHECK(few.used == "cg");
  CHECK(few.sentence.find("swept") == std::string::npos);
}

TEST_CASE("automatic sweeps a graph over many decades that takes the diagonal many hundred steps") {
  Rng rng(13);
  const VertexId n = 6000;
  const Graph graph = with_log_uniform_weights(random_graph(n, 48'000, rng), 1e-4, 1e4, rng);
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (VertexId v = 0; v < n; v += 300) ground[static_cast<std::size_t>(v)] = 1.0;
  const GroundedLaplacian a(graph, ground);
  Block b(n, 5);
  for (VertexId v = 0; v < n; v += 300)
    for (std::int64_t k = 0; k < 5; ++k) b(v, k) = rng.uniform();
  Block x;
  const SolveReport report = solve_once(a, {.columns = 5}, b, x);
  CHECK(report.outcome == Outcome::converged);
  CHECK(report.used == "cg");
  CHECK(report.sentence.find("swept color by color about") != std::string::npos);
  CHECK(report.iterations < 120);

  const SweptSystem split(a, 1);
  const double forecast = solve::forecast_iterations(a, split, 8, SolverOptions().tolerance, 1);
  CHECK(forecast > 0.4 * static_cast<double>(report.iterations));
  CHECK(forecast < 2.5 * static_cast<double>(report.iterations));
}
