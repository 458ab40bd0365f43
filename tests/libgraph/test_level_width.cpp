#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/knn_graph.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "solve/choose/level_width.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;

std::vector<double> ground_at_corner(const Graph& graph) {
  std::vector<double> ground(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  ground[0] = 1.0;
  return ground;
}

std::string used_for(const Graph& graph, std::int64_t columns) {
  GroundedLaplacian system(graph, ground_at_corner(graph));
  SolverOptions options;
  options.columns = columns;
  options.eliminate = false;
  const auto solver = make_solver(std::move(system), options, on_threads(1));
  Block b(graph.vertex_count(), 1, 1.0), x;
  return solver->solve(b, x, on_threads(1)).used;
}

}  // namespace

TEST_CASE("a graph is as wide as its widest level, counted from far away") {
  CHECK(solve::level_width(Graph()) == 0);
  CHECK(solve::level_width(path_graph(50)) == 1);
  CHECK(solve::level_width(cycle_graph(50)) == 2);
  CHECK(solve::level_width(star_graph(50)) == 48);  // from a leaf: the hub, then the others
  CHECK(solve::level_width(complete_graph(50)) == 49);
  CHECK(solve::level_width(grid_graph(30, 40)) == 30);
  CHECK(solve::level_width(grid_graph(9, 9, 9)) == 61);  // the hexagon across a cube
}

TEST_CASE("the widest of several components counts, in whatever order they come") {
  std::vector<Edge> edges{{0, 1, 1.0}, {1, 2, 1.0}};
  for (VertexId v = 5; v < 10; ++v) edges.push_back({4, v, 1.0});
  for (VertexId v = 11; v < 20; ++v) edges.push_back({v - 1, v, 1.0});
  CHECK(solve::level_width(graph_from_edges(21, edges)) == 4);
}

TEST_CASE("a thin graph is factored for ten columns, a wide one of as many vertices is not") {
  CHECK(used_for(grid_graph(14, 196), 10) == "cholesky");
  CHECK(used_for(grid_graph(14, 14, 14), 10) != "cholesky");
}

TEST_CASE("near neighbors among points are factored where many systems of their pattern come") {
  // Levels of such a graph are many times as wide as its separators; one order serves all systems,
  // and each is then solved without an iteration.
  Rng rng(1);
  const PlanePoints points = two_moons(50'000, 0.1, rng);
  std::vector<double> coordinates;
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    coordinates.push_back(points.x[i]);
    coordinates.push_back(points.y[i]);
  }
  const Graph graph = knn_graph(Points::dense(50'000, 2, std::move(coordinates)), 10,
                                {.weights = {.kind = WeightKind::self_tuning}})
                          .graph;
  const auto system = std::make_shared<const GroundedLaplacian>(graph, ground_at_corner(graph));
  const auto solver =
      make_solver(system, {.tolerance = 1e-8, .columns = 1, .updates = 50}, on_threads(2));
  Block b(graph.vertex_count(), 1), x;
  for (std::int64_t v = 0; v < b.rows(); ++v) b(v, 0) = v % 2 == 0 ? 1.0 : -1.0;
  const SolveReport first = solver->solve(b, x, on_threads(2));
  CHECK(first.outcome == Outcome::converged);
  CHECK(first.iterations == 0);
  std::vector<double> weights(graph.neighbor_array().size(), 0.5);
  const auto lighter = std::make_shared<const GroundedLaplacian>(
      system->with_weights(std::move(weights), ground_at_corner(graph)));
  const SolveReport second = solver->updated(lighter, on_threads(2))->solve(b, x, on_threads(2));
  CHECK(second.outcome == Outcome::converged);
  CHECK(second.iterations == 0);
}
