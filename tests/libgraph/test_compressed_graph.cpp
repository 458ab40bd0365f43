// Rows of gaps: the same graph as plain rows, and whatever is damaged is refused.

#include "gssl/core/rng.hpp"
#include "gssl/graph/compressed_graph.hpp"
#include "gssl/graph/generators.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

Graph random_graph(VertexId n, int edges, double weight_step, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Edge> list;
  for (int e = 0; e < edges; ++e) {
    const auto u = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    const auto v = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    const double weight = weight_step == 0.0 ? 1.0 : 1.0 + weight_step * rng.uniform();
    if (u != v) list.push_back({u, v, weight});
  }
  return graph_from_edges(n, list, {.duplicates = DuplicatePolicy::max});
}

// Vertex 0 is tied to all others: a row of 2^17 bytes and more.
Graph star(VertexId n) {
  std::vector<Edge> list;
  for (VertexId v = 1; v < n; ++v) list.push_back({0, v, 1.0});
  return graph_from_edges(n, list);
}

void check_same(const Graph& graph) {
  RunContext run;
  run.threads = 2;
  const CompressedGraph small = CompressedGraph::of(graph);
  CHECK(small.vertex_count() == graph.vertex_count());
  CHECK(small.edge_count() == graph.edge_count());
  CHECK(small.has_unit_weights() == graph.has_unit_weights());
  CHECK(small.expand(run) == graph);
  CHECK(CompressedGraph(nullptr, small.rows(), run).expand(run) == graph);
  bool right = true;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    std::vector<std::pair<VertexId, double>> plain, packed;
    graph.visit_row(v, [&](VertexId u, double w) { plain.emplace_back(u, w); });
    small.visit_row(v, [&](VertexId u, double w) { packed.emplace_back(u, w); });
    right = right && plain == packed && small.degree(v) == graph.degree(v);
  }
  CHECK(right);
  const Components plain = connected_components(graph);
  const Components packed = connected_components(small, run);
  CHECK(plain.count == packed.count);
  CHECK(plain.of == packed.of);
  CHECK(plain.sizes == packed.sizes);
}

}  // namespace

TEST_CASE("compressed rows are the graph they were made of", "[compressed]") {
  check_same(Graph());
  check_same(graph_from_edges(1, {}));
  check_same(graph_from_edges(200, {}));
  check_same(grid_graph(37, 41));
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    check_same(random_graph(300, 200, 0.0, seed));
    check_same(random_graph(130, 2000, 1.0, seed));
  }
}

TEST_CASE("a hub of 2^17 neighbors and the rows beside it are found", "[compressed]") {
  check_same(star((1 << 17) + 2));
}

TEST_CASE("weights that are floats are kept as floats, others as doubles", "[compressed]") {
  const auto of = [](double weight) {
    return CompressedGraph::of(graph_from_edges(2, {{0, 1, weight}}));
  };
  CHECK(of(0.5).rows().float_weights.size() == 2);
  CHECK(of(0.5).rows().weights.empty());
  CHECK(of(0.1).rows().weights.size() == 2);
  CHECK(of(1.0).has_unit_weights());
}

TEST_CASE("neighbors near each other take a byte", "[compressed]") {
  const Graph grid = grid_graph(100, 100);
  const auto arcs = static_cast<std::size_t>(2 * grid.edge_count());
  CHECK(CompressedGraph::of(grid).rows().bytes.size() < arcs * 3 / 2 + 10000);
  CHECK(CompressedGraph::of(grid).memory_bytes() < grid.memory_bytes() / 2);
}

// Whatever one byte of the rows, the starts and the anchors becomes, what is not refused is walked
// without a step outside: every neighbor is a vertex.
TEST_CASE("damaged rows are refused or stay within the graph", "[compressed]") {
  const Graph graph = random_graph(70, 120, 0.0, 3);
  const CompressedGraph whole = CompressedGraph::of(graph);
  std::vector<std::uint8_t> bytes(whole.rows().bytes.begin(), whole.rows().bytes.end());
  int refused = 0;
  const auto attempt = [&](const CompressedRows& rows) {
    const auto error = error_of([&] {
      const CompressedGraph damaged(nullptr, rows);
      for (VertexId v = 0; v < 70; ++v)
        damaged.visit_row(v, [&](VertexId u, double) { REQUIRE((u >= 0 && u < 70 && u != v)); });
    });
    if (error) CHECK(error->code() == ErrorCode::bad_data);
    refused += error ? 1 : 0;
  };
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int bits : {1, 64, 128, 255}) {
      const auto flip = static_cast<std::uint8_t>(bits);
      bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ flip);
      CompressedRows rows = whole.rows();
      rows.bytes = bytes;
      attempt(rows);
      bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ flip);
    }
  }
  CHECK(refused > 100);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, bytes.size() - 1}) {
    CompressedRows rows = whole.rows();
    rows.bytes = rows.bytes.first(size);
    CHECK(error_of([&] { CompressedGraph(nullptr, rows); }));
  }
  for (const std::uint64_t byte :
       {std::uint64_t{1}, bytes.size() + 1, std::uint64_t{1} << 63, ~std::uint64_t{0}}) {
    std::vector<RowAnchor> anchors(whole.rows().anchors.begin(), whole.rows().anchors.end());
    anchors[1].byte = byte;
    CompressedRows rows = whole.rows();
    rows.anchors = anchors;
    CHECK(error_of([&] { CompressedGraph(nullptr, rows); }));
  }
}

TEST_CASE("components of compressed rows stop when the run does", "[compressed]") {
  const std::atomic<bool> cancel{true};
  RunContext run;
  run.cancel = &cancel;
  const auto error =
      error_of([&] { connected_components(CompressedGraph::of(grid_graph(20, 20)), run); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
}
