// Edges sorted on disk give the rows that edges in memory give, to the bit.

#include "gssl/core/rng.hpp"
#include "gssl/graph/spilling_graph_builder.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

struct Rows {
  std::vector<EdgeIndex> offsets = {0};
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  GraphBuilderCounts counts;
  bool on_disk = false;
};

Rows rows_of(VertexId n, const std::vector<Edge>& edges, const GraphBuilderOptions& options,
             std::size_t limit, int threads = 2) {
  Rows rows;
  SpillingGraphBuilder builder(options, limit);
  for (const auto& [u, v, weight] : edges) builder.add(u, v, weight);
  RunContext run;
  run.threads = threads;
  rows.on_disk = builder.on_disk();
  std::move(builder).finish(n, run, [&](const RowBlock& block) {
    CHECK(block.first == static_cast<VertexId>(rows.offsets.size()) - 1);
    const EdgeIndex base = rows.offsets.back();
    for (const EdgeIndex offset : block.offsets.subspan(1)) rows.offsets.push_back(base + offset);
    rows.neighbors.insert(rows.neighbors.end(), block.neighbors.begin(), block.neighbors.end());
    if (block.weights.empty())
      rows.weights.insert(rows.weights.end(), block.neighbors.size(), 1.0);
    else
      rows.weights.insert(rows.weights.end(), block.weights.begin(), block.weights.end());
  });
  // NOLINTNEXTLINE(bugprone-use-after-move): finish() leaves the counts
  rows.counts = builder.counts();
  return rows;
}

std::vector<Edge> random_edges(VertexId n, int count, bool weighted, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Edge> edges;
  for (int e = 0; e < count; ++e) {
    // Half of them at a hub.
    const auto u =
        e % 2 == 0 ? VertexId{3} : static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    const auto v = static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n)));
    edges.push_back({u, v, weighted ? 0.1 + rng.uniform() : 1.0});
    if (e % 5 == 0) edges.push_back({v, u, weighted ? 0.1 + rng.uniform() : 1.0});
  }
  return edges;
}

}  // namespace

TEST_CASE("edges sorted on disk are the graph of GraphBuilder, by every policy", "[spill]") {
  const bool weighted = GENERATE(false, true);
  const auto duplicates =
      GENERATE(DuplicatePolicy::sum, DuplicatePolicy::max, DuplicatePolicy::first);
  const auto opposite = GENERATE(OppositeArcs::automatic, OppositeArcs::sum, OppositeArcs::mean);
  const GraphBuilderOptions options{duplicates, opposite};
  for (const VertexId n : {5, 64, 65, 700}) {
    const std::vector<Edge> edges = random_edges(n, 2000, weighted, 7);
    GraphBuilder builder(n, options);
    for (const auto& [u, v, weight] : edges) builder.add(u, v, weight);
    const Graph graph = std::move(builder).finish();
    for (const std::size_t limit : {std::size_t{1}, std::size_t{20000}, std::size_t{0}}) {
      for (const int threads : {1, 2}) {
        const Rows rows = rows_of(n, edges, options, limit, threads);
        CHECK(rows.on_disk == (limit != 0));
        CHECK(std::ranges::equal(rows.offsets, graph.offset_array()));
        CHECK(std::ranges::equal(rows.neighbors, graph.neighbor_array()));
        if (graph.has_unit_weights())
          CHECK(std::ranges::all_of(rows.weights, [](double w) { return w == 1.0; }));
        else
          CHECK(std::ranges::equal(rows.weights, graph.weight_array()));
        // NOLINTNEXTLINE(bugprone-use-after-move): finish() leaves the counts
        const GraphBuilderCounts& expected = builder.counts();
        CHECK(rows.counts.edges_given == expected.edges_given);
        CHECK(rows.counts.self_loops_dropped == expected.self_loops_dropped);
        CHECK(rows.counts.duplicates_merged == expected.duplicates_merged);
        CHECK(rows.counts.reversed_merged == expected.reversed_merged);
        CHECK(rows.counts.opposite_differ == expected.opposite_differ);
      }
    }
  }
}

TEST_CASE("graphs without edges come out of a spilling builder, too", "[spill]") {
  CHECK(rows_of(0, {}, {}, 1).offsets.size() == 1);
  CHECK(rows_of(3, {}, {}, 1).offsets == std::vector<EdgeIndex>{0, 0, 0, 0});
  const Rows loops = rows_of(40, std::vector<Edge>(40, Edge{39, 39, 1.0}), {}, 1);
  CHECK(loops.on_disk);
  CHECK(loops.offsets == std::vector<EdgeIndex>(41, 0));
  CHECK(loops.counts.self_loops_dropped == 40);
}

TEST_CASE("what the policies refuse is refused on disk, naming the edge", "[spill]") {
  std::vector<Edge> edges(100, Edge{1, 2, 1.0});
  const auto error =
      error_of([&] { rows_of(3, edges, {.duplicates = DuplicatePolicy::error}, 1); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Catch::Contains("edge 1 2: given more than once"));
  CHECK(error_of([&] { rows_of(3, {{0, 1, -1.0}}, {}, 0); }));
}

TEST_CASE("sorting on disk stops when the run does", "[spill]") {
  const std::atomic<bool> cancel{true};
  RunContext run;
  run.cancel = &cancel;
  SpillingGraphBuilder builder({}, 1);
  for (VertexId v = 1; v < 100; ++v) builder.add(0, v);
  const auto error = error_of([&] { std::move(builder).finish(100, run, [](const RowBlock&) {}); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
}

TEST_CASE("a spill file says where it has no room", "[spill]") {
  SpillFile file;
  file.append(std::span<const int>(std::vector<int>{1, 2, 3}));
  CHECK(file.size() == 12);
  int second = 0;
  file.read(4, std::span<int>(&second, 1));
  CHECK(second == 2);
  const auto error = error_of([&] { file.require(std::uint64_t{1} << 62); });
  REQUIRE(error);
  CHECK_THAT(error->what(), Catch::Contains("name another folder by TMPDIR"));
  CHECK(error_of([&] { file.read(8, std::span<int>(&second, 1)); }) == std::nullopt);
  CHECK(error_of([&] { file.read(12, std::span<int>(&second, 1)); }));
}
