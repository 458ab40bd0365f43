#include <catch2/catch.hpp>
#include <cmath>

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/residual.hpp"
#include "solve/choose/forecast.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/multigrid/multigrid.hpp"

namespace {

using namespace gssl;
using namespace gssl::solve;

// A hundredth of the vertices grounded, weights log-uniform over so many decades.
SharedSystem make_system(const Graph& shape, double decades, Rng& rng) {
  std::vector<Edge> edges;
  std::vector<double> ground;
  for (VertexId u = 0; u < shape.vertex_count(); ++u) {
    ground.push_back(u % 100 == 0 ? 1.0 : 0.0);
    for (const VertexId v : shape.neighbors(u))
      if (u < v) edges.push_back({u, v, std::pow(10.0, decades * (rng.uniform() - 0.5))});
  }
  return std::make_shared<const GroundedLaplacian>(graph_from_edges(shape.vertex_count(), edges),
                                                   std::move(ground));
}

double iterations(const SharedSystem& system, std::shared_ptr<const Preconditioner> m, Rng& rng) {
  Block b(system->size(), 1), x(system->size(), 1);
  for (VertexId v = 0; v < system->size(); ++v) b(v, 0) = rng.normal();
  const auto solver = make_conjugate_gradient(system, std::move(m), 100'000);
  RunContext run;
  run.threads = 1;
  const InnerResult result = solver->solve(b, x, {1e-8 * column_norms(b, 1)[0]}, run);
  REQUIRE(result.outcome == Outcome::converged);
  return static_cast<double>(result.iterations);
}

}  // namespace

TEST_CASE("eight steps tell how many hundreds will follow") {
  Rng rng(3);
  const SharedSystem systems[] = {
      make_system(erdos_renyi_graph(4000, 0.005, rng), 0.0, rng),  // an expander: tens
      make_system(random_geometric_graph(6000, 0.03, rng), 0.0, rng),
      make_system(grid_graph(100, 100), 0.0, rng), make_system(grid_graph(20, 20, 20), 2.0, rng)};
  for (const SharedSystem& system : systems) {
    const double forecast = forecast_iterations(*system, 8, 1e-8, 1);
    const double needed = iterations(system, nullptr, rng);
    INFO("forecast " << forecast << ", needed " << needed);
    CHECK(forecast <= 4.0 * needed);
    CHECK(forecast >= needed / 2.5);
  }
}

TEST_CASE("three steps are enough where few iterations are, and where they are not all are made") {
  Rng rng(4);
  const SharedSystem expander = make_system(erdos_renyi_graph(4000, 0.005, rng), 0.0, rng);
  CHECK(forecast_iterations(*expander, 8, 1e-8, 1, 1000.0) ==
        forecast_iterations(*expander, 3, 1e-8, 1));
  CHECK(forecast_iterations(*expander, 8, 1e-8, 1, 1000.0) <= 250.0);
  const SharedSystem mesh = make_system(grid_graph(100, 100), 0.0, rng);
  CHECK(forecast_iterations(*mesh, 8, 1e-8, 1, 200.0) == forecast_iterations(*mesh, 8, 1e-8, 1));
}

TEST_CASE("where it depends on the reading whether few steps will do, the probe goes on") {
  // Each vertex held with a probability of 0.1: parts without a held one are small, and few are
  // large, so that the spectrum thins out downward.
  Rng rng(6);
  const Graph grid = grid_graph(150, 150);
  std::vector<VertexId> free_number(static_cast<std::size_t>(grid.vertex_count()), no_vertex);
  VertexId free = 0;
  for (VertexId& number : free_number)
    if (rng.uniform() >= 0.1) number = free++;
  std::vector<double> ground(static_cast<std::size_t>(free), 0.0);
  std::vector<Edge> edges;
  for (VertexId v = 0; v < grid.vertex_count(); ++v) {
    const VertexId i = free_number[static_cast<std::size_t>(v)];
    if (i == no_vertex) continue;
    for (const VertexId u : grid.neighbors(v)) {
      const VertexId j = free_number[static_cast<std::size_t>(u)];
      if (j == no_vertex) ground[static_cast<std::size_t>(i)] += 1.0;
      if (i < j) edges.push_back({i, j, 1.0});
    }
  }
  const auto system =
      std::make_shared<const GroundedLaplacian>(graph_from_edges(free, edges), std::move(ground));
  const double needed = iterations(system, nullptr, rng);
  const double few = 2.0 * needed;
  REQUIRE(forecast_iterations(*system, 8, 1e-8, 1) > 1.5 * few);
  const double forecast = forecast_iterations(*system, 8, 1e-8, 1, few);
  INFO("forecast " << forecast << ", needed " << needed);
  CHECK(forecast <= few);
  CHECK(forecast >= needed / 1.5);
}

TEST_CASE("a preconditioner is judged by its rate") {
  Rng rng(5);
  const SharedSystem system = make_system(grid_graph(120, 120), 1.0, rng);
  const std::shared_ptr<const Preconditioner> levels = make_multigrid(*system, 1);
  REQUIRE(levels != nullptr);
  const double forecast = forecast_iterations(*system, *levels, 1e-8, 1);
  const double needed = iterations(system, levels, rng);
  INFO("forecast " << forecast << ", needed " << needed);
  CHECK(forecast <= 1.6 * needed);
  CHECK(forecast >= 0.6 * needed);
}

TEST_CASE("a system that is solved at once forecasts that") {
  const GroundedLaplacian one(path_graph(1), {2.0});
  CHECK(forecast_iterations(one, 8, 1e-8, 1) <= 1.0);
}
