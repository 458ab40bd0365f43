// Minimum cuts between terminals: both methods against all cuts tried and the reference values.

#include <atomic>
#include <cmath>
#include <numbers>

#include "cut_support.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/generators.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// Returns false at the first difference; whole numbers, so everything is exact.
bool agrees(const Graph& graph, const Terminals& terminals, FlowMethod method) {
  const Cuts expected = all_cuts(graph, terminals);
  MaxFlow problem(graph, terminals.source, terminals.sink, {.method = method});
  const MaxFlowReport found = problem.solve({});
  return found.flow == expected.value && found.cut == expected.value && found.used == method &&
         bits(problem.source_side(CutSide::smallest_source)) == expected.smallest &&
         bits(problem.source_side(CutSide::largest_source)) == expected.largest;
}

void check_certified(double flow, double cut) {
  CHECK(flow == Approx(cut).epsilon(1e-12).margin(0.0));
}

}  // namespace

TEST_CASE("the minimum cuts of every graph of up to seven vertices are found") {
  std::size_t tried = 0;
  for (VertexId n = 2; n <= 7; ++n)
    for (std::uint64_t code = 0; code < (1ULL << static_cast<unsigned>(n * (n - 1) / 2)); ++code) {
      if (!is_representative(n, code, 1, n - 2)) continue;
      ++tried;
      for (const FlowMethod method : methods) {
        if (n == 7 && method != methods[tried % 2]) continue;  // in turns: they are many
        if (!agrees(graph_of_code(n, code), between(n, 0, n - 1), method))
          FAIL("n " << n << ", code " << code);
      }
    }
}

TEST_CASE("random graphs with terminals at every vertex are cut as by trying all cuts") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed, 1);
    const VertexId n = 2 + static_cast<VertexId>(rng.below(seed % 30 == 0 ? 13 : 9));
    const Graph graph = integer_graph(n, static_cast<int>(rng.below(30)), seed, seed % 2 + 5);
    const Terminals terminals = random_terminals(n, rng);
    for (const FlowMethod method : methods) {
      CAPTURE(seed, n, to_string(method));
      CHECK(agrees(graph, terminals, method));
    }
  }
}

TEST_CASE("the minimum cuts between all pairs of the karate club are the reference's") {
  const auto path = shared_path("reference/graphs/karate.all_pairs_mincut.csv");
  if (!path) {
    WARN("skipped: ../shared is absent");
    return;
  }
  const auto expected = read_numbers(*path);
  const Graph graph = karate();
  for (VertexId s = 0; s < 34; ++s)
    for (VertexId t = 0; t < 34; ++t) {
      if (s == t) continue;
      const Terminals terminals = between(34, s, t);
      const FlowMethod method = methods[static_cast<std::size_t>(s + t) % 2];
      MaxFlow problem(graph, terminals.source, terminals.sink, {.method = method});
      REQUIRE(problem.solve({}).flow == expected[std::size_t(s)][std::size_t(t)]);
    }
}

TEST_CASE("irrational weights and weights over sixteen orders of magnitude end and are certified") {
  for (const FlowMethod method : methods) {
    CAPTURE(to_string(method));
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      CAPTURE(seed);
      Rng rng(seed);
      const Graph wide =
          with_log_uniform_weights(erdos_renyi_graph(400, 0.02, rng), 1e-8, 1e8, rng);
      std::vector<Edge> edges;
      for (VertexId v = 0; v < 400; ++v)
        for (int k = 1; k <= 4; ++k)
          edges.push_back({v, static_cast<VertexId>(rng.below(400)), std::sqrt(v + k + 1.0) / 7.0});
      const Graph irrational = graph_from_edges(400, edges);
      for (const Graph* graph : {&wide, &irrational}) {
        Terminals terminals(400);
        for (VertexId v = 0; v < 400; ++v) {
          if (seed % 2 == 0 && v % 50 > 1) continue;
          (v % 2 == 0 ? terminals.from_source(v) : terminals.to_sink(v)) =
              seed % 2 == 0 ? infinite : std::numbers::pi * rng.uniform();
        }
        MaxFlow problem(*graph, terminals.source, terminals.sink, {.method = method});
        const MaxFlowReport found = problem.solve({});
        check_certified(found.flow, found.cut);
        check_certified(problem.cut_value(problem.source_side(CutSide::smallest_source)),
                        problem.cut_value(problem.source_side(CutSide::largest_source)));
      }
    }
  }
}

TEST_CASE("a light cut behind heavy edges is proven to its last digits, whatever the method") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    const auto n = static_cast<VertexId>(seed % 4 == 0 ? 300 : 30);
    const double decades = seed % 5 == 0 ? 60.0 : 24.0;
    std::vector<Edge> edges;
    const auto weight = [&] { return std::pow(10.0, decades * (rng.uniform() - 0.5)); };
    for (VertexId v = 1; v < n; ++v)
      edges.push_back({std::max(0, v - 1 - static_cast<VertexId>(rng.below(4))), v, weight()});
    for (VertexId i = 0; i < 2 * n; ++i) {
      const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
      const VertexId v = std::min(n - 1, u + 1 + static_cast<VertexId>(rng.below(5)));
      if (u != v) edges.push_back({u, v, weight()});
    }
    const Graph graph = graph_from_edges(n, edges);
    const Terminals terminals = between(n, 0, n - 1);
    double cut = 0.0;
    for (const FlowMethod method :
         {FlowMethod::incremental_search, FlowMethod::push_relabel, FlowMethod::automatic}) {
      MaxFlow problem(graph, terminals.source, terminals.sink, {.method = method});
      const MaxFlowReport found = problem.solve({});
      CAPTURE(seed, to_string(method), found.sentence);
      check_certified(found.flow, found.cut);
      if (method == FlowMethod::incremental_search) cut = found.cut;
      CHECK(found.cut == Approx(cut).epsilon(1e-12).margin(0.0));
    }
  }
}

TEST_CASE("degenerate graphs: no vertex, no edge, adjacent terminals, no terminal") {
  for (const FlowMethod method : {methods[0], methods[1], FlowMethod::automatic}) {
    const Graph empty;
    MaxFlow nothing(empty, {}, {}, {.method = method});
    CHECK(nothing.solve({}).flow == 0.0);
    const Graph apart = graph_from_edges(3, {{0, 1, 2.0}});
    const Terminals far = between(3, 0, 2);
    MaxFlow disconnected(apart, far.source, far.sink, {.method = method});
    CHECK(disconnected.solve({}).cut == 0.0);
    CHECK(bits(disconnected.source_side(CutSide::smallest_source)) == 0b011);
    CHECK(bits(disconnected.source_side(CutSide::largest_source)) == 0b011);
    const Terminals near = between(3, 0, 1);
    MaxFlow adjacent(apart, near.source, near.sink, {.method = method});
    CHECK(adjacent.solve({}).flow == 2.0);
    CHECK(bits(adjacent.source_side(CutSide::smallest_source)) == 0b001);
    CHECK(bits(adjacent.source_side(CutSide::largest_source)) == 0b101);
    const Terminals none(3);
    MaxFlow free(apart, none.source, none.sink, {.method = method});
    CHECK(free.solve({}).flow == 0.0);
    CHECK(bits(free.source_side(CutSide::smallest_source)) == 0);
    CHECK(bits(free.source_side(CutSide::largest_source)) == 0b111);
  }
}

TEST_CASE("renaming the vertices renames the sides, and threads change no byte") {
  const Graph graph = integer_graph(2000, 8000, 3, 1000);
  std::vector<Edge> edges;
  for (VertexId u = 0; u < 2000; ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v) edges.push_back({1999 - u, 1999 - v, w});
    });
  const Graph renamed = graph_from_edges(2000, edges);
  Rng rng(5);
  Terminals terminals(2000), other(2000);
  for (VertexId v = 0; v < 2000; ++v) {
    terminals.from_source(v) = other.from_source(1999 - v) = static_cast<double>(rng.below(3000));
    terminals.to_sink(v) = other.to_sink(1999 - v) = static_cast<double>(rng.below(3000));
  }
  for (const FlowMethod method : methods) {
    MaxFlow one(graph, terminals.source, terminals.sink, {.method = method});
    MaxFlow two(renamed, other.source, other.sink, {.method = method});
    MaxFlow four(graph, terminals.source, terminals.sink, {.method = method});
    RunContext single, many;
    single.threads = 1;
    many.threads = 4;
    const MaxFlowReport a = one.solve(single), b = two.solve(single), c = four.solve(many);
    CHECK(a.flow == b.flow);
    CHECK(a.flow == c.flow);
    CHECK(a.cut == c.cut);
    for (const CutSide which : {CutSide::smallest_source, CutSide::largest_source}) {
      std::vector<unsigned char> mirrored = two.source_side(which);
      std::reverse(mirrored.begin(), mirrored.end());
      CHECK(one.source_side(which) == mirrored);
      CHECK(one.source_side(which) == four.source_side(which));
    }
  }
}

TEST_CASE("automatic hands a half-done flow over to push-relabel and ends with the same cut") {
  // Hubs, and a terminal at every vertex: what the search's trees are repaired for.
  Rng rng(1);
  const Graph graph = rmat_graph(11, 60, rng);
  const VertexId n = graph.vertex_count();
  Terminals terminals(n);
  for (VertexId v = 0; v < n; ++v) {
    const double lean = std::round(60.0 * (0.3 + rng.normal()));
    (lean > 0.0 ? terminals.from_source(v) : terminals.to_sink(v)) = std::abs(lean);
  }
  MaxFlow whole(graph, terminals.source, terminals.sink, {.method = FlowMethod::push_relabel});
  MaxFlow handed(graph, terminals.source, terminals.sink);
  const MaxFlowReport expected = whole.solve({}), found = handed.solve({});
  CHECK(found.used == FlowMethod::push_relabel);
  CHECK(found.flow == expected.flow);
  CHECK(found.cut == expected.flow);
  for (const CutSide which : {CutSide::smallest_source, CutSide::largest_source})
    CHECK(handed.source_side(which) == whole.source_side(which));
}

TEST_CASE("automatic says what it took, and a run that is stopped throws") {
  const Graph graph = grid_graph(30, 30);
  const Terminals terminals = between(900, 0, 899);
  MaxFlow problem(graph, terminals.source, terminals.sink);
  const MaxFlowReport found = problem.solve({});
  CHECK(found.flow == 2.0);
  CHECK(found.used != FlowMethod::automatic);
  const std::atomic<bool> cancel = true;
  RunContext stopped;
  stopped.cancel = &cancel;
  for (const FlowMethod method : methods) {
    const Graph large = grid_graph(200, 200);
    const Terminals ends = between(40000, 0, 39999);
    MaxFlow never(large, ends.source, ends.sink, {.method = method});
    const auto error = error_of([&] { never.solve(stopped); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::cancelled);
    CHECK(never.solve({}).flow == 2.0);  // what it had done was sound
  }
}

TEST_CASE("wrong capacities are refused") {
  const Graph graph = path_graph(2);
  const auto refused = [&](std::vector<double> source, std::vector<double> sink) {
    const auto error = error_of([&] { MaxFlow(graph, source, sink); });
    return error && error->code() == ErrorCode::bad_data;
  };
  CHECK_FALSE(refused({1, 0}, {0, 1}));
  CHECK(refused({1}, {0, 1}));
  CHECK(refused({1, -1}, {0, 1}));
  CHECK(refused({1, std::nan("")}, {0, 1}));
  CHECK(refused({infinite, 0}, {infinite, 1}));
  CHECK(refused({1.5e308, 0}, {0, 1.5e308}));
  const std::vector<double> source = {infinite, 0}, sink = {0, 1};
  MaxFlow problem(graph, source, sink);
  CHECK(error_of([&] { problem.add(0, 0.0, infinite); }));
  CHECK(error_of([&] { problem.add(2, 0.0, 1.0); }));
  CHECK(error_of([&] { problem.add(1, -1.0, 0.0); }));
  for (const double value : {-1.0, infinite, std::nan("")})
    CHECK(error_of([&] { problem.set_capacity(0, value); }));
  CHECK(error_of([&] { problem.set_capacity(2, 1.0); }));
  CHECK(error_of([&] { problem.set_capacity(-1, 1.0); }));
  CHECK(error_of([] { parse_flow_method("dinic"); }));
  CHECK(parse_flow_method("push-relabel") == FlowMethod::push_relabel);
}
