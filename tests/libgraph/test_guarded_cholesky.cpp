#include <cmath>
#include <filesystem>
#include <iterator>
#include <thread>

#include "gssl/linalg/residual.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/cholesky/guarded_cholesky.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;
using solve::SharedSystem;

std::vector<double> targets_of(const Block& b, double tolerance) {
  std::vector<double> targets = column_norms(b, 1);
  for (double& target : targets) target *= tolerance;
  return targets;
}

double worst_of(const GroundedLaplacian& a, const Block& b, const Block& x,
                const std::vector<double>& targets) {
  Block r;
  return worst_ratio(residual(a, b, x, r, 1), targets);
}

// 0 −1− 1 −1e-9− 2 −1e8− 3 with earth at 0: the good conductor hangs by a poor one, which the
// pivots of 2 and 3 cannot hold beside 1e8. As many of these side by side as asked for.
SharedSystem hanging_clusters(VertexId count) {
  std::vector<Edge> edges;
  std::vector<double> ground(static_cast<std::size_t>(4 * count), 0.0);
  for (VertexId i = 0; i < count; ++i) {
    edges.push_back({4 * i, 4 * i + 1, 1.0});
    edges.push_back({4 * i + 1, 4 * i + 2, 1e-9});
    edges.push_back({4 * i + 2, 4 * i + 3, 1e8});
    if (i > 0) edges.push_back({4 * i, 4 * i - 4, 1.0});
  }
  ground[0] = 1.0;
  return std::make_shared<const GroundedLaplacian>(graph_from_edges(4 * count, edges), ground);
}

}  // namespace

TEST_CASE("a factor that meets its targets is not iterated upon") {
  Rng rng(3);
  const auto a = std::make_shared<const GroundedLaplacian>(grid(20), std::vector<double>(400, 0.1));
  const Block b = random_block(400, 3, rng);
  Block x(400, 3);
  const auto solver = solve::make_guarded_cholesky(a);
  REQUIRE(solver != nullptr);
  const auto targets = targets_of(b, 1e-10);
  const solve::InnerResult result = solver->solve(b, x, targets, on_threads(1));
  CHECK(result.outcome == Outcome::converged);
  CHECK(result.iterations == 0);
  REQUIRE(result.error.size() == 3);
  for (const double error : result.error) CHECK(std::isnan(error));  // nobody estimated it
  CHECK(worst_of(*a, b, x, targets) <= 1.0);
}

TEST_CASE("what a factor loses of clusters that hang by poor conductors is found again") {
  const auto a = hanging_clusters(3);
  Block x(12, 1), exact(12, 1), b;
  for (VertexId v = 0; v < 12; ++v) exact(v, 0) = 1.0 + 0.25 * v;
  a->apply(exact, b);
  const auto targets = targets_of(b, 1e-8);
  const auto solver = solve::make_guarded_cholesky(a);
  REQUIRE(solver != nullptr);
  const solve::InnerResult result = solver->solve(b, x, targets, on_threads(1));
  CHECK(result.outcome == Outcome::converged);
  CHECK(worst_of(*a, b, x, targets) <= 1.0);
}

TEST_CASE("a target below rounding ends in a breakdown, with a finite answer") {
  const auto a = hanging_clusters(2);
  Rng rng(5);
  const Block b = random_block(8, 1, rng);
  Block x(8, 1);
  const auto solver = solve::make_guarded_cholesky(a);
  REQUIRE(solver != nullptr);
  const solve::InnerResult result = solver->solve(b, x, {1e-300}, on_threads(1));
  CHECK(result.outcome == Outcome::breakdown);
  for (const double value : x.values()) CHECK(std::isfinite(value));
}

TEST_CASE("a guarded factor refused stays away, and one updated answers for the new weights") {
  const auto a = std::make_shared<const GroundedLaplacian>(grid(12), std::vector<double>(144, 0.1));
  CHECK(solve::make_guarded_cholesky(a, [](const solve::FactorEstimate&) { return false; }) ==
        nullptr);
  const auto solver = solve::make_guarded_cholesky(a);
  REQUIRE(solver != nullptr);
  Rng rng(7);
  std::vector<double> weights(a->graph().neighbor_array().size(), 2.5);
  const auto other = std::make_shared<const GroundedLaplacian>(
      a->with_weights(std::move(weights), std::vector<double>(144, 0.7)));
  const auto updated = solver->updated(other);
  REQUIRE(updated != nullptr);
  const Block b = random_block(144, 2, rng);
  Block x(144, 2);
  const auto targets = targets_of(b, 1e-12);
  CHECK(updated->solve(b, x, targets, on_threads(2)).outcome == Outcome::converged);
  CHECK(worst_of(*other, b, x, targets) <= 1.0);
  // Nothing is to be gained by preparing it anew, as it is of steps that keep a preconditioner.
  CHECK(updated->updates_fully());
  CHECK_FALSE(solve::make_conjugate_gradient(a, nullptr, 10)->updates_fully());
}

TEST_CASE("a factor made for many systems can be updated again and again, also from updated ones") {
  const auto a = std::make_shared<const GroundedLaplacian>(grid(12), std::vector<double>(144, 0.1));
  std::unique_ptr<solve::ReducedSolver> solver = solve::make_guarded_cholesky(a);
  Rng rng(8);
  for (int round = 0; round < 3; ++round) {
    const auto other = std::make_shared<const GroundedLaplacian>(
        weighted(grid(12), 3.0 + round, rng), std::vector<double>(144, 0.7));
    solver = solver->updated(other);  // the one before is gone
    REQUIRE(solver != nullptr);
    const Block b = random_block(144, 2, rng);
    Block x(144, 2);
    const auto targets = targets_of(b, 1e-12);
    CHECK(solver->solve(b, x, targets, on_threads(2)).outcome == Outcome::converged);
    CHECK(worst_of(*other, b, x, targets) <= 1.0);
  }
}

TEST_CASE("a factor is made by the thread that asked for it alone") {
  const std::filesystem::path tasks = "/proc/self/task";
  if (!std::filesystem::exists(tasks)) {
    WARN("skipped: /proc is absent");
    return;
  }
  const auto count = [&] {
    return std::distance(std::filesystem::directory_iterator(tasks),
                         std::filesystem::directory_iterator());
  };
  const auto a = std::make_shared<const GroundedLaplacian>(grid_graph(12, 12, 12),
                                                           std::vector<double>(1728, 0.1));
  std::ptrdiff_t before = 0, after = 0;
  // A new thread has no helpers left over from loops of other tests.
  std::thread([&] {
    before = count();
    CHECK(solve::make_guarded_cholesky(a) != nullptr);
    after = count();
  }).join();
  CHECK(after == before);
}
