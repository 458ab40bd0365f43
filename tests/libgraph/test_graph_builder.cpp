#include <cmath>
#include <map>
#include <thread>

#include "gssl/core/rng.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

namespace {

using namespace gssl;
using gssl::test::error_of;

Graph slow_graph(VertexId n, const std::vector<Edge>& edges, DuplicatePolicy policy) {
  struct Seen {
    std::vector<double> forward, backward;
    double first = 0.0;
  };
  std::map<std::pair<VertexId, VertexId>, Seen> seen;
  for (const auto& [u, v, w] : edges) {
    if (u == v) continue;
    Seen& pair = seen[{std::min(u, v), std::max(u, v)}];
    if (pair.forward.empty() && pair.backward.empty()) pair.first = w;
    (u < v ? pair.forward : pair.backward).push_back(w);
  }
  std::vector<std::map<VertexId, double>> rows(static_cast<std::size_t>(n));
  for (auto& [ends, pair] : seen) {
    double sum[2] = {0, 0}, largest = 0;
    for (auto* side : {&pair.forward, &pair.backward})
      for (const double w : *side) {
        sum[side == &pair.backward] += w;
        largest = std::max(largest, w);
      }
    const double weight = policy == DuplicatePolicy::sum   ? std::max(sum[0], sum[1])
                          : policy == DuplicatePolicy::max ? largest
                                                           : pair.first;
    rows[static_cast<std::size_t>(ends.first)][ends.second] = weight;
    rows[static_cast<std::size_t>(ends.second)][ends.first] = weight;
  }
  std::vector<EdgeIndex> offsets{0};
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  for (const auto& row : rows) {
    for (const auto& [v, w] : row) {
      neighbors.push_back(v);
      weights.push_back(w);
    }
    offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
  }
  return Graph(offsets, neighbors, weights);
}

// Weights are multiples of 1/4, so that sums are exact in any order. Vertex 0 gets a long row.
std::vector<Edge> random_list(VertexId n, int count, bool weighted, Rng& rng) {
  std::vector<Edge> list;
  const auto size = static_cast<std::uint64_t>(n);
  for (int i = 0; i < count; ++i) {
    const auto u = i % 3 == 0 ? 0 : static_cast<VertexId>(rng.below(size));
    const auto v = static_cast<VertexId>(rng.below(size));
    const double w = weighted ? 0.25 * static_cast<double>(1 + rng.below(12)) : 1.0;
    list.push_back(rng.below(2) == 0 ? Edge{u, v, w} : Edge{v, u, w});
  }
  return list;
}

TEST_CASE("an edge with a wrong weight or an unknown vertex is refused by name") {
  const double nan = std::nan(""), infinity = HUGE_VAL;
  const Edge wrong[] = {{1, 2, nan},  {1, 2, infinity}, {1, 2, -infinity}, {1, 2, -1.25},
                        {1, 2, 0.0},  {1, 1, nan},      {1, 3, 1.0},       {-1, 2, 1.0},
                        {1, -7, 2.0}, {5, 5, 1.0}};
  for (const DuplicatePolicy policy : {DuplicatePolicy::sum, DuplicatePolicy::first})
    for (const auto& [u, v, w] : wrong) {
      GraphBuilder builder(3, {.duplicates = policy});
      builder.add(0, 1, 2.0);
      builder.add(1, 2, 2.0);
      const auto error = error_of([&, u = u, v = v, w = w] {
        builder.add(u, v, w);
        static_cast<void>(std::move(builder).finish());
      });
      CAPTURE(u, v, w);
      REQUIRE(error.has_value());
      CHECK(error->code() == ErrorCode::bad_data);
      const std::string message = error->what();
      CHECK(message.find("edge " + std::to_string(u) + " " + std::to_string(v)) !=
            std::string::npos);

      GraphBuilder walks(3, {.duplicates = policy});
      const auto again = error_of([&, u = u, v = v, w = w] {
        walks.count(u, v);
        walks.begin_placing(true);
        walks.place(u, v, w);
      });
      REQUIRE(again.has_value());
      CHECK(again->code() == ErrorCode::bad_data);
    }
}

TEST_CASE("the builder equals a map of sets on random edge lists under every policy") {
  Rng rng(7);
  for (int trial = 0; trial < 60; ++trial) {
    const VertexId n = 2 + static_cast<VertexId>(rng.below(120));
    const auto list = random_list(n, 400, trial % 2 == 0, rng);
    for (const auto policy : {DuplicatePolicy::sum, DuplicatePolicy::max, DuplicatePolicy::first})
      CHECK(graph_from_edges(n, list, {policy}) == slow_graph(n, list, policy));
  }
}

TEST_CASE("any number of threads and any order of placing give the same graph") {
  Rng rng(8);
  const VertexId n = 9000;
  std::vector<Edge> list = random_list(n, 60000, true, rng);
  for (Edge& edge : list) edge.weight = rng.uniform() + 0.1;  // sums depend on the order of adding
  const Graph expected = graph_from_edges(n, list);
  shuffle(list, rng);
  CHECK(graph_from_edges(n, list) == expected);

  GraphBuilder builder(n);
  const auto walk = [&](auto body) {
    std::vector<std::thread> workers;
    for (std::size_t t = 0; t < 4; ++t)
      workers.emplace_back([&, t] {
        for (std::size_t i = t; i < list.size(); i += 4) body(list[i]);
      });
    for (auto& worker : workers) worker.join();
  };
  walk([&](const Edge& e) { builder.count_shared(e.u, e.v); });
  builder.begin_placing(true);
  walk([&](const Edge& e) { builder.place_shared(e.u, e.v, e.weight); });
  CHECK(std::move(builder).finish(4) == expected);
}

TEST_CASE("edges added in one walk give the graph of two walks under every policy") {
  Rng rng(9);
  const auto policy = GENERATE(DuplicatePolicy::sum, DuplicatePolicy::max, DuplicatePolicy::first);
  const bool weighted = GENERATE(false, true);
  // More edges than are kept in one piece, and weights only in the last of them.
  std::vector<Edge> list = random_list(6000, 100000, false, rng);
  const std::vector<Edge> tail = random_list(6000, 50000, weighted, rng);
  list.insert(list.end(), tail.begin(), tail.end());
  const Graph expected = slow_graph(6000, list, policy);
  for (const int threads : {1, 2}) {
    GraphBuilder builder(0, {.duplicates = policy});
    for (const Edge& e : list) builder.add(e.u, e.v, e.weight);
    builder.grow(6000);
    CHECK(std::move(builder).finish(threads) == expected);
    CHECK(builder.counts().edges_given == 150000);
  }
}

TEST_CASE("rows made in buckets are those of two walks, with hubs and with empty buckets") {
  Rng rng(10);
  const auto opposite = GENERATE(OppositeArcs::automatic, OppositeArcs::sum, OppositeArcs::mean);
  const bool weighted = GENERATE(false, true);
  const VertexId n = 70'000;
  // One hub in front, one at the end, nobody from 20,000 on but the end, and many edges twice.
  std::vector<Edge> list = random_list(20'000, 120'000, weighted, rng);
  for (VertexId v = 0; v < 20'000; ++v) list.push_back({n - 1, v, weighted ? 0.5 : 1.0});
  const std::vector<Edge> again(list.begin(), list.begin() + 30'000);
  list.insert(list.end(), again.begin(), again.end());
  GraphBuilder walks(n, {.opposite = opposite});
  for (const Edge& e : list) walks.count(e.u, e.v);
  walks.begin_placing(weighted);
  for (const Edge& e : list) walks.place(e.u, e.v, e.weight);
  const Graph expected = std::move(walks).finish();
  std::vector<VertexId> ends;
  std::vector<double> weights;
  for (const Edge& e : list) {
    ends.insert(ends.end(), {e.u, e.v});
    if (weighted) weights.push_back(e.weight);
  }
  for (const int threads : {1, 3}) {
    GraphBuilder builder(n, {.opposite = opposite});
    builder.add(ends, weights);
    CHECK(std::move(builder).finish(threads) == expected);
    // NOLINTBEGIN(bugprone-use-after-move): finish() leaves the counts
    CHECK(builder.counts().edges_given == walks.counts().edges_given);
    CHECK(builder.counts().self_loops_dropped == walks.counts().self_loops_dropped);
    CHECK(builder.counts().duplicates_merged == walks.counts().duplicates_merged);
    CHECK(builder.counts().reversed_merged == walks.counts().reversed_merged);
    CHECK(builder.counts().opposite_differ == walks.counts().opposite_differ);
    // NOLINTEND(bugprone-use-after-move)
  }
}

TEST_CASE("a vertex that the builder has no room for is refused") {
  GraphBuilder builder(2);
  builder.add(0, 2);
  CHECK(error_of([&] { std::move(builder).finish(); })->code() == ErrorCode::bad_data);
}

TEST_CASE("what was dropped and merged is counted") {
  GraphBuilder builder(3);
  const std::vector<Edge> list = {{0, 1}, {0, 1}, {1, 0}, {2, 2}, {1, 2}};
  for (const Edge& e : list) builder.count(e.u, e.v);
  builder.begin_placing(false);
  for (const Edge& e : list) builder.place(e.u, e.v);
  const Graph graph = std::move(builder).finish();
  CHECK(builder.counts().edges_given == 5);
  CHECK(builder.counts().self_loops_dropped == 1);
  CHECK(builder.counts().duplicates_merged == 1);
  CHECK(builder.counts().reversed_merged == 1);
  CHECK(graph.weight(0, 1) == 2.0);
  CHECK(graph.weight(1, 2) == 1.0);
}

TEST_CASE("both directions of every edge make a graph with unit weights and no spare memory") {
  std::vector<Edge> list;
  for (VertexId v = 1; v < 5000; ++v) {
    list.push_back({v - 1, v});
    list.push_back({v, v - 1});
  }
  const Graph graph = graph_from_edges(5000, list);
  CHECK(graph.has_unit_weights());
  CHECK(graph.edge_count() == 4999);
  CHECK(graph.memory_bytes() <= 8 * 5002 + 8 * 4999);
}

TEST_CASE("duplicates are refused under the error policy, equal directions are not") {
  const GraphBuilderOptions strict{DuplicatePolicy::error};
  CHECK(graph_from_edges(2, {{0, 1, 2.0}, {1, 0, 2.0}}, strict).weight(0, 1) == 2.0);
  const auto twice = error_of([&] { graph_from_edges(9, {{7, 3}, {7, 3}}, strict); });
  REQUIRE(twice);
  CHECK(twice->code() == ErrorCode::bad_data);
  CHECK(std::string(twice->what()).find("edge 3 7") != std::string::npos);
  CHECK(error_of([&] { graph_from_edges(2, {{0, 1, 2.0}, {1, 0, 3.0}}, strict); }));
}

TEST_CASE("a merged weight that overflows is refused") {
  const auto error = error_of([] { graph_from_edges(2, {{0, 1, 1e308}, {0, 1, 1e308}}); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
}

TEST_CASE("a second walk with other edges is noticed") {
  GraphBuilder builder(4);
  builder.count(0, 1);
  builder.count(2, 3);
  builder.begin_placing(false);
  builder.place(0, 1);
  builder.place(0, 3);
  const auto error = error_of([&] { std::move(builder).finish(); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
}

TEST_CASE("vertices may appear during the first walk") {
  GraphBuilder builder(0);
  builder.grow(2);
  builder.count(0, 1);
  builder.grow(5);
  builder.count(4, 1);
  builder.begin_placing(false);
  builder.place(0, 1);
  builder.place(4, 1);
  CHECK(std::move(builder).finish() == graph_from_edges(5, {{0, 1}, {1, 4}}));
  CHECK(error_of([&] { GraphBuilder(3).grow(2); })->code() == ErrorCode::usage);
}

TEST_CASE("edge lists in memory are checked") {
  CHECK(error_of([] { GraphBuilder(-1); })->code() == ErrorCode::usage);
  for (const Edge& bad : {Edge{0, 2, 1}, Edge{-1, 0, 1}, Edge{0, 1, 0}, Edge{0, 1, -1},
                          Edge{0, 1, NAN}, Edge{0, 1, INFINITY}}) {
    const auto error = error_of([&] { graph_from_edges(2, {bad}); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
  CHECK(graph_from_edges(0, {}) == Graph());
}

}  // namespace

TEST_CASE("an error about an edge says which it is") {
  GraphBuilder builder(3, {.opposite = OppositeArcs::error});
  builder.add(2, 1, 1.0);
  builder.add(1, 2, 2.0);
  bool thrown = false;
  try {
    std::move(builder).finish();
  } catch (const EdgeError& error) {
    thrown = true;
    CHECK(error.code() == ErrorCode::bad_data);
    CHECK(error.u() == 1);
    CHECK(error.v() == 2);
  }
  CHECK(thrown);
}
