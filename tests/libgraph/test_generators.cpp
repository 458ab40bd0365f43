#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/graph/components.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;

// A count of `trials` coins of probability p lies within six standard deviations of its mean.
bool plausible(EdgeIndex count, double trials, double p) {
  return std::abs(static_cast<double>(count) - trials * p) <= 6.0 * std::sqrt(trials * p * (1 - p));
}

TEST_CASE("graphs of known shape are those of their drawings") {
  CHECK(path_graph(4) == graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}}));
  CHECK(star_graph(4) == graph_from_edges(4, {{0, 1}, {0, 2}, {0, 3}}));
  CHECK(cycle_graph(4) == graph_from_edges(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}));
  CHECK(complete_graph(3) == cycle_graph(3));
  CHECK(grid_graph(2, 3) ==
        graph_from_edges(6, {{0, 1}, {1, 2}, {3, 4}, {4, 5}, {0, 3}, {1, 4}, {2, 5}}));
  CHECK(grid_graph(2, 2, 2).edge_count() == 12);
  CHECK(grid_graph(2, 2, 2).weight(1, 5) == 1.0);
  CHECK(barbell_graph(3) ==
        graph_from_edges(6, {{0, 1}, {0, 2}, {1, 2}, {3, 4}, {3, 5}, {4, 5}, {2, 3}}));
  CHECK(barbell_graph(2, 3) == graph_from_edges(6, {{0, 1}, {2, 3}, {1, 4}, {4, 5}, {5, 2}}));
  CHECK(path_graph(0) == Graph());
  CHECK(path_graph(1).vertex_count() == 1);
  CHECK(grid_graph(0, 5).vertex_count() == 0);
}

TEST_CASE("pairs of an Erdos-Renyi graph are drawn with the given probability") {
  Rng rng(1);
  const Graph graph = erdos_renyi_graph(1000, 0.01, rng);
  CHECK(plausible(graph.edge_count(), 499500, 0.01));
  CHECK(erdos_renyi_graph(50, 1.0, rng) == complete_graph(50));
  CHECK(erdos_renyi_graph(50, 0.0, rng).edge_count() == 0);
  // Each of the pairs of a small graph comes up alike.
  std::vector<EdgeIndex> times(5 * 5, 0);
  for (int trial = 0; trial < 4000; ++trial) {
    const Graph small = erdos_renyi_graph(5, 0.3, rng);
    for (VertexId u = 0; u < 5; ++u)
      for (const VertexId v : small.neighbors(u)) ++times[static_cast<std::size_t>(u * 5 + v)];
  }
  for (int u = 0; u < 5; ++u)
    for (int v = 0; v < u; ++v)
      CHECK(plausible(times[static_cast<std::size_t>(u * 5 + v)], 4000, 0.3));
}

TEST_CASE("blocks are dense inside and sparse between as asked") {
  Rng rng(2);
  const Graph graph = stochastic_block_model({200, 0, 300}, 0.2, 0.01, rng);
  EdgeIndex inside = 0, between = 0;
  for (VertexId u = 0; u < 500; ++u)
    for (const VertexId v : graph.neighbors(u))
      if (u < v) ++((u < 200) == (v < 200) ? inside : between);
  CHECK(plausible(inside, 19900 + 44850, 0.2));
  CHECK(plausible(between, 60000, 0.01));
}

TEST_CASE("a random geometric graph equals the test of all pairs") {
  for (const double radius : {0.0, 0.03, 0.2, 0.7, 2.0}) {
    Rng rng(3), twin(3);
    const Graph graph = random_geometric_graph(150, radius, rng);
    std::vector<double> x(150), y(150);
    for (std::size_t v = 0; v < 150; ++v) {
      x[v] = twin.uniform();
      y[v] = twin.uniform();
    }
    std::vector<Edge> list;
    for (std::size_t u = 0; u < 150; ++u)
      for (std::size_t v = 0; v < u; ++v) {
        const double dx = x[u] - x[v], dy = y[u] - y[v];
        if (dx * dx + dy * dy <= radius * radius)
          list.push_back({static_cast<VertexId>(u), static_cast<VertexId>(v)});
      }
    CHECK(graph == graph_from_edges(150, list));
  }
}

TEST_CASE("recursive matrix graphs have unit weights, and the heavy quadrant comes first") {
  Rng rng(4);
  const Graph graph = rmat_graph(10, 8, rng);
  CHECK(graph.vertex_count() == 1024);
  CHECK(graph.has_unit_weights());
  CHECK(graph.edge_count() <= 8 * 1024);
  EdgeIndex low = 0, high = 0;
  for (VertexId v = 0; v < 1024; ++v) (v < 512 ? low : high) += graph.degree(v);
  CHECK(low > 2 * high);
  CHECK(rmat_graph(0, 5, rng).vertex_count() == 1);
}

TEST_CASE("random trees are connected and have one edge less than vertices") {
  Rng rng(5);
  const Graph tree = random_tree(500, rng);
  CHECK(tree.edge_count() == 499);
  CHECK(connected_components(tree).count == 1);
}

TEST_CASE("moons without noise lie on their half circles") {
  Rng rng(6);
  const PlanePoints points = two_moons(7, 0.0, rng);
  CHECK(points.class_of == std::vector<int>{0, 0, 0, 0, 1, 1, 1});
  for (std::size_t i = 0; i < 7; ++i) {
    const bool upper = points.class_of[i] == 0;
    const double dx = points.x[i] - (upper ? 0.0 : 1.0), dy = points.y[i] - (upper ? 0.0 : 0.5);
    CHECK(dx * dx + dy * dy == Approx(1.0));
    CHECK((upper ? dy : -dy) > -1e-12);
  }
}

TEST_CASE("a road graph without gaps, bends or dead ends is its lattice, renumbered") {
  Rng rng(7);
  const Graph lattice = road_graph(20, 30, rng, {.keep = 1.0, .most_bends = 0, .stubs = 0.0});
  CHECK(lattice.vertex_count() == 600);
  CHECK(lattice.edge_count() == grid_graph(20, 30).edge_count());
  CHECK(connected_components(lattice).count == 1);
  CHECK_FALSE(lattice == grid_graph(20, 30));
  CHECK(road_graph(0, 5, rng).vertex_count() == 0);
}

TEST_CASE("roads have the lengths, bends and dead ends they were asked to have") {
  Rng rng(8);
  const Graph road = road_graph(100, 100, rng);
  for (VertexId v = 0; v < road.vertex_count(); ++v)
    road.visit_row(v, [&](VertexId, double w) { CHECK((w > 1.0 / 1.5 && w <= 2.0)); });
  // Vertices: the lattice, one bend a road on average, and the dead ends.
  const double roads = 19800 * 0.65;
  CHECK(std::abs(road.vertex_count() - (10000 + roads + 3000)) < 600);
  CHECK(std::abs(static_cast<double>(road.edge_count()) - (2 * roads + 3000)) < 900);
  CHECK(connected_components(road).largest_size() > road.vertex_count() / 2);
}

TEST_CASE("log-uniform weights keep the edges and spread evenly over the decades") {
  Rng rng(9);
  const Graph grid = grid_graph(50, 50);
  const Graph weighted = with_log_uniform_weights(grid, 1e-4, 1e4, rng);
  EdgeIndex light = 0;
  for (VertexId u = 0; u < grid.vertex_count(); ++u) {
    REQUIRE(std::ranges::equal(weighted.neighbors(u), grid.neighbors(u)));
    weighted.visit_row(u, [&](VertexId v, double w) {
      CHECK((w >= 1e-4 && w <= 1e4));
      CHECK(w == weighted.weight(v, u));
      if (u < v && w < 1.0) ++light;
    });
  }
  CHECK(plausible(light, static_cast<double>(grid.edge_count()), 0.5));
  const Graph constant = with_log_uniform_weights(path_graph(3), 1.0, 1.0, rng);
  CHECK(constant == path_graph(3));
}

TEST_CASE("one seed gives one graph, and drawing on gives another") {
  Rng a(9), b(9);
  CHECK(erdos_renyi_graph(200, 0.05, a) == erdos_renyi_graph(200, 0.05, b));
  CHECK(rmat_graph(8, 4, a) == rmat_graph(8, 4, b));
  CHECK(road_graph(9, 9, a) == road_graph(9, 9, b));
  CHECK(a() == b());
  const Graph first = random_tree(100, a);
  CHECK_FALSE(first == random_tree(100, a));
}

TEST_CASE("sizes and probabilities that make no sense are refused") {
  Rng rng(1);
  const auto refused = [](auto call) {
    const auto error = test::error_of(call);
    return error && error->code() == ErrorCode::usage;
  };
  CHECK(refused([] { path_graph(-1); }));
  CHECK(refused([] { cycle_graph(2); }));
  CHECK(refused([] { grid_graph(100000, 100000); }));
  CHECK(refused([] { barbell_graph(0); }));
  CHECK(refused([&] { erdos_renyi_graph(3, 1.5, rng); }));
  CHECK(refused([&] { erdos_renyi_graph(3, std::nan(""), rng); }));
  CHECK(refused([&] { rmat_graph(31, 1, rng); }));
  CHECK(refused([&] { rmat_graph(3, 1, rng, {0.5, 0.5, 0.5, 0.5}); }));
  CHECK(refused([&] { stochastic_block_model({3, -1}, 0.1, 0.1, rng); }));
  CHECK(refused([&] { random_geometric_graph(3, -0.1, rng); }));
  CHECK(refused([&] { road_graph(3, -1, rng); }));
  CHECK(refused([&] { road_graph(3, 3, rng, {.keep = 1.5}); }));
  CHECK(refused([&] { road_graph(3, 3, rng, {.most_bends = -1}); }));
  CHECK(refused([&] { road_graph(40000, 40000, rng); }));
  CHECK(refused([&] { with_log_uniform_weights(path_graph(3), 0.0, 1.0, rng); }));
  CHECK(refused([&] { with_log_uniform_weights(path_graph(3), 2.0, 1.0, rng); }));
  CHECK(refused([&] { two_moons(3, std::numeric_limits<double>::infinity(), rng); }));
}

}  // namespace
