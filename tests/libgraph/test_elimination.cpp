#include <algorithm>

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/residual.hpp"
#include "solve/order/locality_ranges.hpp"
#include "solve/reduce/elimination_network.hpp"
#include "solve/reduce/exact_elimination.hpp"
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
  const Block none = e.reduce(b, 1);
  return e.extend(b, none, 1);
}

double residual_of(const GroundedLaplacian& a, const Block& b, const Block& x) {
  Block r;
  return residual(a, b, x, r, 1)[0] / column_norms(b, 1)[0];
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
    const Block reduced_b = e.reduce(b, 1);
    const Block reduced_x = e.restrict_to_kept(x);
    Block product;
    e.reduced()->apply(reduced_x, product);
    CHECK(test::max_difference(product, reduced_b) < 1e-10);
    CHECK(test::max_difference(e.extend(b, reduced_x, 1), x) < 1e-10);
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

namespace {

Graph disjoint_pairs(VertexId pairs) {
  std::vector<Edge> edges;
  for (VertexId p = 0; p < pairs; ++p) edges.push_back({2 * p, 2 * p + 1, 1.0 + p % 7});
  return graph_from_edges(2 * pairs, edges);
}

// No order of its vertices has short borders.
Graph expander(VertexId n, int degree, Rng& rng) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < n; ++v)
    for (int i = 0; 2 * i < degree; ++i)
      if (const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n))); u != v)
        edges.push_back({u, v, 0.1 + rng.uniform()});
  return graph_from_edges(n, edges);
}

// A mesh in good order, of which one vertex has a neighbor in every row.
Graph mesh_with_a_hub(VertexId side, Rng& rng) {
  std::vector<Edge> edges;
  const Graph mesh = grid_graph(side, side);
  for (VertexId v = 0; v < mesh.vertex_count(); ++v) {
    for (const VertexId u : mesh.neighbors(v))
      if (u > v) edges.push_back({v, u, 0.1 + rng.uniform()});
    if (v % side == 1) edges.push_back({0, v, 1.0});
  }
  return graph_from_edges(mesh.vertex_count(), edges);
}

bool same_graph(const Graph& a, const Graph& b) {
  return std::ranges::equal(a.offset_array(), b.offset_array()) &&
         std::ranges::equal(a.neighbor_array(), b.neighbor_array()) &&
         std::ranges::equal(a.weight_array(), b.weight_array());
}

// Eliminates on one thread, two and three: the bytes must be the same, and the whole answer come
// back from the reduced one.
void check_on_any_thread_count(const Graph& graph, VertexId least_degree) {
  Rng rng(23);
  const VertexId n = graph.vertex_count();
  std::vector<double> ground(static_cast<std::size_t>(n));
  for (double& g : ground) g = 0.01 * rng.uniform();
  const auto system = std::make_shared<const GroundedLaplacian>(graph, ground);
  Block x(n, 2), b;
  for (VertexId v = 0; v < n; ++v) x(v, 0) = rng.normal(), x(v, 1) = rng.normal();

  solve::Renumbering order(graph);
  REQUIRE_FALSE(order.changed());
  const Elimination one(system, order, 1);
  for (VertexId v = 0; v < one.reduced()->size(); ++v)
    if (one.reduced()->graph().degree(v) < least_degree) FAIL("vertex " << v << " was left");
  system->apply(x, b);
  const Block reduced_b = one.reduce(b, 1), reduced_x = one.restrict_to_kept(x);
  Block product;
  one.reduced()->apply(reduced_x, product);
  CHECK(test::max_difference(product, reduced_b) < 1e-9);
  const Block answer = one.extend(b, reduced_x, 1);
  CHECK(test::max_difference(answer, x) < 1e-9);

  for (const int threads : {2, 3}) {
    const Elimination other(system, order, threads);
    CHECK(test::max_difference(one.restrict_to_kept(x), other.restrict_to_kept(x)) == 0.0);
    CHECK(same_graph(one.reduced()->graph(), other.reduced()->graph()));
    CHECK(one.reduced()->ground() == other.reduced()->ground());
    Block folded;
    system->apply(x, folded);
    CHECK(test::max_difference(other.reduce(folded, threads), reduced_b) == 0.0);
    CHECK(test::max_difference(folded, b) == 0.0);
    CHECK(test::max_difference(other.extend(folded, reduced_x, threads), answer) == 0.0);
  }
}

}  // namespace

TEST_CASE("a graph in good order falls into ranges with short borders, others stay whole") {
  Rng rng(5);
  const auto count = [](const Graph& graph) {
    const solve::LocalityRanges ranges(graph);
    VertexId next = 0;
    for (std::size_t r = 0; r < ranges.count(); ++r) {
      CHECK(ranges.begin(r) == next);
      next = ranges.end(r);
    }
    CHECK(next == graph.vertex_count());
    return ranges.count();
  };
  CHECK(count(grid_graph(300, 300)) == 8);
  CHECK(count(grid_graph(60, 60, 60)) == 2);  // the border is a plane of 3600 on each side
  CHECK(count(disjoint_pairs(100'000)) == 8);
  CHECK(count(mesh_with_a_hub(300, rng)) == 8);
  CHECK(count(star_graph(200'000)) == 1);
  CHECK(count(expander(50'000, 4, rng)) == 1);
  CHECK(count(grid_graph(100, 100)) == 1);
  CHECK(count(path_graph(1)) == 1);
  CHECK(count(path_graph(2'000'000)) == 14);  // each stays in a cache

  const Graph mesh = grid_graph(300, 300);
  const solve::LocalityRanges ranges(mesh);
  for (std::size_t r = 0; r < ranges.count(); ++r) {
    VertexId wrong = 0;
    for (VertexId v = ranges.begin(r); v < ranges.end(r); ++v) {
      bool expected = false;
      for (const VertexId u : mesh.neighbors(v))
        expected = expected || u < ranges.begin(r) || u >= ranges.end(r);
      wrong += expected != ranges.on_border(mesh, v, r);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("elimination in ranges gives the same bytes on any thread count") {
  Rng rng(29);
  check_on_any_thread_count(grid_graph(400, 300), 3);
  check_on_any_thread_count(mesh_with_a_hub(300, rng), 3);
  check_on_any_thread_count(path_graph(200'000), 3);
  check_on_any_thread_count(disjoint_pairs(100'000), 3);
  const Graph roads = road_graph(200, 200, rng);
  solve::Renumbering order(roads);
  REQUIRE(order.changed());
  check_on_any_thread_count(*order.graph(roads), 3);
}

TEST_CASE("graphs with no range of their own are eliminated whole") {
  Rng rng(31);
  check_on_any_thread_count(star_graph(200'000), 3);
  check_on_any_thread_count(expander(30'000, 4, rng), 3);
}

TEST_CASE("a range without room is left to the end, with the same answer") {
  Rng rng(37);
  const auto graph = std::make_shared<const Graph>(mesh_with_a_hub(300, rng));
  const VertexId n = graph->vertex_count();
  const std::vector<double> ground(static_cast<std::size_t>(n), 0.125);
  Block x(n, 1), b;
  for (VertexId v = 0; v < n; ++v) x(v, 0) = rng.normal();
  std::vector<std::size_t> within;
  for (const double room : {0.0, 0.02, 0.3, 1.5}) {
    solve::EliminationNetwork network({graph, ground});
    const solve::StagedSteps steps = network.run(2, room);
    within.push_back(steps.size() - steps.rest.size());
    GroundedLaplacian(*graph, ground).apply(x, b);
    const auto fold = [&](const solve::EliminationSteps& stage) {
      std::size_t e = 0;
      for (std::size_t s = 0; s < stage.size(); ++s)
        for (int i = 0; i < stage.neighbor_count[s]; ++i, ++e)
          b(stage.neighbor[e], 0) += stage.factor[e] * b(stage.vertex[s], 0);
    };
    for (const solve::EliminationSteps& stage : steps.within) fold(stage);
    fold(steps.rest);
    std::vector<VertexId> kept;
    for (VertexId v = 0; v < n; ++v)
      if (network.alive(v)) kept.push_back(v);
    CHECK(steps.size() + kept.size() == static_cast<std::size_t>(n));
    CHECK(steps.size() > 40'000);
    solve::NetworkRows left = std::move(network).reduced(kept, 2);
    const auto rows = static_cast<VertexId>(kept.size());
    Block reduced_x(rows, 1), reduced_b(rows, 1), product;
    for (VertexId r = 0; r < rows; ++r) {
      reduced_x(r, 0) = x(kept[static_cast<std::size_t>(r)], 0);
      reduced_b(r, 0) = b(kept[static_cast<std::size_t>(r)], 0);
    }
    GroundedLaplacian(*left.graph, left.ground).apply(reduced_x, product);
    CHECK(test::max_difference(product, reduced_b) < 1e-9);
  }
  CHECK(within[0] < within[1]);
  CHECK(within[1] < within[2]);
  CHECK(within[2] < within[3]);
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
