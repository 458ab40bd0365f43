// The global minimum cut against all cuts tried, Stoer and Wagner done slowly, and graphs whose cut
// is known.

#include <atomic>
#include <cmath>

#include "cut_support.hpp"
#include "gssl/flow/global_min_cut.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

double best_by_trying(const Graph& graph) {
  double best = infinite;
  const auto n = static_cast<unsigned>(graph.vertex_count());
  for (std::uint32_t side = 1; side < (1U << (n - 1)); ++side)  // the last vertex is never inside
    best = std::min(best, boundary(graph, side));
  return best;
}

// Stoer and Wagner (1997, doi:10.1145/263867.263872) on a full matrix.
double best_by_phases(const Graph& graph) {
  auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::vector<double>> w(n, std::vector<double>(n, 0.0));
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double x) { w[std::size_t(u)][std::size_t(v)] = x; });
  double best = infinite;
  for (; n > 1; --n) {
    std::vector<double> key(n, 0.0);
    std::vector<bool> taken(n, false);
    std::size_t last = 0, before = 0;
    for (std::size_t step = 0; step < n; ++step) {
      std::size_t next = n;
      for (std::size_t v = 0; v < n; ++v)
        if (!taken[v] && (next == n || key[v] > key[next])) next = v;
      taken[next] = true;
      before = last;
      last = next;
      if (step + 1 == n) best = std::min(best, key[next]);
      for (std::size_t v = 0; v < n; ++v)
        if (!taken[v]) key[v] += w[next][v];
    }
    for (std::size_t v = 0; v < n; ++v) {
      if (v == before || v == last) continue;
      w[before][v] += w[last][v];
      w[v][before] = w[before][v];
    }
    w[before][last] = w[last][before] = 0.0;
    for (std::size_t v = 0; v < n; ++v) {  // the last of the matrix takes the place of `last`
      w[last][v] = w[n - 1][v];
      w[v][last] = w[v][n - 1];
    }
    w[last][last] = 0.0;
  }
  return best;
}

double weight_between_sides(const Graph& graph, const std::vector<unsigned char>& side) {
  double cut = 0.0;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (side[std::size_t(u)] == 1 && side[std::size_t(v)] == 0) cut += w;
    });
  return cut;
}

// The value, after checking that the side is one, is the smaller, and costs it.
double checked(const Graph& graph) {
  const GlobalMinCut found = global_min_cut(graph, {});
  const auto ones = std::count(found.side.begin(), found.side.end(), 1);
  const auto n = static_cast<std::ptrdiff_t>(graph.vertex_count());
  if (found.side.size() != static_cast<std::size_t>(n) || ones < 1 || 2 * ones > n)
    FAIL("a side of " << ones << " among " << n);
  if (found.value != Approx(weight_between_sides(graph, found.side)).epsilon(1e-12))
    FAIL("the side does not cost the value " << found.value);
  if (found.bound != Approx(found.value).epsilon(1e-9).margin(1e-300))
    FAIL("bound " << found.bound << " for value " << found.value);
  return found.value;
}

// Two dense clusters of `size` joined by `bridges` edges: the minimum is in the middle.
Graph two_clusters(VertexId size, int bridges, std::uint64_t seed, bool weighted) {
  Rng rng(seed);
  std::vector<Edge> edges;
  const auto pick = [&](VertexId from) {
    return from + static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(size)));
  };
  const auto weight = [&] { return weighted ? 0.5 + rng.uniform() : 1.0; };
  for (const VertexId from : {VertexId{0}, size})
    for (VertexId v = from; v < from + size; ++v)
      for (int k = 0; k < 12; ++k) edges.push_back({v, pick(from), weight()});
  for (int b = 0; b < bridges; ++b) edges.push_back({pick(0), pick(size), 0.01 * weight()});
  return graph_from_edges(2 * size, edges);
}

// Each vertex of a ring joined to those `steps` further on.
Graph ring_graph(
    VertexId n, const std::vector<VertexId>& steps,
    const std::function<double()>& weight = [] { return 1.0; }) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId step : steps) edges.push_back({v, (v + step) % n, weight()});
  return graph_from_edges(n, edges);
}

// `copies` tori of rows × columns side by side, with `bridges` edges from each to the next.
Graph torus_graph(VertexId rows, VertexId columns, VertexId copies = 1, VertexId bridges = 0) {
  std::vector<Edge> edges;
  const VertexId size = rows * columns;
  for (VertexId c = 0; c < copies; ++c) {
    for (VertexId v = 0; v < size; ++v) {
      edges.push_back({c * size + v, c * size + v / columns * columns + (v + 1) % columns});
      edges.push_back({c * size + v, c * size + (v + columns) % size});
    }
    for (VertexId b = 0; b < bridges && c + 1 < copies; ++b)
      edges.push_back({c * size + 7 * b, (c + 1) * size + 5 * b});
  }
  return graph_from_edges(copies * size, edges);
}

Graph hypercube_graph(int dimension) {
  std::vector<Edge> edges;
  const VertexId n = VertexId{1} << dimension;
  for (VertexId v = 0; v < n; ++v)
    for (VertexId bit = 1; bit < n; bit *= 2)
      if ((v & bit) == 0) edges.push_back({v, v | bit});
  return graph_from_edges(n, edges);
}

// Two rings, each vertex joined to its twin.
Graph prism_graph(VertexId length) {
  std::vector<Edge> edges;
  for (VertexId v = 0; v < length; ++v) {
    edges.push_back({v, (v + 1) % length});
    edges.push_back({length + v, length + (v + 1) % length});
    edges.push_back({v, length + v});
  }
  return graph_from_edges(2 * length, edges);
}

}  // namespace

TEST_CASE("the global minimum cut of every graph of up to seven vertices is found") {
  for (VertexId n = 2; n <= 7; ++n)
    for (std::uint64_t code = 0; code < (1ULL << static_cast<unsigned>(n * (n - 1) / 2)); ++code) {
      if (!is_representative(n, code, 0, n - 1)) continue;
      const Graph graph = graph_of_code(n, code);
      if (checked(graph) != best_by_trying(graph)) FAIL("n " << n << ", code " << code);
    }
}

TEST_CASE("the global minimum cut of random graphs is that of trying all cuts") {
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    Rng rng(seed, 2);
    const VertexId n = 3 + static_cast<VertexId>(rng.below(seed % 100 == 0 ? 12 : 7));
    const Graph graph =
        integer_graph(n, static_cast<int>(3 + rng.below(40)), seed, seed % 3 == 0 ? 1000 : 3);
    if (checked(graph) != best_by_trying(graph)) FAIL("seed " << seed);
  }
}

TEST_CASE("Stoer and Wagner find the same value") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 3);
    Graph graph;
    if (seed % 3 == 0) graph = two_clusters(30, 5, seed, seed % 2 == 0);
    if (seed % 3 == 1) graph = with_log_uniform_weights(grid_graph(8, 9), 1e-4, 1e4, rng);
    if (seed % 3 == 2) graph = integer_graph(70, 400, seed, 20);
    const double value = checked(graph);
    CHECK(value == Approx(best_by_phases(graph)).epsilon(1e-12));
  }
}

TEST_CASE("graphs whose global minimum cut is known") {
  CHECK(checked(path_graph(2)) == 1.0);
  CHECK(checked(star_graph(9)) == 1.0);
  CHECK(checked(cycle_graph(50)) == 2.0);
  CHECK(checked(complete_graph(40)) == 39.0);
  CHECK(checked(grid_graph(60, 70)) == 2.0);
  CHECK(checked(grid_graph(9, 8, 7)) == 3.0);
  CHECK(checked(barbell_graph(20)) == 1.0);
  const GlobalMinCut bridge = global_min_cut(barbell_graph(20), {});
  for (std::size_t v = 0; v < 40; ++v) CHECK(bridge.side[v] == (v < 20 ? 1 : 0));
  if (const Graph club = karate(); club.vertex_count() > 0) CHECK(checked(club) == 1.0);
}

TEST_CASE("rings, tori, hypercubes and prisms are cut as Stoer and Wagner cut them") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 7);
    const auto whole = [&] { return static_cast<double>(1 + rng.below(3)); };
    const auto real = [&] { return 0.99 + 0.02 * rng.uniform(); };
    const auto n = static_cast<VertexId>(12 + rng.below(60));
    std::vector<Graph> graphs{ring_graph(n, {1, 2}),           ring_graph(n, {1, 2, 3}),
                              ring_graph(n, {1, 5}),           ring_graph(n, {1, 2}, whole),
                              ring_graph(n, {1, 2, 3}, whole), ring_graph(n, {1, 2}, real),
                              ring_graph(n, {1, 2, 3}, real),  prism_graph(n),
                              torus_graph(5, 3 + n / 8, 3, 3)};
    if (seed == 1) graphs.push_back(hypercube_graph(6));
    for (const Graph& graph : graphs)
      if (checked(graph) != Approx(best_by_phases(graph)).epsilon(1e-12))
        FAIL(graph.vertex_count() << " vertices, " << graph.edge_count() << " edges");
  }
}

TEST_CASE("graphs on which every cut of one vertex is least take a few rounds") {
  const auto found = [](const Graph& graph) {
    const GlobalMinCut cut = global_min_cut(graph, {});
    CHECK(cut.rounds <= 12);
    return cut;
  };
  CHECK(found(ring_graph(6000, {1, 2})).value == 4.0);
  CHECK(found(ring_graph(6000, {1, 2, 3})).value == 6.0);
  CHECK(found(ring_graph(6000, {1, 17, 300})).value == 6.0);
  CHECK(found(torus_graph(80, 75)).value == 4.0);
  CHECK(found(hypercube_graph(12)).value == 12.0);
  CHECK(found(prism_graph(3000)).value == 3.0);
  const GlobalMinCut middle = found(torus_graph(60, 50, 2, 3));
  CHECK(middle.value == 3.0);
  for (std::size_t v = 0; v < 6000; ++v) CHECK(middle.side[v] == (v < 3000 ? 1 : 0));
}

TEST_CASE("a minimum in the middle of two clusters is found") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Graph graph = two_clusters(3000, 40, seed, seed % 2 == 0);
    double between = 0.0;
    for (VertexId u = 0; u < 3000; ++u)
      graph.visit_row(u, [&](VertexId v, double w) { between += v >= 3000 ? w : 0.0; });
    const GlobalMinCut found = global_min_cut(graph, {});
    CHECK(found.value == Approx(between).epsilon(1e-12));
    CHECK(std::count(found.side.begin(), found.side.end(), 1) == 3000);
    CHECK(found.side[0] == 1);
    CHECK(found.side[5999] == 0);
  }
}

TEST_CASE("no two terminals have a smaller minimum cut than the global one") {
  const Graph graph = integer_graph(60, 260, 8, 30);
  double least = infinite;
  for (VertexId t = 1; t < 60; ++t) {
    std::vector<double> source(60, 0.0), sink(60, 0.0);
    source[0] = sink[std::size_t(t)] = infinite;
    MaxFlow problem(graph, source, sink);
    least = std::min(least, problem.solve({}).flow);
  }
  CHECK(checked(graph) == least);
}

TEST_CASE("weights near either end of the doubles are cut like others") {
  for (const double unit : {5e-324, 1e-320, 1e-300, 1e300}) {
    CAPTURE(unit);
    // two triangles of weight 9 joined by an edge of weight 2
    const Graph graph = graph_from_edges(6, {{0, 1, 9 * unit},
                                             {1, 2, 9 * unit},
                                             {0, 2, 9 * unit},
                                             {2, 3, 2 * unit},
                                             {3, 4, 9 * unit},
                                             {4, 5, 9 * unit},
                                             {3, 5, 9 * unit}});
    const GlobalMinCut found = global_min_cut(graph, {});
    CHECK(found.value == 2 * unit);
    CHECK(found.side == std::vector<unsigned char>{1, 1, 1, 0, 0, 0});
  }
}

TEST_CASE("a graph in parts has value 0 and a part as its side") {
  const Graph graph = graph_from_edges(6, {{0, 1}, {1, 2}, {3, 4}});
  const GlobalMinCut found = global_min_cut(graph, {});
  CHECK(found.value == 0.0);
  CHECK(found.bound == 0.0);
  CHECK(found.side == std::vector<unsigned char>{0, 0, 0, 0, 0, 1});
}

TEST_CASE("too few vertices are refused, a stopped run throws, threads change nothing") {
  for (const VertexId n : {0, 1}) {
    const auto error = error_of([&] { global_min_cut(path_graph(n), {}); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
  const auto overflow = error_of([] {
    global_min_cut(graph_from_edges(3, {{0, 1, 1.5e308}, {1, 2, 1.5e308}}), {});
  });
  REQUIRE(overflow);
  CHECK(overflow->code() == ErrorCode::bad_data);
  const Graph graph = two_clusters(2500, 20, 4, true);
  const std::atomic<bool> cancel = true;
  RunContext stopped;
  stopped.cancel = &cancel;
  const auto error = error_of([&] { global_min_cut(graph, stopped); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
  RunContext one, four;
  one.threads = 1;
  four.threads = 4;
  CHECK(global_min_cut(graph, one).side == global_min_cut(graph, four).side);
}
