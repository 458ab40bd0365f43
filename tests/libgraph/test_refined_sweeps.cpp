#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "gssl/data/checkpoint.hpp"
#include "gssl/linalg/residual.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"
#include "solve/method/cg/float_split.hpp"
#include "solve/method/cg/refined_sweeps.hpp"
#include "solve/method/cg/swept_cg.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;
using solve::FloatSplit;
using solve::SweptSystem;
using SharedMatrix = std::shared_ptr<const GroundedLaplacian>;

constexpr std::int64_t side_by_side = solve::float_lanes;

SharedMatrix grounded_here_and_there(const Graph& graph, VertexId distance) {
  std::vector<double> ground(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  for (VertexId v = 0; v < graph.vertex_count(); v += distance)
    ground[static_cast<std::size_t>(v)] = 1.0;
  return std::make_shared<const GroundedLaplacian>(graph, ground);
}

std::vector<double> targets_at(const Block& b, double tolerance) {
  std::vector<double> targets = column_norms(b, 1);
  for (double& target : targets) target *= tolerance;
  return targets;
}

// The columns of b by doubles, one at a time.
Block one_by_one(const solve::ReducedSolver& solver, const Block& b,
                 const std::vector<double>& targets) {
  Block x(b.rows(), b.columns());
  for (std::int64_t j = 0; j < b.columns(); ++j) {
    Block own(b.rows(), 1), own_x(b.rows(), 1);
    for (std::int64_t v = 0; v < b.rows(); ++v) own(v, 0) = b(v, j);
    REQUIRE(
        solver.solve(own, own_x, {targets[static_cast<std::size_t>(j)]}, on_threads(1)).outcome ==
        Outcome::converged);
    for (std::int64_t v = 0; v < b.rows(); ++v) x(v, j) = own_x(v, 0);
  }
  return x;
}

double worst_of_residual(const SharedMatrix& a, const Block& b, const Block& x,
                         const std::vector<double>& targets) {
  Block r;
  return worst_ratio(residual(*a, b, x, r, 1), targets);
}

}  // namespace

TEST_CASE("sweeps in floats are those in doubles to seven digits") {
  Rng rng(3);
  std::vector<double> scratch;
  for (const Graph& graph :
       {random_graph(200, 900, rng), weighted(random_graph(300, 900, rng), 8, rng),
        rmat_graph(7, 4, rng)}) {
    const SharedMatrix a = grounded_here_and_there(graph, 1);
    const VertexId n = a->size();
    const SweptSystem split(*a, 1);
    REQUIRE(FloatSplit::fits(split));
    const FloatSplit floats(split);
    const double unit = std::ldexp(1.0, floats.exponent());  // Ã is larger by it
    solve::FloatColumns columns(n);
    Block b(n, 1), p(n, 1), q(n, 1);
    for (VertexId r = 0; r < n; ++r) {
      b(r, 0) = rng.normal();
      columns.r()[r * side_by_side + 3] = static_cast<float>(b(r, 0));
      p(r, 0) = split.pivots()[static_cast<std::size_t>(r)] / unit * b(r, 0);
    }
    floats.move({}, {}, columns);
    const solve::LaneSums pq = floats.multiply(columns);
    split.apply(p.data(), q.data(), 1, 0, scratch);
    double sum = 0.0, largest = 0.0, apart = 0.0;
    for (VertexId r = 0; r < n; ++r) {
      sum += unit * p(r, 0) * q(r, 0);
      largest = std::max(largest, unit * std::abs(q(r, 0)));
      apart = std::max(apart, std::abs(unit * q(r, 0) - double{columns.q()[r * side_by_side + 3]}));
    }
    CHECK(apart < 1e-5 * largest);
    CHECK(pq[3] == Approx(sum).epsilon(1e-5));
    CHECK(pq[2] == 0.0);
  }
}

TEST_CASE("many columns in floats meet the targets of doubles, in hardly more steps") {
  Rng rng(7);
  const VertexId n = 3000;
  const SharedMatrix a = std::make_shared<const GroundedLaplacian>(random_graph(n, 24'000, rng),
                                                                   std::vector<double>(n, 1e-3));
  const std::int64_t c = 37;
  Block b = random_block(n, c, rng);
  for (VertexId v = 0; v < n; ++v) {
    b(v, 3) = 0.0;
    b(v, 5) *= 1e-100;
    b(v, 6) *= 1e100;
  }
  const std::vector<double> targets = targets_at(b, 1e-10);
  const auto swept = solve::make_swept_conjugate_gradient(a, 1000, 1);
  Block x(n, c);
  const auto result = swept->solve(b, x, targets, on_threads(2));
  CHECK(result.outcome == Outcome::converged);
  CHECK(worst_of_residual(a, b, x, targets) <= 1.0);
  for (VertexId v = 0; v < n; ++v) CHECK(x(v, 3) == 0.0);

  const Block exact = one_by_one(*swept, b, targets_at(b, 1e-12));
  for (const std::int64_t j : {0, 20, 36}) {
    double most = 0.0, apart = 0.0;
    for (VertexId v = 0; v < n; ++v) {
      most = std::max(most, std::abs(exact(v, j)));
      apart = std::max(apart, std::abs(x(v, j) - exact(v, j)));
    }
    CHECK(apart < 1e-8 * most);
  }
  Block few(n, 1), first(n, 1);
  for (VertexId v = 0; v < n; ++v) first(v, 0) = b(v, 0);
  const auto doubles = swept->solve(first, few, {targets[0]}, on_threads(1));
  // Of the error some steps before the last.
  CHECK(result.error[0] > 0.05 * doubles.error[0]);
  CHECK(result.error[0] < 1e-5);
  CHECK(2 * result.iterations <= 3 * doubles.iterations);

  Block again(n, c);
  swept->solve(b, again, targets, on_threads(1));
  CHECK(again == x);
  CHECK(swept->solve(b, again, targets, on_threads(2)).iterations == 0);
  for (VertexId v = 0; v < n; ++v) again(v, 0) += 1e-4 * rng.normal();
  const auto warm = swept->solve(b, again, targets, on_threads(2));
  CHECK(warm.outcome == Outcome::converged);
  CHECK(warm.iterations < result.iterations);
}

// Where a few of many vertices are tied to earth, all the others lie at nearly one height.
TEST_CASE("a weak ground below hubs costs floats few steps more than doubles") {
  Rng rng(23);
  const Graph graph = rmat_graph(14, 16, rng);
  const VertexId n = graph.vertex_count();
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  for (VertexId v = 0; v < n; ++v)
    if (graph.degree(v) < 2 || v % 1000 == 7) ground[static_cast<std::size_t>(v)] = 1.0;
  const auto a = std::make_shared<const GroundedLaplacian>(graph, ground);
  Block b(n, 32);
  for (VertexId v = 7; v < n; v += 1000)
    for (std::int64_t k = 0; k < 32; ++k) b(v, k) = rng.uniform();
  const std::vector<double> targets = targets_at(b, 1e-10);
  const auto swept = solve::make_swept_conjugate_gradient(a, 20'000, 1);
  Block x(n, 32), own(n, 1), own_x(n, 1);
  for (VertexId v = 0; v < n; ++v) own(v, 0) = b(v, 0);
  const auto doubles = swept->solve(own, own_x, {targets[0]}, on_threads(1));
  const auto floats = swept->solve(b, x, targets, on_threads(2));
  CHECK(floats.outcome == Outcome::converged);
  CHECK(worst_of_residual(a, b, x, targets) <= 1.0);
  CHECK(floats.iterations <= 2 * doubles.iterations);
}

TEST_CASE("weights over many decades, and grounds beyond floats, are for doubles") {
  Rng rng(13);
  const VertexId n = 2000;
  for (const double decades : {6.0, 8.0, 10.0}) {
    const SharedMatrix a =
        grounded_here_and_there(weighted(random_graph(n, 16'000, rng), decades, rng), 100);
    Block b(n, 20);
    for (VertexId v = 0; v < n; v += 100)
      for (std::int64_t k = 0; k < 20; ++k) b(v, k) = rng.uniform();
    const std::vector<double> targets = targets_at(b, 1e-9);
    const auto swept = solve::make_swept_conjugate_gradient(a, 20'000, 1);
    Block x(n, 20), y(n, 20);
    CHECK(swept->solve(b, x, targets, on_threads(2)).outcome == Outcome::converged);
    CHECK(worst_of_residual(a, b, x, targets) <= 1.01);  // of A; those of Ã are met
    swept->solve(b, y, targets, on_threads(1));
    CHECK(x == y);
  }
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  ground[0] = std::ldexp(1.0, 100);
  const SharedMatrix a =
      std::make_shared<const GroundedLaplacian>(random_graph(n, 16'000, rng), ground);
  CHECK_FALSE(FloatSplit::fits(SweptSystem(*a, 1)));
  const Block b = random_block(n, 20, rng);
  const std::vector<double> targets = targets_at(b, 1e-9);
  Block x(n, 20);
  CHECK(solve::make_swept_conjugate_gradient(a, 20'000, 1)
            ->solve(b, x, targets, on_threads(2))
            .outcome == Outcome::converged);
  CHECK(worst_of_residual(a, b, x, targets) <= 1.0);
}

TEST_CASE("columns that floats hardly bring nearer are left to doubles soon") {
  Rng rng(17);
  const VertexId n = 2000;
  const SharedMatrix a =
      grounded_here_and_there(weighted(random_graph(n, 16'000, rng), 10.0, rng), 100);
  Block b(n, side_by_side);
  for (VertexId v = 0; v < n; v += 100)
    for (std::int64_t k = 0; k < side_by_side; ++k) b(v, k) = rng.uniform();
  const std::vector<double> targets = targets_at(b, 1e-9);
  const SweptSystem split(*a, 1);
  const FloatSplit floats(split);
  Block x(n, side_by_side);
  std::vector<double> error(side_by_side);
  solve::RefinedSweeps sweeps(*a, floats, b, x, targets, error, 0, side_by_side);
  int steps = 0;
  while (!sweeps.done() && ++steps < 1000) sweeps.step(steps % 50 == 0);
  CHECK_FALSE(sweeps.stalled().empty());
  CHECK(steps <= 150);
  sweeps.flush();
  CHECK(worst_of_residual(a, b, x, column_norms(b, 1)) <= 1.0);
}

TEST_CASE("many columns stop at their limit, and when they are told to") {
  Rng rng(9);
  const VertexId n = 2000;
  const SharedMatrix a = std::make_shared<const GroundedLaplacian>(random_graph(n, 12'000, rng),
                                                                   std::vector<double>(n, 1e-3));
  const Block b = random_block(n, 40, rng);
  const std::vector<double> targets = targets_at(b, 1e-9), norms = column_norms(b, 1);
  Block x(n, 40);
  const auto few = solve::make_swept_conjugate_gradient(a, 3, 1);
  const auto result = few->solve(b, x, targets, on_threads(2));
  CHECK(result.outcome == Outcome::iteration_limit);
  CHECK(result.iterations == 3);
  CHECK(worst_of_residual(a, b, x, norms) < 0.01);

  // Told to stop when it has reported that it is at work.
  const auto many = solve::make_swept_conjugate_gradient(a, 100'000, 1);
  std::atomic<bool> cancel{false};
  RunContext run = on_threads(1);
  run.cancel = &cancel;
  run.progress = [&](std::string_view, double) { cancel = true; };
  x = Block(n, 40);
  const auto cancelled = many->solve(b, x, targets, run);
  CHECK(cancelled.outcome == Outcome::cancelled);
  CHECK(cancelled.iterations == 8);
  CHECK(worst_of_residual(a, b, x, norms) <= 1.0);
}

TEST_CASE("many columns that are stopped and go on have the bytes of those that are not") {
  Rng rng(19);
  const VertexId n = 500;
  const SharedMatrix a = grounded_here_and_there(weighted(random_graph(n, 3000, rng), 6, rng), 100);
  const Block b = random_block(n, 40, rng);
  const std::vector<double> targets = targets_at(b, 1e-10);
  const auto swept = solve::make_swept_conjugate_gradient(a, 100'000, 1);
  Block expected(n, 40), x;
  REQUIRE(swept->solve(b, expected, targets, on_threads(1)).outcome == Outcome::converged);
  std::optional<Record> kept;
  // A run ends after so many writes, which come as fast as the clock lets them, or when it has told
  // of eight iterations.
  int stops = 0;
  for (int most = 3; stops < 30; most += 7) {
    std::atomic<bool> cancel{false};
    int saves = 0;
    Checkpoint checkpoint(0.0, [&](const Checkpoint&) { cancel = ++saves >= most; });
    if (kept) checkpoint.restore(*kept);
    RunContext run = on_threads(2);
    run.cancel = &cancel;
    run.progress = [&](std::string_view, double) { cancel = true; };
    run.checkpoint = &checkpoint;
    x = Block(n, 40);
    if (swept->solve(b, x, targets, run).outcome == Outcome::converged) break;
    ++stops;
    kept.emplace();
    for (const auto& [name, value] : checkpoint.to_values()) kept->put_value(name, *value);
  }
  CHECK(stops > 2);
  CHECK(x == expected);
}
