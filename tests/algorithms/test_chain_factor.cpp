// A walk that ends, factored without subtraction: against elimination with pivots, closed forms
// under huge contrast, and walks that never end.

#include <cmath>

#include "algorithms/fixtures.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/factor/chain_factor.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

struct Walk {
  std::vector<double> rates, ends;
};

// Rates with no symmetry, `zero` of them 0; most ends are at a tenth of the states.
Walk random_walk(const Graph& graph, double zero, std::uint64_t seed) {
  Rng rng(seed);
  Walk walk;
  walk.rates.resize(graph.neighbor_array().size());
  for (double& rate : walk.rates) rate = rng.uniform() < zero ? 0.0 : rng.uniform();
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    walk.ends.push_back(v % 10 == 0 ? rng.uniform() : 1e-4);
  return walk;
}

std::vector<std::vector<double>> dense(const Graph& graph, const Walk& walk) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::vector<double>> a(n, std::vector<double>(n, 0.0));
  for (std::size_t v = 0; v < n; ++v) {
    a[v][v] = walk.ends[v];
    for (EdgeIndex e = graph.row_begin(static_cast<VertexId>(v));
         e < graph.row_end(static_cast<VertexId>(v)); ++e) {
      const double rate = walk.rates[static_cast<std::size_t>(e)];
      a[v][v] += rate;
      a[v][static_cast<std::size_t>(graph.neighbor_at(e))] -= rate;
    }
  }
  return a;
}

}  // namespace

TEST_CASE("a factored walk answers as elimination with pivots does") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const auto n = static_cast<VertexId>(seed * seed * 3);
    const Graph graph = random_graph(n, n, seed);
    const Walk walk = random_walk(graph, 0.1, seed);
    Block b(n, 1);
    Rng rng(seed + 100);
    for (VertexId v = 0; v < n; ++v) b(v, 0) = rng.uniform() - 0.5;
    const auto factor = make_chain_factor(graph, on_threads(1));
    REQUIRE(factor);
    // Twice: the second time with what the first one prepared.
    for (int round = 0; round < 2; ++round) {
      REQUIRE(factor->compute(walk.rates, walk.ends, on_threads(1)));
      std::vector<double> x(static_cast<std::size_t>(n));
      factor->solve({b.data(), x.size()}, x);
      const Block expected = dense_solve(dense(graph, walk), b);
      for (VertexId v = 0; v < n; ++v)
        CHECK(x[static_cast<std::size_t>(v)] == Approx(expected(v, 0)).epsilon(1e-9).margin(1e-11));
    }
  }
}

TEST_CASE("times until a walk ends keep their digits whatever the contrast") {
  // Steps to the right at rate 1, back at rate r, and the end behind the last state at rate e:
  // the time spent from i on is n/e and the times of the steps, t_i = 1 + r t_{i−1}.
  const VertexId n = 40;
  const Graph path = path_graph(n);
  for (const double r : {1.0, 1e-8, 30.0}) {
    for (const double e : {1.0, 1e-200}) {
      CAPTURE(r, e);
      Walk walk;
      for (VertexId v = 0; v < n; ++v)
        for (const VertexId u : path.neighbors(v)) walk.rates.push_back(u > v ? 1.0 : r);
      walk.ends.assign(static_cast<std::size_t>(n), 0.0);
      walk.ends.back() = e;
      std::vector<double> expected(static_cast<std::size_t>(n)), step(expected.size());
      step[0] = 1.0;
      for (std::size_t i = 1; i < step.size(); ++i) step[i] = 1.0 + r * step[i - 1];
      expected.back() = (1.0 + r * step[step.size() - 2]) / e;
      for (std::size_t i = step.size() - 1; i-- > 0;) expected[i] = expected[i + 1] + step[i];
      const auto factor = make_chain_factor(path, on_threads(1));
      REQUIRE(factor->compute(walk.rates, walk.ends, on_threads(1)));
      std::vector<double> x(expected.size(), 1.0);
      factor->solve(x, x);
      for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(expected[i]).epsilon(1e-13));
    }
  }
}

TEST_CASE("a walk that cannot end somewhere is told from one that can") {
  // 0 → 1 ⇄ 2, nobody leaves {1, 2}; and two parts of which one has no end.
  const Graph path = path_graph(3);
  const auto factor = make_chain_factor(path, on_threads(1));
  CHECK_FALSE(factor->compute(std::vector<double>{1.0, 0.0, 1.0, 1.0},
                              std::vector<double>{1.0, 0.0, 0.0}, on_threads(1)));
  CHECK(factor->compute(std::vector<double>{1.0, 1e-300, 1.0, 1.0},
                        std::vector<double>{1.0, 0.0, 0.0}, on_threads(1)));
  const Graph parts = graph_from_edges(4, {{0, 1}, {2, 3}});
  const auto apart = make_chain_factor(parts, on_threads(1));
  CHECK_FALSE(apart->compute(std::vector<double>{1.0, 1.0, 1.0, 1.0},
                             std::vector<double>{0.0, 1.0, 0.0, 0.0}, on_threads(1)));
  CHECK_FALSE(make_chain_factor(parts, on_threads(1), [](const FactorSize&) { return false; }));
}

TEST_CASE("a factored walk has the same bytes on one thread and on several") {
  const Graph grid = grid_graph(48, 48);
  const Walk walk = random_walk(grid, 0.05, 3);
  const auto solve = [&](int threads) {
    const auto factor = make_chain_factor(grid, on_threads(threads));
    REQUIRE(factor->compute(walk.rates, walk.ends, on_threads(threads)));
    std::vector<double> x(static_cast<std::size_t>(grid.vertex_count()), 1.0);
    factor->solve(x, x);
    return x;
  };
  const std::vector<double> x = solve(1);
  CHECK(x == solve(3));
  // What it solves: d x − Σ r x = 1.
  for (VertexId v = 0; v < grid.vertex_count(); ++v) {
    double left = walk.ends[static_cast<std::size_t>(v)] * x[static_cast<std::size_t>(v)];
    double size = std::abs(left);
    for (EdgeIndex e = grid.row_begin(v); e < grid.row_end(v); ++e) {
      const double rate = walk.rates[static_cast<std::size_t>(e)];
      left += rate *
              (x[static_cast<std::size_t>(v)] - x[static_cast<std::size_t>(grid.neighbor_at(e))]);
      size += rate * x[static_cast<std::size_t>(v)];
    }
    CHECK(std::abs(left - 1.0) <= 1e-13 * size);
  }
}
