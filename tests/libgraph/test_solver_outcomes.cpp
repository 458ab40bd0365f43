// How a solve ends: limits, cancelling, rounding, and what the report says of it.

#include <atomic>
#include <chrono>
#include <memory>

#include "core/aside.hpp"
#include "solve/method/cholesky/cholesky.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("a deadline in the past and a raised cancel flag are reported, with a finite answer") {
  Rng rng(41);
  const GroundedLaplacian a(grid(40), std::vector<double>(1600, 1e-6));
  const Block b = random_block(1600, 2, rng);
  const std::atomic<bool> raised{true};
  for (const SolverKind kind : every_kind) {
    for (const bool prepared_in_time : {true, false}) {
      RunContext late, cancelled;
      late.deadline = RunContext::Clock::now() - std::chrono::seconds(1);
      cancelled.cancel = &raised;
      for (const auto& [run, outcome] :
           {std::pair(late, Outcome::time_limit), std::pair(cancelled, Outcome::cancelled)}) {
        const auto solver = make_solver(a, {.kind = kind}, prepared_in_time ? RunContext() : run);
        Block x;
        const SolveReport report = solver->solve(b, x, run);
        CHECK(report.outcome == outcome);
        CHECK(report.relative_residual == Approx(1.0));
        CHECK(test::max_difference(x, Block(1600, 2)) == 0.0);
      }
    }
  }
}

TEST_CASE("a factorization stops after ordering, and a factor before it solves") {
  Rng rng(43);
  const auto a =
      std::make_shared<const GroundedLaplacian>(grid(60), std::vector<double>(3600, 1.0));
  const Block b = random_block(3600, 2, rng);
  std::atomic<bool> raised{false};
  RunContext run = on_threads(2);
  run.cancel = &raised;
  const auto refuse = [](const solve::FactorEstimate& factor) { return factor.nonzeros < 0.0; };
  CHECK(solve::make_cholesky(a, refuse) == nullptr);
  const auto factor =
      solve::make_cholesky(a, [&](const solve::FactorEstimate&) { return raised = true; });
  REQUIRE(factor != nullptr);
  Block x(3600, 2);
  CHECK(factor->solve(b, x, {1e-8, 1e-8}, run).outcome == Outcome::cancelled);
  CHECK(x == Block(3600, 2));
}

TEST_CASE("cancelling in the middle leaves the iterate reached so far") {
  Rng rng(42);
  const GroundedLaplacian a(grid(60), std::vector<double>(3600, 1e-9));
  const Block b = random_block(3600, 1, rng);
  std::atomic<bool> raised{false};
  RunContext run = on_threads(2);
  run.cancel = &raised;
  double last = -1.0;
  run.progress = [&](std::string_view stage, double fraction) {
    CHECK(stage.starts_with("solve"));
    CHECK((fraction >= 0.0 && fraction <= 1.0));
    last = fraction;
    raised = true;
  };
  Block x;
  const auto solver = make_solver(a, {.kind = SolverKind::conjugate_gradient}, RunContext());
  const SolveReport report = solver->solve(b, x, run);
  CHECK(last >= 0.0);
  CHECK(report.outcome == Outcome::cancelled);
  CHECK(report.iterations == 8);
  CHECK(std::isfinite(x(0, 0)));
  CHECK(test::max_difference(x, Block(3600, 1)) > 0.0);
}

TEST_CASE("a guess far off is worth no more than none") {
  Rng rng(47);
  const GroundedLaplacian a(grid(30), std::vector<double>(900, 0.01));
  const Block b = random_block(900, 2, rng);
  for (const SolverKind kind : every_kind) {
    Block x(900, 2);
    for (std::int64_t v = 0; v < 900; ++v) x(v, 1) = 1e150 * rng.uniform();
    const auto solver = make_solver(a, {.kind = kind, .tolerance = 1e-8}, on_threads(2));
    const SolveReport report = solver->solve(b, x, on_threads(2), true);
    INFO(report.sentence);
    CHECK(report.outcome == Outcome::converged);
  }
}

TEST_CASE("the error estimate of a factor sees what rounding hid in a star of 16 decades") {
  // g x_c = sum of b, and x_i = x_c + b_i / w_i: sums of positive numbers, exact but for one digit.
  Rng rng(51);
  int told = 0;
  for (int round = 0; round < 20; ++round) {
    const Graph star = weighted(star_graph(100), 16.0, rng);
    const double ground = 1e-8;
    std::vector<double> grounds(100, 0.0);
    grounds[0] = ground;
    const GroundedLaplacian a(star, grounds);
    Block b(100, 1), x;
    for (VertexId v = 1; v < 100; ++v) b(v, 0) = rng.uniform() < 0.5 ? 1.0 : 0.0;
    const SolveReport report =
        solve_once(a, {.kind = SolverKind::cholesky, .tolerance = 1e-8, .eliminate = false}, b, x);
    long double center = 0.0L;
    for (VertexId v = 1; v < 100; ++v) center += b(v, 0);
    center /= ground;
    long double error = ground * std::pow(x(0, 0) - center, 2.0L);
    long double energy = ground * center * center;
    for (VertexId v = 1; v < 100; ++v) {
      const long double w = star.weight_at(star.row_begin(v));
      const long double exact = center + b(v, 0) / w;
      error += w * std::pow(x(v, 0) - exact - (x(0, 0) - center), 2.0L);
      energy += w * std::pow(exact - center, 2.0L);
    }
    const double relative = static_cast<double>(std::sqrt(error / energy));
    const double said = report.error_estimate.value_or(HUGE_VAL);  // none: nothing is promised
    INFO(round << ": " << relative << ", said " << said);
    CHECK(said >= 0.01 * std::min(relative, 1.0));  // beyond 1 there are no digits to lose
    told += relative > 1e-9 && std::isfinite(said);
  }
  CHECK(told > 0);
}

TEST_CASE("a warm start takes fewer iterations, and the iteration limit is kept") {
  Rng rng(51);
  const GroundedLaplacian a(grid(40), std::vector<double>(1600, 1e-3));
  const Block b = random_block(1600, 2, rng);
  for (const SolverKind kind : {SolverKind::conjugate_gradient, SolverKind::consensus}) {
    const RunContext run = on_threads(2);
    const auto solver = make_solver(a, {.kind = kind, .tolerance = 1e-8}, run);
    Block x;
    const SolveReport cold = solver->solve(b, x, run);
    Block near = x;
    near(17, 0) += 1e-6;
    const SolveReport warm = solver->solve(b, near, run, true);
    CHECK(warm.outcome == Outcome::converged);
    CHECK(warm.iterations < cold.iterations);
    const SolveReport again = solver->solve(b, x, run, true);
    CHECK(again.iterations == 0);
    const SolveReport few = solve_once(a, {.kind = kind, .max_iterations = 3}, b, x);
    CHECK(few.outcome == Outcome::iteration_limit);
    CHECK(few.iterations == 3);
    CHECK(few.relative_residual > 1e-10);
  }
}

TEST_CASE("weights over sixteen decades end honestly") {
  Rng rng(71);
  std::vector<double> ground(900, 0.0);
  ground[5] = 1e-3;
  const GroundedLaplacian a(weighted(grid(30), 16.0, rng), ground);
  const Block b = random_block(900, 1, rng);
  for (const SolverKind kind :
       {SolverKind::automatic, SolverKind::cholesky, SolverKind::conjugate_gradient}) {
    Block x, product;
    const SolveReport report = solve_once(a, {.kind = kind}, b, x);
    INFO(report.sentence);
    a.apply(x, product);
    double lost = 0.0, given = 0.0;
    for (VertexId v = 0; v < 900; ++v) {
      lost += std::pow(b(v, 0) - product(v, 0), 2);
      given += b(v, 0) * b(v, 0);
    }
    CHECK(report.relative_residual == Approx(std::sqrt(lost / given)).epsilon(1e-6));
    // Rounding alone may keep the residual of an answer up that is proven otherwise.
    if (report.relative_residual <= 1e-10) CHECK(report.outcome == Outcome::converged);
    if (report.outcome == Outcome::converged && report.relative_residual > 1e-10)
      CHECK(report.sentence.find("proven") != std::string::npos);
    if (report.outcome == Outcome::breakdown)
      CHECK(report.sentence.find("stalled") != std::string::npos);
  }
}

TEST_CASE("the error estimate is true where the residual is not") {
  Rng rng(95);
  std::vector<double> ground(144, 0.0);
  ground[7] = ground[100] = 1.0;
  const GroundedLaplacian a(weighted(grid(12), 3.0, rng), ground);
  const Block b = random_block(144, 3, rng);
  Block exact, product;
  solve_once(a, {.kind = SolverKind::cholesky, .tolerance = 1e-14}, b, exact);
  for (const SolverKind kind : every_kind) {
    Block x;
    const SolveReport report =
        solve_once(a, {.kind = kind, .tolerance = 1e-3, .max_iterations = 1'000'000}, b, x);
    INFO(to_string(kind) << ": " << report.sentence);
    REQUIRE(report.error_estimate);
    Block error(144, 3);
    for (std::int64_t v = 0; v < 144; ++v)
      for (std::int64_t j = 0; j < 3; ++j) error(v, j) = x(v, j) - exact(v, j);
    a.apply(error, product);
    double worst = 0.0;
    for (std::int64_t j = 0; j < 3; ++j) {
      double lost = 0.0, energy = 0.0;
      for (std::int64_t v = 0; v < 144; ++v) {
        lost += error(v, j) * product(v, j);
        energy += exact(v, j) * b(v, j);
      }
      worst = std::max(worst, std::sqrt(lost / energy));
    }
    CHECK(*report.error_estimate >= 0.5 * worst - 1e-9);
    CHECK(*report.error_estimate <= 100.0 * worst + 1e-9);
  }
}

TEST_CASE("where multigrid stalls approximate Cholesky takes over and the report says so") {
  Rng rng(97);
  int taken_over = 0;
  for (const double weak : {1e-8, 1e-9, 1e-10, 1e-11}) {
    std::vector<double> ground(10'000, 0.0);
    ground[5007] = weak;
    const GroundedLaplacian a(weighted(grid_graph(100, 100), 1.0, rng), ground);
    Block b, x;
    a.apply(random_block(10'000, 1, rng), b);
    const SolveReport report =
        solve_once(a, {.kind = SolverKind::multigrid, .tolerance = 1e-8}, b, x);
    INFO(report.sentence);
    CHECK(report.outcome == Outcome::converged);
    if (report.sentence.find("took over") != std::string::npos) ++taken_over;
    CHECK(solve_once(a, {.tolerance = 1e-8}, b, x).outcome == Outcome::converged);
  }
  CHECK(taken_over > 0);
}

TEST_CASE("where a weak ground breaks approximate Cholesky cg takes over") {
  const VertexId n = 4000;
  int taken_over = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Rng rng(seed);
    std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
    ground[n / 2] = 1e-10;
    const GroundedLaplacian a(weighted(random_graph(n, 5 * n, rng), 12.0, rng), ground);
    Block b, x;
    a.apply(random_block(n, 1, rng), b);
    const SolveReport report = solve_once(a, {.tolerance = 1e-8}, b, x);
    INFO(report.sentence);
    CHECK(report.outcome == Outcome::converged);
    if (report.sentence.find("cg took over") != std::string::npos) ++taken_over;
  }
  CHECK(taken_over > 0);
}

TEST_CASE("a small graph is factored only where that is cheaper than a few steps") {
  Rng rng(101);
  Block x;
  const GroundedLaplacian expander(random_graph(2500, 17'000, rng),
                                   std::vector<double>(2500, 0.01));
  const GroundedLaplacian mesh(grid(50), std::vector<double>(2500, 1e-9));
  for (const auto& [a, used] : {std::pair(&expander, "cg"), std::pair(&mesh, "cholesky")})
    CHECK(solve_once(*a, {.columns = 10}, random_block(2500, 10, rng), x).used == used);
}

TEST_CASE("a call that nothing can interrupt is left behind by a run that is stopped", "[aside]") {
  std::atomic<bool> cancel{false};
  RunContext run;
  run.cancel = &cancel;
  CHECK(aside(run, [] { return 7; }) == 7);
  CHECK(aside(RunContext(), [] { return 8; }) == 8);
  const auto error = error_of(
      [&] { aside(run, []() -> int { throw Error(ErrorCode::bad_data, "work: 1: no"); }); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  cancel = true;
  const auto may_end = std::make_shared<std::atomic<bool>>(false);
  CHECK_FALSE(aside(run, [may_end] {
    may_end->wait(false);
    return 9;
  }));
  *may_end = true;
  may_end->notify_all();
}
