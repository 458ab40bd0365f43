#include <algorithm>
#include <atomic>
#include <cmath>

#include "gssl/factor/network_factor.hpp"
#include "gssl/linalg/residual.hpp"
#include "solve/method/network/network_series.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;
using solve::SharedSystem;

const auto any_size = [](const FactorSize&) { return true; };

SharedSystem other_weights(const SharedSystem& system, double decades, Rng& rng) {
  const Graph graph = weighted(system->graph(), decades, rng);
  return std::make_shared<const GroundedLaplacian>(graph, system->ground());
}

SharedSystem grounded_grid(VertexId side, VertexId corner = 0) {
  std::vector<double> ground(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0.0);
  ground[static_cast<std::size_t>(corner)] = 1.0;
  return std::make_shared<const GroundedLaplacian>(grid(side), ground);
}

// ‖A x − b‖ of the worst column, relative to ‖A‖ ‖x‖ + ‖b‖.
double solve_error(const GroundedLaplacian& a, const Block& b, const Block& x) {
  Block r;
  const std::vector<double> left = residual(a, b, x, r, 1);
  const std::vector<double> given = column_norms(b, 1), found = column_norms(x, 1);
  const double size = 2.0 * std::ranges::max(a.diagonal());
  double worst = 0.0;
  for (std::size_t j = 0; j < left.size(); ++j)
    worst = std::max(worst, left[j] / (size * found[j] + given[j]));
  return worst;
}

}  // namespace

TEST_CASE("every system of a series has the answers of a factor made for it alone",
          "[network-series]") {
  Rng rng(31);
  const SharedSystem first = grounded_grid(14);
  std::unique_ptr<solve::ReducedSolver> series =
      solve::make_network_series(first, any_size, on_threads(2));
  REQUIRE(series != nullptr);
  CHECK(series->updates_fully());
  const Block b = random_block(first->size(), 3, rng);
  for (const double decades : {0.0, 3.0, 8.0}) {
    const SharedSystem system = other_weights(first, decades, rng);
    series = series->updated(system, on_threads(2));  // the one before is gone
    REQUIRE(series != nullptr);
    const auto alone = solve::make_network_series(system, any_size, on_threads(1));
    Block x, y;
    CHECK(series->solve(b, x, {}, on_threads(2)).outcome == Outcome::converged);
    alone->solve(b, y, {}, on_threads(1));
    CHECK(x == y);  // and the same bytes at one thread as at two
    CHECK(solve_error(*system, b, x) < 1e-13);
  }
}

TEST_CASE("solvers of a series that live side by side do not share their numbers",
          "[network-series]") {
  Rng rng(32);
  const SharedSystem first = grounded_grid(9);
  const auto series = solve::make_network_series(first, any_size, on_threads(1));
  const Block b = random_block(first->size(), 1, rng);
  Block before, after, x;
  series->solve(b, before, {}, on_threads(1));
  const auto one = series->updated(other_weights(first, 2.0, rng));
  const auto two = series->updated(other_weights(first, 2.0, rng));
  series->solve(b, after, {}, on_threads(1));
  CHECK(after == before);
  one->solve(b, x, {}, on_threads(1));
  two->solve(b, after, {}, on_threads(1));
  CHECK_FALSE(x == after);
}

// 0 −1− 1 −1e-20− 2 −1− 3, earth at 0: what flows into 3 has to leave by the poorest conductor.
TEST_CASE("weights over decades that a sum of doubles cannot hold lose no digit in a series",
          "[network-series]") {
  const auto a =
      std::make_shared<const GroundedLaplacian>(path(4), std::vector<double>{1, 0, 0, 0});
  const auto series = solve::make_network_series(a, any_size, on_threads(1));
  const auto poor = std::make_shared<const GroundedLaplacian>(
      a->with_weights({1, 1, 1e-20, 1e-20, 1, 1}, {1, 0, 0, 0}));
  const auto solver = series->updated(poor);
  Block b(4, 1), x;
  b(3, 0) = 1.0;
  solver->solve(b, x, {}, on_threads(1));
  CHECK(x(0, 0) == Approx(1.0).epsilon(1e-14));
  CHECK(x(1, 0) == Approx(2.0).epsilon(1e-14));
  CHECK(x(2, 0) == Approx(1e20).epsilon(1e-14));
}

TEST_CASE("a series ends where it was refused, stopped, or other vertices are grounded",
          "[network-series]") {
  const SharedSystem first = grounded_grid(8);
  CHECK(solve::make_network_series(
            first, [](const FactorSize&) { return false; }, on_threads(1)) == nullptr);
  const auto series = solve::make_network_series(first, any_size, on_threads(1));
  CHECK(series->updated(grounded_grid(8, 5)) == nullptr);
  std::atomic<bool> stop = true;
  RunContext stopped = on_threads(1);
  stopped.cancel = &stop;
  CHECK(series->updated(first, stopped) == nullptr);
  CHECK(solve::make_network_series(first, any_size, stopped) == nullptr);
}

TEST_CASE("automatic takes a factor without subtraction where systems are to come",
          "[network-series]") {
  Rng rng(33);
  const SharedSystem first = grounded_grid(30);
  const auto solver = make_solver(first, {.tolerance = 1e-10, .updates = 40}, on_threads(2));
  const Block b = random_block(first->size(), 2, rng);
  const SharedSystem hard = other_weights(first, 12.0, rng);
  Block x;
  const SolveReport report = solver->updated(hard, on_threads(2))->solve(b, x, on_threads(2));
  INFO(report.sentence);
  CHECK(report.outcome == Outcome::converged);
  CHECK(report.used == "cholesky");
  CHECK(report.iterations == 0);
  // Grounded elsewhere, it is prepared anew.
  const SharedSystem moved = grounded_grid(30, 17);
  const SolveReport anew = solver->updated(moved, on_threads(2))->solve(b, x, on_threads(2));
  CHECK(anew.outcome == Outcome::converged);
  CHECK(solve_error(*moved, b, x) < 1e-13);
}
