// p-resistance: the laws of series and of parallel edges, a metric, effective resistance at p = 2.

#include <cmath>
#include <limits>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/network/p_resistance.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("p-resistance obeys the laws of series and of parallel edges") {
  const Graph path = graph_from_edges(4, {{0, 1, 0.5}, {1, 2, 3.0}, {2, 3, 1.25}});
  // 0 to 1 by an edge of weight 2 and three detours of two edges of weight 1.5.
  const Graph parallel = graph_from_edges(
      5,
      {{0, 1, 2.0}, {0, 2, 1.5}, {2, 1, 1.5}, {0, 3, 1.5}, {3, 1, 1.5}, {0, 4, 1.5}, {4, 1, 1.5}});
  for (const double p : {1.1, 1.5, 2.0, 3.0, 12.0}) {
    CAPTURE(p);
    const PResistanceOptions options{.p = p, .tolerance = 1e-10};
    const auto series = [&](const std::vector<double>& edges) {
      double sum = 0.0;
      for (const double pi : edges) sum += std::pow(pi, 1.0 / (p - 1.0));
      return std::pow(sum, p - 1.0);
    };
    const PResistance r = p_resistance(path, 0, 3, options);
    CHECK(r.outcome == Outcome::converged);
    CHECK(r.gap <= 1e-10);
    CHECK(r.resistance == Approx(series({2.0, 1.0 / 3.0, 0.8})).epsilon(1e-9));
    const double detour = series({1.0 / 1.5, 1.0 / 1.5});
    CHECK(p_resistance(parallel, 0, 1, options).resistance ==
          Approx(1.0 / (2.0 + 3.0 / detour)).epsilon(1e-9));
  }
}

TEST_CASE("p-resistance is a metric to the power p - 1, and effective resistance at p = 2") {
  const Graph graph = random_graph(10, 14, 9);
  for (const double p : {1.5, 2.0, 4.0}) {
    CAPTURE(p);
    const auto distance = [&](VertexId a, VertexId b) {
      const double r = p_resistance(graph, a, b, {.p = p, .tolerance = 1e-9}).resistance;
      return std::pow(r, 1.0 / (p - 1.0));
    };
    for (VertexId a = 0; a < 10; a += 3)
      for (VertexId b = 1; b < 10; b += 3) {
        CHECK(distance(a, b) == Approx(distance(b, a)).epsilon(1e-7));
        CHECK(distance(a, b) <= (distance(a, 5) + distance(5, b)) * (1.0 + 1e-7));
      }
  }
  // Grounded at 9, the potential of 2 with a unit current into it.
  auto laplacian = dense_adjacency(graph);
  laplacian.resize(9);
  for (std::size_t v = 0; v < 9; ++v) {
    laplacian[v].resize(9);
    for (double& w : laplacian[v]) w = -w;
    laplacian[v][v] = graph.weighted_degree(static_cast<VertexId>(v));
  }
  Block current(9, 1);
  current(2, 0) = 1.0;
  CHECK(p_resistance(graph, 2, 9, {.tolerance = 1e-12}).resistance ==
        Approx(dense_solve(laplacian, current)(2, 0)).epsilon(1e-10));
  CHECK(p_resistance(graph, 4, 4).resistance == 0.0);
  CHECK(p_resistance(graph_from_edges(3, {{0, 1}}), 0, 2).resistance == infinite);
}

TEST_CASE("a wrong p, tolerance or vertex of p-resistance is refused") {
  for (const PResistanceOptions wrong :
       {PResistanceOptions{.p = 1.0}, PResistanceOptions{.p = infinite},
        PResistanceOptions{.tolerance = 0.0}, PResistanceOptions{.max_iterations = -1}}) {
    const auto error = error_of([&] { p_resistance(path_graph(3), 0, 1, wrong); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
  CHECK(error_of([] { p_resistance(path_graph(3), 0, 3); }));
}
