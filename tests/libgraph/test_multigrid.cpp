#include <cmath>
#include <cstring>
#include <memory>

#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "solve/method/multigrid/multigrid.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;
using solve::make_multigrid;
using solve::Preconditioner;

std::vector<float> random_block(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<float> block(static_cast<std::size_t>(rows * columns));
  for (float& value : block) value = static_cast<float>(rng.normal());
  return block;
}

std::vector<float> apply(const Preconditioner& m, const std::vector<float>& r, std::int64_t columns,
                         int threads = 1) {
  std::vector<float> z(r.size(), -1.0F), scratch;
  m.apply(r.data(), z.data(), columns, threads, scratch);
  return z;
}

double dot(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i)
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

bool finite(const std::vector<float>& a) {
  for (const float value : a)
    if (!std::isfinite(value)) return false;
  return true;
}

// The same graph, weights spread evenly over `decades` powers of ten.
Graph spread_weights(const Graph& graph, double decades, Rng& rng) {
  std::vector<Edge> edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    for (const VertexId v : graph.neighbors(u))
      if (u < v) edges.push_back({u, v, std::pow(10.0, decades * (rng.uniform() - 0.5))});
  return graph_from_edges(graph.vertex_count(), edges);
}

// Grounded at a few vertices, as labels do.
GroundedLaplacian pinned(const Graph& graph, int labels = 20) {
  Rng rng(17);
  std::vector<VertexId> all(static_cast<std::size_t>(graph.vertex_count()));
  for (std::size_t v = 0; v < all.size(); ++v) all[v] = static_cast<VertexId>(v);
  shuffle(all, rng);
  all.resize(static_cast<std::size_t>(labels));
  return make_dirichlet_problem(graph, all).system;
}

// Iterations of conjugate gradients to a relative residual of 1e-8, or 1000.
int iterations(const GroundedLaplacian& a, const Preconditioner& m) {
  const std::int64_t n = a.size();
  Block p(n, 1), q;
  Rng rng(23);
  std::vector<double> r(static_cast<std::size_t>(n));
  for (double& value : r) value = rng.normal();
  std::vector<float> rough(r.size());
  double first = 0.0, rz = 0.0;
  for (int count = 0; count < 1000; ++count) {
    double norm = 0.0, next = 0.0, pq = 0.0;
    for (std::size_t v = 0; v < r.size(); ++v) {
      norm += r[v] * r[v];
      rough[v] = static_cast<float>(r[v]);
    }
    if (count == 0) first = norm;
    if (norm <= 1e-16 * first) return count;
    const std::vector<float> z = apply(m, rough, 1);
    for (std::size_t v = 0; v < r.size(); ++v) next += r[v] * static_cast<double>(z[v]);
    for (std::size_t v = 0; v < r.size(); ++v)
      p.data()[v] = static_cast<double>(z[v]) + (count == 0 ? 0.0 : next / rz * p.data()[v]);
    rz = next;
    a.apply(p, q);
    for (std::size_t v = 0; v < r.size(); ++v) pq += p.data()[v] * q.data()[v];
    for (std::size_t v = 0; v < r.size(); ++v) r[v] -= rz / pq * q.data()[v];
  }
  return 1000;
}

int iterations(const GroundedLaplacian& a) {
  const auto m = make_multigrid(a, 1);
  REQUIRE(m != nullptr);
  return iterations(a, *m);
}

}  // namespace

TEST_CASE("the cycle is symmetric and positive definite, with equal weights and with any") {
  Rng rng(1);
  for (const double decades : {0.0, 1.0, 8.0, 16.0}) {
    Graph graph = grid_graph(60, 50);
    if (decades > 0.0) graph = spread_weights(graph, decades, rng);
    const GroundedLaplacian a = pinned(graph);
    const auto m = make_multigrid(a, 1);
    REQUIRE(m != nullptr);
    for (const std::uint64_t seed : {1, 2, 3}) {
      // Currents A x of random potentials: those that the weights make likely.
      Block x(a.size(), 2), b;
      const std::vector<float> noise = random_block(a.size(), 2, seed);
      for (std::size_t i = 0; i < noise.size(); ++i) x.data()[i] = static_cast<double>(noise[i]);
      a.apply(x, b);
      std::vector<float> r, s;
      for (VertexId v = 0; v < a.size(); ++v) {
        r.push_back(static_cast<float>(b(v, 0)));
        s.push_back(static_cast<float>(b(v, 1)));
      }
      const std::vector<float> mr = apply(*m, r, 1), ms = apply(*m, s, 1);
      const double scale = std::sqrt(dot(r, mr) * dot(s, ms));
      CHECK(dot(r, mr) > 0.0);
      CHECK(dot(s, ms) > 0.0);
      CHECK(std::abs(dot(r, ms) - dot(s, mr)) < 1e-4 * scale);
    }
  }
}

TEST_CASE("iterations on meshes hardly grow with their size") {
  for (const VertexId side : {30, 100, 300})
    CHECK(iterations(pinned(grid_graph(side, side))) <= 17);
  for (const VertexId side : {10, 20, 40})
    CHECK(iterations(pinned(grid_graph(side, side, side))) <= 18);
}

TEST_CASE("iterations at high contrast depend neither on the contrast nor much on the size") {
  Rng rng(2);
  for (const double decades : {2.0, 8.0})
    for (const VertexId side : {30, 100, 300})
      CHECK(iterations(pinned(spread_weights(grid_graph(side, side), decades, rng))) <= 32);
}

// Given vertices are left in the system of a large graph, with a ground beyond all edges. An
// aggregate with one of them in it would be held as a whole, and its corner of the graph with it.
TEST_CASE("vertices that their ground holds cost no iterations") {
  for (const VertexId side : {100, 300}) {
    const Graph graph = grid_graph(side, side);
    std::vector<double> ground(static_cast<std::size_t>(side) * static_cast<std::size_t>(side));
    for (std::size_t v = 0; v < ground.size(); v += 997) ground[v] = std::ldexp(1.0, 62);
    const GroundedLaplacian a(graph, std::move(ground));
    CHECK(iterations(a) <= 19);
  }
}

TEST_CASE("the cycle gives the same bytes at any thread count and column by column") {
  Rng rng(3);
  for (const bool weighted : {false, true}) {
    Graph graph = grid_graph(130, 120);
    if (weighted) graph = spread_weights(graph, 6.0, rng);
    const GroundedLaplacian a = pinned(graph);
    const auto one = make_multigrid(a, 1), four = make_multigrid(a, 4);
    REQUIRE(one != nullptr);
    REQUIRE(four != nullptr);
    for (const std::int64_t columns : {1, 2, 3, 4, 5, 6, 7, 8, 9, 20}) {
      const std::vector<float> r = random_block(a.size(), columns, 5);
      const std::vector<float> z = apply(*one, r, columns);
      CHECK(z == apply(*four, r, columns, 4));
      for (const std::int64_t k : {std::int64_t{0}, columns - 1}) {
        std::vector<float> column, expected;
        for (std::int64_t v = 0; v < a.size(); ++v) {
          column.push_back(r[static_cast<std::size_t>(v * columns + k)]);
          expected.push_back(z[static_cast<std::size_t>(v * columns + k)]);
        }
        CHECK(apply(*one, column, 1) == expected);
      }
    }
  }
}

TEST_CASE("a ground that outweighs every edge leaves nothing to a coarser level") {
  const GroundedLaplacian a(grid_graph(60, 60), std::vector<double>(3600, 1e6));
  const auto m = make_multigrid(a, 2);
  REQUIRE(m != nullptr);
  const std::vector<float> r = random_block(3600, 2, 3);
  const std::vector<float> z = apply(*m, r, 2);
  float worst = 0.0F;
  for (std::size_t i = 0; i < r.size(); ++i) worst = std::max(worst, std::abs(z[i] * 1e6F - r[i]));
  CHECK(worst < 1e-4F);
}

TEST_CASE("small systems are inverted exactly") {
  // 0 −2− 1 −1− 2, ground 1 at vertex 0: the currents (1, 0, 0) raise all potentials to 1.
  const GroundedLaplacian a(graph_from_edges(3, {{0, 1, 2.0}, {1, 2, 1.0}}), {1.0, 0.0, 0.0});
  const auto m = make_multigrid(a, 1);
  REQUIRE(m != nullptr);
  for (const float z : apply(*m, {1.0F, 0.0F, 0.0F}, 1)) CHECK(z == Approx(1.0F).epsilon(1e-6));
  const auto nothing = make_multigrid(GroundedLaplacian(Graph(), {}), 1);
  REQUIRE(nothing != nullptr);
  CHECK(apply(*nothing, {}, 1).empty());
}

TEST_CASE(
    "paths, stars, cliques, isolated vertices and many components stay finite or are refused") {
  Rng rng(4);
  std::vector<Graph> graphs = {path_graph(5000),
                               star_graph(5000),
                               complete_graph(400),
                               barbell_graph(200, 300),
                               cycle_graph(5000),
                               random_tree(5000, rng),
                               rmat_graph(12, 16, rng),
                               erdos_renyi_graph(3000, 0.001, rng),
                               graph_from_edges(2000, {{0, 1, 1.0}, {5, 9, 3.0}})};
  const std::size_t plain = graphs.size();
  for (std::size_t i = 0; i < plain; ++i)
    for (const double decades : {8.0, 16.0})
      graphs.push_back(spread_weights(graphs[i], decades, rng));
  for (const Graph& graph : graphs) {
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    const GroundedLaplacian strong(graph, std::vector<double>(n, 1.0));
    const GroundedLaplacian weak(graph, std::vector<double>(n, 1e-6));
    for (const GroundedLaplacian* a : {&strong, &weak}) {
      const auto m = make_multigrid(*a, 2);
      if (m == nullptr) continue;
      const std::vector<float> r = random_block(a->size(), 3, 6);
      const std::vector<float> z = apply(*m, r, 3);
      CHECK(finite(z));
      CHECK(dot(r, z) > 0.0);
    }
  }
}

TEST_CASE("multigrid refuses what floats cannot hold and what fills in") {
  CHECK(make_multigrid(GroundedLaplacian(path_graph(3), {1e30, 0.0, 0.0}), 1) == nullptr);
  CHECK(make_multigrid(GroundedLaplacian(Graph({0, 0, 0}, {}, {}), {1e-30, 1.0}), 1) == nullptr);
  // Expanders: the second system is nearly complete.
  Rng rng(7);
  const Graph expander = erdos_renyi_graph(20000, 0.001, rng);
  CHECK(make_multigrid(GroundedLaplacian(expander, std::vector<double>(20000, 1e-3)), 1) ==
        nullptr);
}
