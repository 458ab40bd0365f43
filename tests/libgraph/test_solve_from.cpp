// Yesterday's answer of a system that has changed in a few rows.

#include <algorithm>
#include <cmath>

#include "earlier_answers.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_changes.hpp"
#include "gssl/linalg/residual.hpp"
#include "gssl/solve/solve_from.hpp"
#include "solve/local/network_residual.hpp"
#include "solve/local/region.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

TEST_CASE("an earlier answer that is off by many digits is left for zeros", "[solve_from]") {
  const auto system = tied(grid_graph(20, 20), 3);
  const Block b = at_ground(*system, 2), wanted = solved(system, b, tolerance);
  for (const double off : {1e6, 1e12, 1e300, 1e308}) {
    INFO(off);
    Block x(b.rows(), b.columns(), off);
    const SolveFromReport report = solve_from(system, {.solver = {.tolerance = tolerance}}, b, x);
    CHECK(report.solve.outcome == Outcome::converged);
    CHECK((report.first_residual == Approx(1.0)) == (off > 1e6));
    CHECK(largest_difference(x, wanted) <= 1e-9);
  }
}

TEST_CASE("a change of a few edges is corrected where it is, to the answer of a fresh solve",
          "[solve_from]") {
  const Graph before = grid_graph(200, 200);
  const auto old_system = tied(before, 3);
  const Block old_b = at_ground(*old_system, 3);
  Block x = solved(old_system, old_b, tolerance);
  // Around one place: two edges gone, one new, one of another weight.
  const VertexId at = 90 * 200 + 80;
  const std::vector<EdgeChange> changes = {
      {at, at + 1, 0.0}, {at, at + 200, 0.0}, {at, at + 402, 1.0}, {at + 2, at + 3, 4.0}};
  const auto system = tied(with_changes(before, before.vertex_count(), changes), 3);
  const Block b = at_ground(*system, 3);
  const SolveFromReport report = solve_from(system, {.solver = {.tolerance = tolerance}}, b, x);
  CHECK(report.solve.outcome == Outcome::converged);
  CHECK(report.solve.relative_residual <= tolerance);
  CHECK_FALSE(report.global);
  CHECK(report.largest_region < system->size() / 5);
  CHECK(report.changed_rows >= 6);
  CHECK(report.first_residual > 1e-5);
  const Block fresh = solved(system, b, 1e-13);
  CHECK(largest_difference(x, fresh) < 1e-9);
  const double bound = std::ranges::max(report.error_bounds);
  CHECK(largest_difference(x, fresh) <= bound + 1e-12);
  CHECK(bound < 1e-6);
}

TEST_CASE("what is not local is solved on all rows, to the same tolerance", "[solve_from]") {
  const Graph graph = grid_graph(50, 50);
  // Held at one corner: a change reaches everybody.
  const auto system = tied(graph, 2500);
  Block b(system->size(), 2);
  b(1300, 0) = 1.0;
  b(700, 1) = -2.0;
  Block x = solved(system, b, tolerance);
  b(2000, 0) = 0.25;
  const Block fresh = solved(system, b, 1e-13);
  const SolveFromReport report = solve_from(system, {.solver = {.tolerance = tolerance}}, b, x);
  CHECK(report.global);
  CHECK(report.solve.outcome == Outcome::converged);
  CHECK(largest_difference(x, fresh) < 1e-8);
}

TEST_CASE("changes all over the graph are solved on all rows at once", "[solve_from]") {
  const Graph before = grid_graph(200, 200);
  const auto old_system = tied(before, 40);
  Block x = solved(old_system, at_ground(*old_system, 3), tolerance);
  std::vector<EdgeChange> changes;
  for (VertexId v = 7; v + 1 < 40'000; v += 61)
    if (v % 200 != 199) changes.push_back({v, v + 1, 2.5});
  const auto system = tied(with_changes(before, before.vertex_count(), changes), 40);
  const Block b = at_ground(*system, 3);
  const SolveFromReport report = solve_from(system, {.solver = {.tolerance = tolerance}}, b, x);
  CHECK(report.global);
  CHECK(report.rounds == 1);  // no region is solved before
  CHECK(report.solve.outcome == Outcome::converged);
  CHECK(largest_difference(x, solved(system, b, 1e-13)) < 1e-9);
}

TEST_CASE("a region that has no rim, or is small, is solved however little leaks", "[solve_from]") {
  struct Pieces {
    VertexId count, size;
    std::vector<VertexId> hops;  // of the edges of each vertex
  };
  // Each is held at one vertex; one held value and one edge of one piece change. A region of four
  // hops is a whole piece: of twenty, or of a hundred.
  for (const Pieces& pieces : {Pieces{20, 20, {1, 2, 3, 4, 5}}, Pieces{100, 60, {1, 7, 23}}}) {
    const VertexId n = pieces.count * pieces.size, at = 3 * pieces.size;
    NetworkProblem problem;
    std::vector<EdgeChange> edges;
    for (VertexId v = 0; v < n; ++v) {
      const VertexId i = v % pieces.size;
      if (i == 0) problem.held.push_back(v);
      for (const VertexId hop : pieces.hops)
        edges.push_back({v, v - i + (i + hop) % pieces.size, 1.0});
    }
    problem.graph = with_changes(Graph(), n, edges);
    Block x(n, 1, 0.0);
    for (const VertexId v : problem.held) x(v, 0) = 1.0;
    gssl::solve_from(problem, {.solver = {.tolerance = tolerance}}, x);
    const std::vector<EdgeChange> change = {{at + 10, at + 11, 3.0}};
    problem.graph = with_changes(problem.graph, n, change);
    x(at, 0) = 1.5;
    const SolveFromReport report =
        gssl::solve_from(problem, {.solver = {.tolerance = tolerance}}, x);
    INFO(pieces.count << " pieces");
    CHECK_FALSE(report.global);
    CHECK(report.largest_region < pieces.size);
    CHECK(report.solve.outcome == Outcome::converged);
    CHECK(x(at + 9, 0) == Approx(1.5));
  }
}

TEST_CASE("where all rows change, those of a view that an owner holds are copied first",
          "[solve_from]") {
  const auto system = tied(grid_graph(50, 50), 2500);
  Block b(system->size(), 2);
  b(1300, 0) = b(700, 1) = 1.0;
  const Block first = solved(system, b, tolerance);
  b(2000, 0) = 0.25;
  const Block wanted = solved(system, b, 1e-13);
  const auto held =
      std::make_shared<std::vector<double>>(first.values().begin(), first.values().end());
  std::vector<double> mine = *held;
  Block owned = Block::view(first.rows(), 2, *held, held);
  Block plain = Block::view(first.rows(), 2, mine);
  solve_from(system, {.solver = {.tolerance = tolerance}}, b, owned);
  solve_from(system, {.solver = {.tolerance = tolerance}}, b, plain);
  CHECK(largest_difference(owned, wanted) < 1e-8);
  CHECK(std::ranges::equal(*held, first.values()));
  CHECK(plain == owned);
  CHECK(plain.data() == mine.data());
}

TEST_CASE("of columns that sum to one, one is what the others leave", "[solve_from]") {
  // Held at its first row and its last by classes 0, 1 and 2: a change reaches everybody.
  // Two vertices beside it have no ground.
  const std::vector<EdgeChange> more = {{1600, 1601, 1.0}};
  const Graph graph = with_changes(grid_graph(40, 40), 1602, more);
  std::vector<double> ground(1602, 0.0);
  Block b(1602, 3);
  for (VertexId v = 0; v < 40; ++v) {
    for (const auto& [u, k] : {std::pair{v, std::int64_t{v % 2}}, {1560 + v, std::int64_t{2}}}) {
      ground[index(u)] = 0.01;
      b(u, k) = 0.01;
    }
  }
  const auto held = std::make_shared<const Graph>(graph);
  Block x = solved(std::make_shared<const GroundedLaplacian>(held, ground), b, tolerance);
  for (VertexId v = 0; v < 40; ++v) b(v, 0) = ground[index(v)] = 0.5, b(v, 1) = 0.0;
  const auto system = std::make_shared<const GroundedLaplacian>(held, ground);
  const Block fresh = solved(system, b, 1e-13);
  const SolveFromReport report =
      solve_from(system, {.solver = {.tolerance = tolerance}, .sums_to_one = true}, b, x);
  CHECK(report.global);
  CHECK(report.solve.outcome == Outcome::converged);
  CHECK(report.solve.relative_residual <= tolerance);
  CHECK(largest_difference(x, fresh) < 1e-8);
  for (std::int64_t v = 0; v < x.rows(); ++v)
    REQUIRE_THAT(x(v, 0) + x(v, 1) + x(v, 2), Catch::WithinAbs(v < 1600 ? 1.0 : 0.0, 1e-15));
  CHECK(report.unreached == std::vector<VertexId>{1600, 1601});
}

TEST_CASE("an answer that is right already is not solved again", "[solve_from]") {
  const auto system = tied(grid_graph(20, 20), 7);
  const Block b = at_ground(*system, 2);
  Block x = solved(system, b, 1e-12);
  const Block before = x;
  const SolveFromReport report = solve_from(system, {.solver = {.tolerance = 1e-10}}, b, x);
  CHECK(report.rounds == 0);
  CHECK(report.largest_region == 0);
  CHECK(x == before);
}

TEST_CASE("any guess leads to the answer", "[solve_from]") {
  const auto system = tied(grid_graph(30, 30), 31);
  const Block b = at_ground(*system, 2);
  Rng rng(8);
  Block x(system->size(), 2);
  for (std::int64_t i = 0; i < x.rows() * 2; ++i) x.data()[i] = rng.uniform() - 0.5;
  const SolveFromReport report = solve_from(system, {.solver = {.tolerance = tolerance}}, b, x);
  CHECK(report.solve.outcome == Outcome::converged);
  CHECK(largest_difference(x, solved(system, b, 1e-13)) < 1e-9);
}

TEST_CASE("a column without right-hand side becomes zero", "[solve_from]") {
  const auto system = tied(grid_graph(8, 8), 9);
  Block b = at_ground(*system, 2), x(system->size(), 2, 0.25);
  for (std::int64_t v = 0; v < b.rows(); ++v) b(v, 1) = 0.0;
  CHECK(solve_from(system, {}, b, x).solve.outcome == Outcome::converged);
  for (std::int64_t v = 0; v < x.rows(); ++v) CHECK(x(v, 1) == 0.0);
}

TEST_CASE("the bytes of a correction do not depend on the threads", "[solve_from]") {
  const auto system = tied(grid_graph(400, 350), 5);  // rows enough for several partial sums
  const Block before = at_ground(*system, 4), x = solved(system, before, tolerance);
  for (const std::int64_t step : {std::int64_t{70000}, std::int64_t{3001}, std::int64_t{2}}) {
    Block b = before;
    for (std::int64_t v = 1830; v < b.rows(); v += step)
      for (std::int64_t j = 0; j < 4; ++j) b(v, j) += 0.1;
    const auto corrected = [&](int threads, SolveFromReport& report) {
      Block y = x;
      RunContext run;
      run.threads = threads;
      report = solve_from(system, {}, b, y, run);
      return y;
    };
    SolveFromReport one, more;
    const Block wanted = corrected(1, one);
    CHECK(one.solve.outcome == Outcome::converged);
    for (const int threads : {2, 3}) {
      INFO(step << " " << threads);
      CHECK(corrected(threads, more) == wanted);
      CHECK(more.changed_rows == one.changed_rows);
      CHECK(more.error_bounds == one.error_bounds);
    }
  }
}

TEST_CASE("the system of a region is the rows of the whole", "[solve_from]") {
  const auto system = tied(grid_graph(9, 7), 4);
  const NetworkProblem problem = fed_everywhere(*system, Block(63, 1));
  const RunContext run;
  const solve::NetworkResidual network(problem, Block(63, 1), tolerance, run);
  solve::Region region(network);
  const std::vector<VertexId> seeds{31};
  CHECK(region.grow(seeds, 2, 63));
  CHECK(region.rows().size() == 13);  // a diamond
  const GroundedLaplacian local = region.system();
  Block x(system->size(), 1), small(local.size(), 1), whole_product, product;
  for (VertexId i = 0; i < local.size(); ++i)
    x(region.rows()[static_cast<std::size_t>(i)], 0) = small(i, 0) = 1.0 + i;
  system->apply(x, whole_product);
  local.apply(small, product);
  for (VertexId i = 0; i < local.size(); ++i)
    CHECK(product(i, 0) == Approx(whole_product(region.rows()[static_cast<std::size_t>(i)], 0)));
  CHECK(region.rim().size() == 12);
  CHECK_FALSE(region.grow(seeds, 5, 20));
}

TEST_CASE("held vertices stay, and unreached ones become zero", "[solve_from]") {
  // A grid of 30 by 30 and a path of four behind it that nothing reaches.
  const std::vector<EdgeChange> more = {{900, 901, 1.0}, {901, 902, 2.0}, {902, 903, 1.0}};
  const Graph graph = with_changes(grid_graph(30, 30), 904, more);
  NetworkProblem problem{.graph = graph};
  for (VertexId v = 0; v < 900; v += 7) problem.held.push_back(v);
  problem.fed = {450, 31};
  problem.current = Block(2, 2, {0.5, -0.25, 0.0, 1.0});
  Block x(904, 2);
  Rng rng(5);
  for (std::int64_t i = 0; i < 904 * 2; ++i) x.data()[i] = rng.uniform();
  const Block given = x;
  const SolveFromReport report = gssl::solve_from(problem, {.solver = {.tolerance = tolerance}}, x);
  CHECK(report.solve.outcome == Outcome::converged);
  CHECK(report.unreached == std::vector<VertexId>{900, 901, 902, 903});
  for (const VertexId v : report.unreached) CHECK((x(v, 0) == 0.0 && x(v, 1) == 0.0));
  for (const VertexId v : problem.held) CHECK((x(v, 0) == given(v, 0) && x(v, 1) == given(v, 1)));

  // The same by the system of the free vertices.
  const DirichletProblem dirichlet = make_dirichlet_problem(graph, problem.held);
  Block values(std::ssize(problem.held), 2);
  for (std::size_t i = 0; i < problem.held.size(); ++i)
    std::ranges::copy(given.row(problem.held[i]), values.row(static_cast<std::int64_t>(i)).begin());
  Block b = dirichlet.right_hand_side(values);
  for (std::size_t i = 0; i < dirichlet.free_vertices.size(); ++i)
    for (std::int64_t k = 0; k < 2; ++k) {
      if (dirichlet.free_vertices[i] == 450)
        b(static_cast<std::int64_t>(i), k) += problem.current(0, k);
      if (dirichlet.free_vertices[i] == 31)
        b(static_cast<std::int64_t>(i), k) += problem.current(1, k);
    }
  const auto system = std::make_shared<const GroundedLaplacian>(dirichlet.system);
  const Block wanted = solved(system, b, 1e-13);
  double largest = 0.0;
  for (std::size_t i = 0; i < dirichlet.free_vertices.size(); ++i)
    for (std::int64_t k = 0; k < 2; ++k)
      largest = std::max(largest, std::abs(x(dirichlet.free_vertices[i], k) -
                                           wanted(static_cast<std::int64_t>(i), k)));
  CHECK(largest < 1e-9);
  CHECK(largest <= std::ranges::max(report.error_bounds) + 1e-12);

  // The residual is that of the system, and what is told of the answer is what another look finds.
  Block rest(system->size(), 2), left;
  for (std::int64_t i = 0; i < rest.rows(); ++i)
    std::ranges::copy(x.row(dirichlet.free_vertices[index(i)]), rest.row(i).begin());
  const std::vector<double> norms = residual(*system, b, rest, left), of_b = column_norms(b);
  const double found = std::max(norms[0] / of_b[0], norms[1] / of_b[1]);
  CHECK(found <= tolerance);
  CHECK_THAT(report.solve.relative_residual.value(), Catch::WithinAbs(found, 1e-14));
  Block again = x;
  const SolveFromReport second =
      gssl::solve_from(problem, {.solver = {.tolerance = tolerance}}, again);
  CHECK(second.rounds == 0);
  CHECK(again == x);
  CHECK(second.first_residual == report.solve.relative_residual);
  CHECK(second.error_bounds == report.error_bounds);
}

TEST_CASE("where time is up the answer so far is told with its residual", "[solve_from]") {
  const Graph graph = grid_graph(20, 20);
  const NetworkProblem problem{.graph = graph, .held = {0, 399}};
  Block x(400, 1, 0.5);
  x(0, 0) = 1.0;
  const Block before = x;
  RunContext run;
  run.deadline = RunContext::Clock::now();
  const SolveFromReport report = gssl::solve_from(problem, {}, x, run);
  CHECK(report.solve.outcome == Outcome::time_limit);
  CHECK(report.solve.relative_residual.value() > 0.1);
  CHECK_THAT(report.solve.sentence, Catch::Contains("not corrected; stopped before the tolerance"));
  CHECK(x == before);
}
