// Columns of classes in groups, on the graph itself, against all of them on a copy without the given
// vertices.

#include <vector>

#include "algorithms/fixtures.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"
#include "transductive/support/class_solves.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

struct Solved {
  Report report;
  std::vector<Block> x;

  // Row v, column after column.
  std::vector<double> row(std::int64_t v) const {
    std::vector<double> all;
    for (const Block& some : x) all.insert(all.end(), some.row(v).begin(), some.row(v).end());
    return all;
  }
};

Solved solved(detail::ClassSystem problem, SolverKind kind, int threads) {
  Solved found;
  SolverOptions options;
  options.kind = kind;
  options.tolerance = 1e-12;
  found.x = detail::solve_classes(std::move(problem), options, on_threads(threads), found.report);
  return found;
}

// Two components with labels, one without.
const Graph& graph() {
  static const Graph made = random_graph(300, 200, 5, 3);
  return made;
}
LabeledSet labels() { return classes({0, 1, 3, 4, 6, 99, 100, 250}, {0, 1, 2, 3, 4, 0, 5, 3}, 6); }

}  // namespace

TEST_CASE("groups of columns on the graph itself have the answers of all on a copy",
          "[class-solves]") {
  const LabeledSet labeled = labels();
  for (const SolverKind kind : {SolverKind::automatic, SolverKind::conjugate_gradient,
                                SolverKind::approximate_cholesky, SolverKind::cholesky}) {
    CAPTURE(to_string(kind));
    const detail::ClassSystem copy = detail::class_system(graph(), labeled, false);
    const std::vector<VertexId> vertex_of = copy.vertex_of;
    const Solved twin = solved(copy, kind, 1);
    CHECK(twin.report.converged());
    REQUIRE(twin.x.size() == 1);
    for (const int group : {1, 2, 3, 0}) {
      CAPTURE(group);
      detail::ClassSystem shared = detail::class_system(graph(), labeled, true);
      CHECK(shared.vertex_of.empty());
      CHECK(shared.unreached == copy.unreached);
      shared.group = group;
      const Solved found = solved(shared, kind, 1);
      CHECK(found.report.converged());
      CHECK(*found.report.relative_residual() <= 1e-12);
      double worst = 0.0;
      for (std::size_t r = 0; r < vertex_of.size(); ++r) {
        const std::vector<double> here = found.row(vertex_of[r]);
        const std::vector<double> there = twin.row(static_cast<std::int64_t>(r));
        REQUIRE(here.size() == there.size());
        for (std::size_t c = 0; c < here.size(); ++c)
          worst = std::max(worst, std::abs(here[c] - there[c]));
      }
      CHECK(worst < 1e-9);
      CHECK(solved(shared, kind, 2).x == found.x);
    }
  }
}

TEST_CASE("groups are even, and what was prepared serves the other columns together",
          "[class-solves]") {
  const LabeledSet labeled = labels();
  const auto widths = [&](SolverKind kind, int group) {
    detail::ClassSystem problem = detail::class_system(graph(), labeled, true);
    problem.group = group;
    std::vector<std::int64_t> found;
    for (const Block& x : solved(std::move(problem), kind, 1).x) found.push_back(x.columns());
    return found;
  };
  CHECK(widths(SolverKind::conjugate_gradient, 0) == std::vector<std::int64_t>{5});
  CHECK(widths(SolverKind::conjugate_gradient, 3) == std::vector<std::int64_t>{2, 3});
  CHECK(widths(SolverKind::conjugate_gradient, 2) == std::vector<std::int64_t>{1, 2, 2});
  CHECK(widths(SolverKind::approximate_cholesky, 2) == std::vector<std::int64_t>{1, 4});
}

TEST_CASE("a run that may be stopped brings all columns as far", "[class-solves]") {
  const LabeledSet labeled = labels();
  detail::ClassSystem problem = detail::class_system(graph(), labeled, true);
  problem.group = 2;
  Report report;
  RunContext run = on_threads(1);
  run.deadline = RunContext::Clock::now() + std::chrono::hours(1);
  CHECK(detail::solve_classes(std::move(problem), {}, run, report).size() == 1);
}

TEST_CASE("columns go in groups beside graphs of many edges for each vertex", "[class-solves]") {
  const NetworkSize social(165e3, 3e6, true), huge(740e3, 30e6, true), near(200e3, 1.4e6, true);
  CHECK(detail::goes_on_graph(social, 10, 500));
  CHECK_FALSE(detail::goes_on_graph(social, 10, 5000));
  CHECK_FALSE(detail::goes_on_graph(social, 12, 500));  // side by side in floats
  CHECK_FALSE(detail::goes_on_graph(near, 10, 500));
  CHECK_FALSE(detail::goes_on_graph(NetworkSize(90e3, 3e6, true), 10, 500));
  const NetworkSize pairs(10e3, 50e6, false);  // of a kernel matrix
  CHECK(detail::goes_on_graph(pairs, 10, 1000));
  CHECK_FALSE(detail::goes_on_graph(pairs, 10, 1001));
  CHECK(detail::columns_beside(social, 10) == 2);
  CHECK(detail::columns_beside(social, 3) == 0);
  CHECK(detail::columns_beside(huge, 10) == 0);  // all of them are little beside it
}
