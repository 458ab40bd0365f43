// What every solver answers; how a solve ends is in test_solver_outcomes.cpp.

#include <thread>

#include "gssl/core/dense.hpp"
#include "solve/method/relaxation/consensus_method.hpp"
#include "solver_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using namespace gssl::test;

// A⁺b by the eigenvectors of the dense matrix.
Block dense_solution(const GroundedLaplacian& a, const Block& b) {
  Block dense(a.size(), a.size());
  for (VertexId v = 0; v < a.size(); ++v) {
    dense(v, v) = a.diagonal()[static_cast<std::size_t>(v)];
    a.graph().visit_row(v, [&](VertexId u, double w) { dense(v, u) = -w; });
  }
  const DenseEigen pairs = dense_eigen(dense);
  Block x(a.size(), b.columns());
  for (std::int64_t i = 0; i < a.size(); ++i) {
    const double value = pairs.values[static_cast<std::size_t>(i)];
    if (value <= 1e-13 * pairs.values.back()) continue;
    for (std::int64_t k = 0; k < b.columns(); ++k) {
      double part = 0.0;
      for (VertexId v = 0; v < a.size(); ++v) part += pairs.vectors(v, i) * b(v, k);
      for (VertexId v = 0; v < a.size(); ++v) x(v, k) += part / value * pairs.vectors(v, i);
    }
  }
  return x;
}

}  // namespace

TEST_CASE("every kind solves what the dense solver solves") {
  Rng rng(21);
  for (const VertexId n : {1, 2, 5, 40, 90}) {
    std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
    for (double& g : ground) g = rng.uniform() < 0.3 ? rng.uniform() : 0.0;
    ground[0] = 0.5;
    const GroundedLaplacian a(random_graph(n, n > 1 ? 3 * n : 0, rng), ground);
    const Block b = random_block(n, 3, rng);
    Block consistent;  // one that also components without ground can meet
    a.apply(b, consistent);
    const Block expected = dense_solution(a, consistent);
    for (const SolverKind kind : every_kind)
      for (const bool eliminate : {true, false}) {
        INFO(to_string(kind) << " n=" << n << " eliminate=" << eliminate);
        Block x;
        const SolveReport report =
            solve_once(a, {.kind = kind, .eliminate = eliminate}, consistent, x);
        INFO(report.sentence);
        CHECK(report.outcome == Outcome::converged);
        CHECK(report.relative_residual <= 1e-10);
        CHECK(report.requested == to_string(kind));
        CHECK(test::max_difference(x, expected) < (kind == SolverKind::cholesky ? 1e-10 : 1e-6));
      }
  }
}

TEST_CASE("components without ground get the minimum-norm answer and say what could not be met") {
  // Two triangles with tails, one grounded, and a vertex on its own.
  const GroundedLaplacian a(
      graph_from_edges(9, {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {4, 5}, {5, 6}, {4, 6}, {6, 7}}),
      {1, 0, 0, 0, 0, 0, 0, 0, 0});
  Block b(9, 2);
  b(1, 0) = 1.0;
  b(4, 0) = 1.0, b(7, 0) = -1.0;  // adds up to zero on the second triangle
  b(4, 1) = 3.0, b(8, 1) = 4.0;   // does not, and the vertex on its own can meet nothing
  const Block expected = dense_solution(a, b);
  for (const SolverKind kind : every_kind)
    for (const bool eliminate : {true, false}) {
      INFO(to_string(kind));
      Block x;
      const SolveReport report = solve_once(a, {.kind = kind, .eliminate = eliminate}, b, x);
      CHECK(report.outcome == Outcome::converged);
      // Of (3, 0, 0, 0) the mean 3/4 is lost four times, of 4 all: √(4·9/16 + 16) of 5.
      CHECK(report.inconsistency == Approx(std::sqrt(18.25) / 5.0));
      CHECK(test::max_difference(x, expected) < 1e-8);
      CHECK(x(8, 1) == 0.0);
    }
}

TEST_CASE("a path of a million vertices is solved by elimination alone") {
  const VertexId n = 1'000'000;
  std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
  ground[0] = 1.0;
  Block b(n, 1);
  b(n - 1, 0) = 1.0;  // one ampere through everything: x = 1, 2, …, n
  Block x;
  const SolveReport report = solve_once(GroundedLaplacian(path(n), ground), {}, b, x);
  CHECK(report.used == "elimination");
  CHECK(report.iterations == 0);
  CHECK(x(0, 0) == Approx(1.0));
  CHECK(x(n / 2, 0) == Approx(n / 2 + 1.0));
  CHECK(x(n - 1, 0) == Approx(static_cast<double>(n)));
}

TEST_CASE("the bytes are the same on one thread and four") {
  Rng rng(31);
  const VertexId side = 90;  // more rows than automatic calls small, and two blocks of rows
  std::vector<double> ground(static_cast<std::size_t>(side * side), 1e-2);
  const GroundedLaplacian a(grid(side), ground);
  const Block b = random_block(side * side, 3, rng);
  for (const SolverKind kind : {SolverKind::automatic, SolverKind::cholesky,
                                SolverKind::conjugate_gradient, SolverKind::consensus}) {
    INFO(to_string(kind));
    Block one, four;
    const SolverOptions options{.kind = kind, .tolerance = 1e-6};
    const SolveReport first = solve_once(a, options, b, one, on_threads(1));
    const SolveReport second = solve_once(a, options, b, four, on_threads(4));
    CHECK(first.outcome == Outcome::converged);
    CHECK(one == four);
    CHECK(first.sentence == second.sentence);
  }
}

TEST_CASE("no vertices, no columns and a zero right-hand side are answered") {
  Block x;
  CHECK(solve_once(GroundedLaplacian(Graph(), {}), {}, Block(0, 2), x).outcome ==
        Outcome::converged);
  const GroundedLaplacian a(grid(5), std::vector<double>(25, 1.0));
  for (const SolverKind kind : every_kind) {
    CHECK(solve_once(a, {.kind = kind}, Block(25, 0), x).outcome == Outcome::converged);
    Block b(25, 2);
    b(3, 1) = 1e-200;  // the other column stays zero
    const SolveReport report = solve_once(a, {.kind = kind}, b, x);
    CHECK(report.outcome == Outcome::converged);
    for (VertexId v = 0; v < 25; ++v) CHECK(x(v, 0) == 0.0);
    CHECK(x(3, 1) > 0.0);
  }
}

TEST_CASE("the energy never rises in a sequential sweep") {
  Rng rng(61);
  const GroundedLaplacian a(random_graph(80, 300, rng), std::vector<double>(80, 0.05));
  const Block b = random_block(80, 1, rng);
  Block x = random_block(80, 1, rng), product;
  double before = HUGE_VAL;
  for (int sweep = 0; sweep < 50; ++sweep) {
    a.apply(x, product);
    double energy = 0.0;
    for (VertexId v = 0; v < 80; ++v) energy += x(v, 0) * (0.5 * product(v, 0) - b(v, 0));
    CHECK(energy <= before + 1e-12 * std::abs(energy));
    before = energy;
    CHECK(solve::relax_in_order(a, b, x, 1) == 1);
  }
}

TEST_CASE("one solver serves four threads at once") {
  Rng rng(81);
  const GroundedLaplacian a(grid(30), std::vector<double>(900, 0.01));
  const Block b = random_block(900, 4, rng);
  for (const SolverKind kind : {SolverKind::cholesky, SolverKind::conjugate_gradient}) {
    const RunContext run = on_threads(1);
    const auto solver = make_solver(a, {.kind = kind}, run);
    Block alone;
    solver->solve(b, alone, run);
    std::vector<Block> answers(4);
    {
      std::vector<std::jthread> threads;
      for (Block& x : answers) threads.emplace_back([&] { solver->solve(b, x, run); });
    }
    for (const Block& x : answers) CHECK(x == alone);
  }
}

TEST_CASE("automatic takes conjugate gradients on an expander and a factor on a grid") {
  Rng rng(91);
  const GroundedLaplacian expander(random_graph(4000, 40000, rng), std::vector<double>(4000, 0.01));
  const GroundedLaplacian mesh(grid(70), std::vector<double>(4900, 1e-6));
  Block x;
  const SolveReport first = solve_once(expander, {}, random_block(4000, 1, rng), x);
  const SolveReport second = solve_once(mesh, {}, random_block(4900, 1, rng), x);
  CHECK(first.used == "cg");
  CHECK(second.used == "cholesky");
}

TEST_CASE("an updated solver answers for the new weights and ground") {
  Rng rng(93);
  // Shuffled by random edges, with pendant paths, so that every stage has something to keep.
  std::vector<Edge> edges;
  for (VertexId v = 1; v < 200; ++v)
    edges.push_back(
        {v, static_cast<VertexId>(v < 140 ? rng.below(static_cast<std::uint64_t>(v)) : v - 1),
         1.0});
  for (int e = 0; e < 300; ++e) {
    const auto u = static_cast<VertexId>(rng.below(140)), v = static_cast<VertexId>(rng.below(140));
    if (u != v) edges.push_back({u, v, 1.0});
  }
  const Graph shape = graph_from_edges(200, edges);
  const auto spread_weights = [&](double spread) {
    std::vector<Edge> list;
    for (VertexId u = 0; u < 200; ++u)
      for (const VertexId v : shape.neighbors(u))
        if (u < v) list.push_back({u, v, std::exp(spread * rng.uniform())});
    return graph_from_edges(200, list);
  };
  std::vector<double> ground(200, 0.0);
  ground[17] = 1.0;
  const Graph base = spread_weights(1.0);
  const auto before = std::make_shared<const GroundedLaplacian>(base, ground);
  ground[150] += 3.0;
  const auto more_ground = std::make_shared<const GroundedLaplacian>(base, ground);
  const auto other_weights = std::make_shared<const GroundedLaplacian>(spread_weights(3.0), ground);
  const RunContext run = on_threads(2);
  const Block b = random_block(200, 3, rng);
  for (const SolverKind kind : every_kind) {
    const auto solver = make_solver(before, {.kind = kind}, run);
    for (const auto& system : {more_ground, other_weights}) {
      Block x;
      const SolveReport report = solver->updated(system, run)->solve(b, x, run);
      INFO(to_string(kind) << ": " << report.sentence);
      CHECK(report.outcome == Outcome::converged);
      CHECK(report.sentence.find("reused") != std::string::npos);
      CHECK(test::max_difference(x, dense_solution(*system, b)) < 1e-6);
    }
  }
  const auto solver = make_solver(before, {}, run);
  const auto path_system = std::make_shared<const GroundedLaplacian>(path(200), ground);
  const auto error = test::error_of([&] { solver->updated(path_system, run); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
}

TEST_CASE("an updated solver prepares anew where what it kept breaks down") {
  Rng rng(16);
  std::vector<double> ground(400, 0.0);
  ground[7] = 1.0;
  const auto before = std::make_shared<const GroundedLaplacian>(grid(20), ground);
  const auto after =
      std::make_shared<const GroundedLaplacian>(weighted(grid(20), 8.0, rng), ground);
  Block b, x, product;
  after->apply(random_block(400, 1, rng), b);
  const RunContext run = on_threads(2);
  for (const bool eliminate : {true, false}) {
    const SolverOptions options{
        .kind = SolverKind::approximate_cholesky, .tolerance = 1e-8, .eliminate = eliminate};
    const SolveReport report =
        make_solver(before, options, run)->updated(after, run)->solve(b, x, run);
    INFO(report.sentence);
    CHECK(report.outcome == Outcome::converged);
    CHECK(report.sentence.find("prepared anew") != std::string::npos);
    after->apply(x, product);
    double left = 0.0, all = 0.0;
    for (std::int64_t v = 0; v < 400; ++v) {
      left += std::pow(b(v, 0) - product(v, 0), 2);
      all += std::pow(b(v, 0), 2);
    }
    CHECK(left <= 1e-16 * all);
  }
}

TEST_CASE("an answer beyond the largest double is refused") {
  const GroundedLaplacian a(path(10), std::vector<double>(10, 0.1));
  for (const SolverKind kind : every_kind) {
    Block x;
    const auto error =
        test::error_of([&] { solve_once(a, {.kind = kind}, Block(10, 1, 1e308), x); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK(std::string(error->what()).find("scale") != std::string::npos);
    CHECK_NOTHROW(solve_once(a, {.kind = kind}, Block(10, 1, 1e306), x));
  }
}

TEST_CASE("solver names and options are checked") {
  for (const SolverKind kind : every_kind) CHECK(parse_solver_kind(to_string(kind)) == kind);
  const auto error = test::error_of([] { parse_solver_kind("magic"); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
  CHECK(std::string(error->what()).find("async-consensus") != std::string::npos);
  for (const double bad : {0.0, -1.0, 1.0, std::nan("")})
    CHECK(test::error_of([&] { SolverOptions{.tolerance = bad}.validate(); }));
  CHECK(test::error_of([] { SolverOptions{.max_iterations = -1}.validate(); }));
  const GroundedLaplacian a(path(3), {1, 0, 0});
  Block x, b(3, 1);
  CHECK(test::error_of([&] { solve_once(a, {}, Block(2, 1), x); }));
  b(1, 0) = HUGE_VAL;
  CHECK(test::error_of([&] { solve_once(a, {}, b, x); }));
}
