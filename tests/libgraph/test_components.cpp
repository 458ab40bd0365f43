#include "gssl/core/rng.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/induced_subgraph.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;

// 0 − 3    1    2 − 4 − 5
TEST_CASE("components are numbered by their smallest vertex") {
  const Components c = connected_components(graph_from_edges(6, {{0, 3}, {2, 4}, {5, 4}}));
  CHECK(c.count == 3);
  CHECK(c.of == std::vector<VertexId>{0, 1, 2, 0, 2, 2});
  CHECK(c.sizes == std::vector<VertexId>{2, 1, 3});
  CHECK(c.largest_size() == 3);
}

TEST_CASE("the graph with no vertices has no components") {
  const Components c = connected_components(Graph());
  CHECK(c.count == 0);
  CHECK(c.largest_size() == 0);
}

TEST_CASE("components equal those of repeated relabeling") {
  Rng rng(3);
  for (int trial = 0; trial < 20; ++trial) {
    std::vector<Edge> list;
    for (int i = 0; i < 45; ++i)
      list.push_back({static_cast<VertexId>(rng.below(60)), static_cast<VertexId>(rng.below(60))});
    const Components c = connected_components(graph_from_edges(60, list));
    std::vector<VertexId> smallest(60);
    for (VertexId v = 0; v < 60; ++v) smallest[static_cast<std::size_t>(v)] = v;
    for (int round = 0; round < 60; ++round)
      for (const Edge& e : list) {
        auto& a = smallest[static_cast<std::size_t>(e.u)];
        auto& b = smallest[static_cast<std::size_t>(e.v)];
        a = b = std::min(a, b);
      }
    VertexId fresh = 0;
    for (std::size_t v = 0; v < 60; ++v) {
      const auto root = static_cast<std::size_t>(smallest[v]);
      if (root == v) {
        CHECK(c.of[v] == fresh++);
      } else {
        CHECK(c.of[v] == c.of[root]);
      }
    }
    CHECK(c.count == fresh);
  }
}

TEST_CASE("a component is a graph of its own, with its rows, weights and vertices") {
  // 0-3 (2), 1 alone, 2-4 (5), 4-5 (7)
  const Graph graph = graph_from_edges(6, {{0, 3, 2.0}, {2, 4, 5.0}, {4, 5, 7.0}});
  const Components c = connected_components(graph);
  const ComponentGraph last = component_graph(graph, c, 2);
  CHECK(last.vertices == std::vector<VertexId>{2, 4, 5});
  CHECK(last.graph == graph_from_edges(3, {{0, 1, 5.0}, {1, 2, 7.0}}));
  CHECK(component_graph(graph, c, 1).graph == graph_from_edges(1, {}));
  const Graph unit = graph_from_edges(3, {{0, 2}});
  CHECK(component_graph(unit, connected_components(unit), 0).graph.has_unit_weights());
}

TEST_CASE("some vertices are a graph of their own, with the edges between them") {
  const Graph graph =
      graph_from_edges(6, {{0, 3, 2.0}, {2, 4, 5.0}, {4, 5, 7.0}, {0, 5, 1.0}, {2, 5, 3.0}});
  const std::vector<VertexId> some = {0, 2, 5}, others = {1, 3};
  InducedSubgraphs parts(graph);
  const Graph expected = graph_from_edges(3, {{0, 2, 1.0}, {1, 2, 3.0}});
  CHECK(parts(some) == expected);
  CHECK(parts(others) == graph_from_edges(2, {}));
  CHECK(parts(some) == expected);  // nothing is left of the part before
  CHECK(induced_subgraph(graph, {}).vertex_count() == 0);
  for (const std::vector<VertexId>& wrong : {std::vector<VertexId>{2, 0}, {2, 2}, {-1, 0}, {0, 6}})
    CHECK_THROWS_AS(parts(wrong), Error);
  CHECK(parts(some) == expected);
}

TEST_CASE("twenty thousand components are graphs of their own") {
  // Component c is the path c, c + 20000, c + 40000 with weights c + 1 and 2.
  constexpr VertexId count = 20'000;
  std::vector<Edge> edges;
  for (VertexId c = 0; c < count; ++c) {
    edges.push_back({c, c + count, c + 1.0});
    edges.push_back({c + count, c + 2 * count, 2.0});
  }
  const Graph graph = graph_from_edges(3 * count, edges);
  const Components components = connected_components(graph);
  REQUIRE(components.count == count);
  const ComponentGraphs parts(graph, components);
  std::int64_t wrong = 0;
  for (VertexId c = 0; c < count; ++c) {
    const ComponentGraph part = parts[c];
    if (part.vertices != std::vector<VertexId>{c, c + count, c + 2 * count} ||
        part.graph != graph_from_edges(3, {{0, 1, c + 1.0}, {1, 2, 2.0}}))
      ++wrong;
  }
  CHECK(wrong == 0);
}

}  // namespace
