#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "solve/block_kernels.hpp"
#include "solve/elimination.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using solve::Elimination;
using solve::SharedSystem;

SharedSystem make_system(VertexId n, const std::vector<Edge>& edges, std::vector<double> ground) {
  return std::make_shared<const GroundedLaplacian>(graph_from_edges(n, edges), std::move(ground));
}

Elimination eliminate(const SharedSystem& system) {
  solve::Renumbering as_given;
  return Elimination(system, as_given, 1);
}

// Folds b, expects that nothing is left, and returns the answer.
Block solve_alone(const Elimination& e, Block b) {
  REQUIRE(e.reduced()->size() == 0);
  const Block none = e.reduce(b);
  return e.extend(b, none);
}

double residual_of(const GroundedLaplacian& a, const Block& b, const Block& x) {
  Block r;
  return solve::residual(a, b, x, r, 1)[0] / solve::column_norms(b, 1)[0];
}

// The fan: a path 1 − 2 − … − n−1 whose vertices all touch the hub 0. It is series-parallel.
std::vector<Edge> fan(VertexId n) {
  std::vector<Edge> edges;
  for (VertexId v = 1; v < n; ++v) edges.push_back({0, v, 1.0 + v % 3});
  for (VertexId v = 1; v + 1 < n; ++v) edges.push_back({v, v + 1, 0.5 + v % 5});
  return edges;
}

}  // namespace

TEST_CASE("resistors in series and in parallel follow their laws") {
  // earth(2) − 0 −w=3− 1 −w=6− 2, and 0 −w=1− 2 beside it: 3 and 6 in series conduct 2, with 1
  // beside them 3, then the earth in series: one ampere into 2 raises it by 1/3 + 1/2 volt.
  const auto system = make_system(3, {{0, 1, 3.0}, {1, 2, 6.0}, {0, 2, 1.0}}, {2.0, 0.0, 0.0});
  Block b(3, 1);
  b(2, 0) = 1.0;
  const Block x = solve_alone(eliminate(system), b);
  CHECK(x(0, 0) == Approx(0.5));
  CHECK(x(1, 0) == Approx(0.5 + 2.0 / 3.0 / 3.0));
  CHECK(x(2, 0) == Approx(0.5 + 1.0 / 3.0));
}

TEST_CASE("forests, cycles, stars and fans are eliminated whole") {
  const VertexId n = 500;
  std::vector<Edge> tree, cycle, star, pairs;
  Rng rng(3);
  for (VertexId v = 1; v < n; ++v)
    tree.push_back(
        {v, static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(v))), 0.1 + rng.uniform()});
  for (VertexId v = 0; v < n; ++v) cycle.push_back({v, (v + 1) % n, 0.1 + rng.uniform()});
  for (VertexId v = 1; v < n; ++v) star.push_back({0, v, 0.1 + rng.uniform()});
  // Many two-paths between the same two hubs: all parallel once their middles are gone.
  for (VertexId v = 2; v < n; ++v) pairs.insert(pairs.end(), {{0, v, 1.0}, {1, v, 2.0}});
  for (const auto& edges : {tree, cycle, star, fan(n), pairs}) {
    std::vector<double> ground(static_cast<std::size_t>(n), 0.0);
    ground[7] = 0.25;
    const auto system = make_system(n, edges, ground);
    Block b(n, 1);
    for (VertexId v = 0; v < n; ++v) b(v, 0) = rng.normal();
    const Block x = solve_alone(eliminate(system), b);
    CHECK(residual_of(*system, b, x) < 1e-11);
  }
}

TEST_CASE("what is left has three neighbors or more everywhere, and its answer extends to all") {
  Rng rng(11);
  for (int trial = 0; trial < 40; ++trial) {
    const VertexId n = 60;
    std::vector<Edge> edges;
    const auto count = 60 + 4 * trial;
    while (static_cast<int>(edges.size()) < count) {
      const auto u = static_cast<VertexId>(rng.below(n)), v = static_cast<VertexId>(rng.below(n));
      if (u != v) edges.push_back({u, v, 0.01 + rng.uniform()});
    }
    std::vector<double> ground(static_cast<std::size_t>(n), 0.01);
    const auto system = make_system(n, edges, ground);
    const Elimination e = eliminate(system);
    const Graph& left = e.reduced()->graph();
    for (VertexId v = 0; v < left.vertex_count(); ++v) CHECK(left.degree(v) >= 3);
    CHECK(e.eliminated_count() + left.vertex_count() == n);

    // Choose x, make b = A x: the reduced system must hold at x, and x must come back.
    Block x(n, 2), b;
    for (VertexId v = 0; v < n; ++v) x(v, 0) = rng.normal(), x(v, 1) = rng.normal();
    system->apply(x, b);
    const Block reduced_b = e.reduce(b);
    const Block reduced_x = e.restrict_to_kept(x);
    Block product;
    e.reduced()->apply(reduced_x, product);
    CHECK(test::max_difference(product, reduced_b) < 1e-10);
    CHECK(test::max_difference(e.extend(b, reduced_x), x) < 1e-10);
  }
}

TEST_CASE("a graph with nothing to eliminate is shared, not copied") {
  std::vector<Edge> complete;
  for (VertexId u = 0; u < 6; ++u)
    for (VertexId v = u + 1; v < 6; ++v) complete.push_back({u, v, 1.0});
  const auto system = make_system(6, complete, {1, 0, 0, 0, 0, 0});
  const Elimination e = eliminate(system);
  CHECK(e.reduced() == system);
  CHECK(e.eliminated_count() == 0);
}

TEST_CASE("a few edges of many small vertices are not worth building the rest anew") {
  Rng rng(8);
  const Graph social = rmat_graph(12, 16, rng);
  VertexId few = 0;
  for (VertexId v = 0; v < social.vertex_count(); ++v)
    few += social.degree(v) <= solve::most_neighbors ? 1 : 0;
  CHECK(5 * few > social.vertex_count());
  CHECK_FALSE(solve::elimination_pays(social));
  CHECK(solve::elimination_pays(graph_from_edges(50, fan(50))));
  CHECK(solve::elimination_pays(grid_graph(10, 10)));
}
