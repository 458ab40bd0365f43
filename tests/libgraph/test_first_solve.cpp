// make_solver_and_solve(): choosing with the right-hand side at hand.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>

#include "gssl/core/error.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// ‖b − Ax‖₂/‖b‖₂ of the worst column, by hand.
double worst_residual(const GroundedLaplacian& a, const Block& b, const Block& x) {
  Block ax;
  a.apply(x, ax);
  double worst = 0.0;
  for (std::int64_t j = 0; j < b.columns(); ++j) {
    double left = 0.0, given = 0.0;
    for (std::int64_t v = 0; v < b.rows(); ++v) {
      left += std::pow(b(v, j) - ax(v, j), 2);
      given += b(v, j) * b(v, j);
    }
    worst = std::max(worst, std::sqrt(left / given));
  }
  return worst;
}

// A few vertices grounded, and b is not 0 there alone: what a few labels give.
std::pair<std::shared_ptr<const GroundedLaplacian>, Block> few_labels(const Graph& graph,
                                                                      std::int64_t columns) {
  const VertexId n = graph.vertex_count();
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  Block b(n, columns);
  for (VertexId v = 0, i = 0; v < n; v += std::max<VertexId>(1, n / 10), ++i) {
    ground[static_cast<std::size_t>(v)] = 1.0;
    b(v, i % columns) = 1.0;
  }
  return {std::make_shared<const GroundedLaplacian>(graph, std::move(ground)), b};
}

}  // namespace

TEST_CASE("a first solve answers as any, and its solver goes on with others") {
  Rng rng(71);
  const Graph graphs[] = {random_graph(3000, 20'000, rng),
                          weighted(random_graph(3000, 20'000, rng), 8.0, rng),
                          weighted(grid(50), 8.0, rng),
                          grid(60),
                          grid_graph(11, 11, 11),
                          random_tree(2000, rng),
                          path(5)};
  for (const Graph& graph : graphs)
    for (const std::int64_t columns : {1, 3}) {
      const auto [a, b] = few_labels(graph, columns);
      const SolverOptions options{.tolerance = 1e-9, .columns = columns};
      Block x, again, other;
      const FirstSolve first = make_solver_and_solve(a, options, b, x, on_threads(2));
      INFO(first.report.sentence);
      CHECK(first.report.outcome == Outcome::converged);
      CHECK(worst_residual(*a, b, x) <= 1e-9);
      CHECK(first.report.relative_residual == Approx(worst_residual(*a, b, x)).epsilon(0.01));
      CHECK(first.report.error_estimate.has_value());
      CHECK(first.setup_seconds >= 0.0);

      make_solver_and_solve(a, options, b, again, on_threads(1));
      CHECK(x == again);

      const Block c = random_block(graph.vertex_count(), 2, rng);
      CHECK(first.solver->solve(c, other, on_threads(2)).outcome == Outcome::converged);
      CHECK(worst_residual(*a, c, other) <= 1e-9);
    }
}

TEST_CASE("well-mixed graphs need no method but the steps they begin with") {
  Rng rng(72);
  const auto [a, b] = few_labels(random_graph(3000, 20'000, rng), 1);
  Block x;
  const SolveReport report = make_solver_and_solve(a, {}, b, x, on_threads(1)).report;
  CHECK(report.used == "cg");
  CHECK(report.method == SolverMethod::conjugate_gradient);
  CHECK(report.iterations < 60);
}

TEST_CASE("a first solve of nothing, of too few rows, of what is not finite, and out of time") {
  Rng rng(73);
  const auto [a, b] = few_labels(random_graph(3000, 20'000, rng), 1);
  Block x;
  FirstSolve zero = make_solver_and_solve(a, {}, Block(b.rows(), 1), x, on_threads(1));
  CHECK(zero.report.outcome == Outcome::converged);
  CHECK(x == Block(b.rows(), 1));
  CHECK(zero.solver->solve(b, x, on_threads(1)).outcome == Outcome::converged);

  CHECK_THROWS_AS(make_solver_and_solve(a, {}, Block(7, 1), x, on_threads(1)), Error);
  Block broken = b;
  broken(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(make_solver_and_solve(a, {}, broken, x, on_threads(1)), Error);

  RunContext late = on_threads(1);
  late.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
  const FirstSolve none = make_solver_and_solve(a, {}, b, x, late);
  CHECK(none.report.outcome == Outcome::time_limit);
  CHECK(none.report.used == "cg");
  CHECK(x == Block(b.rows(), 1));
  CHECK(none.solver->solve(b, x, on_threads(1)).outcome == Outcome::converged);

  const SolveReport few = make_solver_and_solve(a, {.max_iterations = 5}, b, x, late).report;
  CHECK(few.outcome == Outcome::time_limit);
  const SolveReport five =
      make_solver_and_solve(a, {.max_iterations = 5}, b, x, on_threads(1)).report;
  CHECK(five.outcome == Outcome::iteration_limit);
  CHECK(five.iterations == 5);
  // Eight steps that show a mesh to be too hard for them must not come on top of the limit.
  const auto [mesh, c] = few_labels(grid(120), 1);
  const SolveReport nine =
      make_solver_and_solve(mesh, {.max_iterations = 9}, c, x, on_threads(1)).report;
  INFO(nine.sentence);
  CHECK(nine.outcome == Outcome::iteration_limit);
  CHECK(nine.iterations <= 9);
}

TEST_CASE("a first solve is cancelled in the middle of its first steps") {
  Rng rng(74);
  const auto [a, b] = few_labels(random_graph(3000, 20'000, rng), 1);
  std::atomic<bool> raised{false};
  RunContext run = on_threads(2);
  run.cancel = &raised;
  run.progress = [&](std::string_view, double) { raised = true; };
  Block x;
  const SolveReport report = make_solver_and_solve(a, {.tolerance = 1e-12}, b, x, run).report;
  CHECK(report.outcome == Outcome::cancelled);
  CHECK(report.iterations == 8);
  CHECK(worst_residual(*a, b, x) < 1.0);
}

TEST_CASE("where multigrid stalls far off, approximate Cholesky takes over") {
  Rng rng(31);
  std::vector<Edge> edges;
  const Graph shape = grid_graph(169, 169);
  const VertexId n = shape.vertex_count();
  for (VertexId u = 0; u < n; ++u)
    for (const VertexId v : shape.neighbors(u))
      if (u < v) edges.push_back({u, v, rng.uniform() < 0.5 ? 1e8 : 1.0});
  const auto a = std::make_shared<const GroundedLaplacian>(graph_from_edges(n, edges),
                                                           std::vector<double>(n, 1.0));
  Block b(n, 2), x;
  b(1, 0) = b(2, 1) = 1.0;
  const SolveReport report =
      make_solver(a, {.tolerance = 1e-8}, on_threads(2))->solve(b, x, on_threads(2));
  INFO(report.sentence);
  CHECK(report.outcome == Outcome::converged);
  CHECK(report.sentence.find("multigrid stalled and approximate-cholesky took over") !=
        std::string::npos);
  CHECK(worst_residual(*a, b, x) <= 1e-8);
}

TEST_CASE("where cg takes many times its forecast, another method is prepared") {
  Rng rng(75);
  const Graph shape = grid(150);
  const VertexId n = shape.vertex_count();
  const Block b = random_block(n, 1, rng);
  const auto easy = make_solver(GroundedLaplacian(shape, std::vector<double>(n, 1.0)),
                                {.tolerance = 1e-8, .columns = 1}, on_threads(2));
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  ground[0] = 1.0;
  const auto hard = std::make_shared<const GroundedLaplacian>(weighted(shape, 6.0, rng), ground);
  Block x;
  const SolveReport report = easy->updated(hard, on_threads(2))->solve(b, x, on_threads(2));
  INFO(report.sentence);
  CHECK(report.used == "multigrid");
  CHECK(report.outcome == Outcome::converged);
  CHECK(worst_residual(*hard, b, x) <= 1e-8);
}

TEST_CASE("multigrid is tried before an ordering where its usual cycles would win") {
  Rng rng(76);
  const Graph shape = grid(400);
  std::vector<double> ground;
  for (VertexId v = 0; v < shape.vertex_count(); ++v)
    ground.push_back(rng.uniform() < 0.1 ? 1e3 : 0.0);
  const auto a = std::make_shared<const GroundedLaplacian>(shape, ground);
  const auto solve = [&](std::int64_t columns) {
    const Block b = random_block(a->size(), columns, rng);
    Block x;
    const SolveReport report =
        make_solver(a, {.tolerance = 1e-8, .columns = columns}, on_threads(2))
            ->solve(b, x, on_threads(2));
    INFO(report.sentence);
    CHECK(report.outcome == Outcome::converged);
    CHECK(worst_residual(*a, b, x) <= 1e-8);
    return report.used;
  };
  CHECK(solve(10) == "multigrid");
  CHECK(solve(60) == "cholesky");  // whose solve of a column is cheaper
}

TEST_CASE("on a social network the first steps are swept, and those of the solve") {
  Rng rng(83);
  const Graph graph = rmat_graph(13, 24, rng);
  const VertexId n = graph.vertex_count();
  for (const std::int64_t columns : {1, 7}) {
    // Those without neighbors have a ground too.
    std::vector<double> ground(static_cast<std::size_t>(n), 1e-3);
    const auto a = std::make_shared<const GroundedLaplacian>(graph, ground);
    const Block b = random_block(n, columns, rng);
    const SolverOptions options{.tolerance = 1e-8, .columns = columns};
    Block x, again, other;
    const FirstSolve first = make_solver_and_solve(a, options, b, x, on_threads(1));
    INFO(first.report.sentence);
    CHECK(first.report.outcome == Outcome::converged);
    CHECK(first.report.used == "cg");
    CHECK(first.report.sentence.find("from the start") != std::string::npos);
    CHECK(worst_residual(*a, b, x) <= 1e-8);
    CHECK(first.report.iterations < 25);
    make_solver_and_solve(a, options, b, again, on_threads(3));
    CHECK(again == x);
    // The solver that is left makes as many steps, and so does one without a right-hand side.
    const SolveReport second = first.solver->solve(b, other, on_threads(1), false);
    CHECK(second.iterations == first.report.iterations);
    CHECK(other == x);
    const SolveReport third =
        make_solver(a, options, on_threads(1))->solve(b, other, on_threads(1), false);
    CHECK(third.sentence.find("from the start") != std::string::npos);
    CHECK(other == x);
  }
}

TEST_CASE("hubs on a long chain are no social network, and its swept steps are given up") {
  const VertexId cliques = 3000, size = 12;
  std::vector<Edge> edges;
  for (VertexId c = 0; c < cliques; ++c) {
    for (VertexId u = 0; u < size; ++u)
      for (VertexId v = u + 1; v < size; ++v) edges.push_back({c * size + u, c * size + v, 1.0});
    if (c > 0) edges.push_back({c * size - 1, c * size, 1.0});
  }
  const VertexId n = cliques * size + 1;
  for (VertexId v = 0; v < 500 * size; ++v) edges.push_back({v, n - 1, 1.0});
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  ground[0] = 1.0;
  const auto a =
      std::make_shared<const GroundedLaplacian>(graph_from_edges(n, edges), std::move(ground));
  Block b(n, 1), x;
  b(n - 2, 0) = 1.0;
  const FirstSolve first =
      make_solver_and_solve(a, {.tolerance = 1e-8, .columns = 1}, b, x, on_threads(2));
  INFO(first.report.sentence);
  CHECK(first.report.outcome == Outcome::converged);
  CHECK(first.report.sentence.find("from the start") == std::string::npos);
  CHECK(worst_residual(*a, b, x) <= 1e-8);
}
