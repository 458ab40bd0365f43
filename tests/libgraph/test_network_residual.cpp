// What an answer of a network leaves, measured in all columns and all sizes of numbers.

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "earlier_answers.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/graph/generators.hpp"
#include "solve/local/network_residual.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("what was measured in parts is what a look at all rows finds", "[solve_from]") {
  const Graph graph = grid_graph(150, 150);  // six blocks of rows
  NetworkProblem problem{.graph = graph, .held = {0, 7000, 22499}};
  Block x(graph.vertex_count(), 3);
  Rng rng(9);
  for (std::int64_t i = 0; i < x.rows() * 3; ++i) x.data()[i] = rng.uniform();
  const RunContext run;
  solve::NetworkResidual network(problem, x, tolerance, run);
  network.measure(x);
  std::vector<VertexId> touched;
  for (const VertexId v : {VertexId{5000}, VertexId{12288}, VertexId{22000}}) {
    x(v, 1) += 0.5;
    touched.push_back(v);
    for (const VertexId u : graph.neighbors(v)) touched.push_back(u);
  }
  network.measure(x, touched);
  solve::NetworkResidual fresh(problem, x, tolerance, run);
  fresh.measure(x);
  CHECK(network.ratios() == fresh.ratios());
  CHECK(network.error_bounds() == fresh.error_bounds());
  for (VertexId v = 0; v < graph.vertex_count(); ++v) REQUIRE(network.weight(v) == fresh.weight(v));
}

TEST_CASE("a column whose sums are no numbers is not hidden by another", "[solve_from]") {
  const auto system = tied(grid_graph(20, 20), 3);
  const Block b = at_ground(*system, 3), wanted = solved(system, b, tolerance);
  for (std::int64_t bad = 0; bad < 3; ++bad)
    for (const double value : {1e308, std::numeric_limits<double>::infinity(), std::nan("")}) {
      INFO(bad << " " << value);
      Block x = wanted;
      for (std::int64_t v = 0; v < x.rows(); ++v) x(v, bad) = value;
      const SolveFromReport report = solve_from(system, {.solver = {.tolerance = tolerance}}, b, x);
      CHECK(report.solve.outcome == Outcome::converged);
      CHECK(report.first_residual == Approx(1.0));
      CHECK(largest_difference(x, wanted) <= 1e-9);
    }
}

TEST_CASE("weights of any size are measured", "[solve_from]") {
  for (const double scale : {1e-290, 1e-150, 1e150, 1e290}) {
    INFO(scale);
    const Graph graph =
        grid_graph(12, 12).with_weights(std::vector<double>(std::size_t{2} * 2 * 12 * 11, scale));
    const NetworkProblem problem{.graph = graph, .held = {0, 143}};
    Block x(144, 1);
    x(0, 0) = 1.0;
    const SolveFromReport report =
        gssl::solve_from(problem, {.solver = {.tolerance = tolerance}}, x);
    CHECK(report.solve.outcome == Outcome::converged);
    CHECK(report.first_residual == Approx(1.0));
    // By symmetry the corners between the two are at the middle.
    CHECK(x(11, 0) == Approx(0.5));
    CHECK(x(132, 0) == Approx(0.5));
  }
}

TEST_CASE("columns of very different size are measured each by its own", "[solve_from]") {
  const auto system = tied(grid_graph(20, 20), 3);
  const Block b = at_ground(*system, 3), wanted = solved(system, b, tolerance);
  const std::array<double, 3> scales{1.0, 1e-200, 1e180};
  Block scaled = b, x(b.rows(), 3);
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::int64_t j = 0; j < 3; ++j) scaled(v, j) *= scales[index(j)];
  const SolveFromReport report =
      solve_from(system, {.solver = {.tolerance = tolerance}}, scaled, x);
  CHECK(report.solve.outcome == Outcome::converged);
  CHECK(report.first_residual == Approx(1.0));
  for (std::int64_t v = 0; v < b.rows(); ++v)
    for (std::int64_t j = 0; j < 3; ++j)
      CHECK(x(v, j) / scales[index(j)] == Approx(wanted(v, j)).epsilon(1e-7).margin(1e-12));
}

TEST_CASE("of held vertices at no finite number the first is named on any threads",
          "[solve_from]") {
  const Graph graph = grid_graph(300, 300);
  std::vector<VertexId> held(60000);
  std::iota(held.begin(), held.end(), VertexId{20000});
  Block x(90000, 1);
  for (const std::int64_t v : {33333, 50000, 70000}) x(v, 0) = std::nan("");
  for (const int threads : {1, 2, 3}) {
    RunContext run;
    run.threads = threads;
    const auto error = test::error_of([&] {
      Block y = x;
      gssl::solve_from({.graph = graph, .held = held}, {}, y, run);
    });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK_THAT(error->what(), Catch::Contains("vertex 33333 is held"));
  }
}

TEST_CASE("what does not fit together is refused", "[solve_from]") {
  const Graph graph = grid_graph(3, 3);
  const auto code = [&](const NetworkProblem& problem, Block x) {
    const auto error = test::error_of([&] { gssl::solve_from(problem, {}, x); });
    return error ? error->code() : ErrorCode::internal;
  };
  const Block x(9, 2);
  CHECK(code({.graph = graph, .held = {0}}, Block(8, 2)) == ErrorCode::usage);
  CHECK(code({.graph = graph, .ground = {1.0}}, x) == ErrorCode::usage);
  CHECK(code({.graph = graph, .fed = {1}}, x) == ErrorCode::usage);
  CHECK(code({.graph = graph, .fed = {1}, .current = Block(1, 3)}, x) == ErrorCode::usage);
  CHECK(code({.graph = graph, .held = {9}}, x) == ErrorCode::bad_data);
  CHECK(code({.graph = graph, .held = {-1}}, x) == ErrorCode::bad_data);
  CHECK(code({.graph = graph, .held = {2, 2}}, x) == ErrorCode::bad_data);
  CHECK(code({.graph = graph, .fed = {9}, .current = Block(1, 2)}, x) == ErrorCode::bad_data);
  CHECK(code({.graph = graph, .fed = {3, 3}, .current = Block(2, 2)}, x) == ErrorCode::bad_data);
  CHECK(code({.graph = graph, .ground = std::vector<double>(9, -1.0)}, x) == ErrorCode::bad_data);
  CHECK(code({.graph = graph, .held = {0}}, Block(9, 2, std::nan(""))) == ErrorCode::bad_data);
  const Block nan(1, 2, std::nan(""));
  CHECK(code({.graph = graph, .held = {0}, .fed = {1}, .current = nan}, x) == ErrorCode::bad_data);
  Block y(9, 1);
  CHECK_THROWS_AS(
      gssl::solve_from({.graph = graph, .held = {0}}, {.solver = {}, .most_rows = 2.0}, y), Error);
}
