// Edges that come and go in a graph that is there.

#include <map>

#include "gssl/core/error.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "gssl/graph/graph_changes.hpp"
#include "support/catch.hpp"

using namespace gssl;

namespace {

using Edges = std::map<std::pair<VertexId, VertexId>, double>;

Edges edges_of(const Graph& graph) {
  Edges edges;
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v) edges[{u, v}] = w;
    });
  return edges;
}

}  // namespace

TEST_CASE("changes make the graph that a map of its edges makes", "[changes]") {
  Rng rng(5);
  const Graph before = grid_graph(12, 9);
  for (int round = 0; round < 20; ++round) {
    const VertexId n = before.vertex_count() + round % 3;
    Edges edges = edges_of(before);
    std::map<std::pair<VertexId, VertexId>, double> changed;
    for (int i = 0; i < 40; ++i) {
      const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
      const auto v = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
      if (u == v) continue;
      changed[{std::min(u, v), std::max(u, v)}] =
          round == 0 ? static_cast<double>(i % 2) : static_cast<double>(i % 3) * 0.5;
    }
    std::vector<EdgeChange> changes;
    for (const auto& [pair, w] : changed) {
      changes.push_back({pair.second, pair.first, w});
      edges[pair] = w;
      if (w == 0.0) edges.erase(pair);
    }
    const Graph after = with_changes(before, n, changes);
    CHECK(after.vertex_count() == n);
    CHECK(edges_of(after) == edges);
    // Checked rows: ascending, symmetric.
    const Graph checked({after.offset_array().begin(), after.offset_array().end()},
                        {after.neighbor_array().begin(), after.neighbor_array().end()},
                        {after.weight_array().begin(), after.weight_array().end()});
    CHECK(checked == after);
    CHECK(after.has_unit_weights() == (round == 0));
  }
  CHECK(with_changes(before, before.vertex_count(), {}) == before);
}

TEST_CASE("changes that name no edge are refused", "[changes]") {
  const Graph graph = grid_graph(2, 2);
  const auto refused = [&](std::vector<EdgeChange> changes) {
    CHECK_THROWS_AS(with_changes(graph, 4, changes), Error);
  };
  refused({{0, 4, 1.0}});
  refused({{-1, 2, 1.0}});
  refused({{1, 1, 1.0}});
  refused({{0, 1, -1.0}});
  refused({{0, 1, std::numeric_limits<double>::quiet_NaN()}});
  refused({{0, 1, 2.0}, {1, 0, 2.0}});
  CHECK_THROWS_AS(with_changes(graph, 3, {}), Error);
}
