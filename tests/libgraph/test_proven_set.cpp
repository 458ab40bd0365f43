// A set grown by flows beside all cuts tried: it is parted by none below the threshold, and when it
// holds all vertices the threshold is the global minimum cut.

#include <atomic>

#include "cut_support.hpp"
#include "flow/proven_set.hpp"
#include "gssl/graph/components.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;
using flow::MergedRows, flow::ProvenSet, flow::rows_of;

namespace {

double least_degree(const Graph& graph) {
  double least = infinite;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    least = std::min(least, graph.weighted_degree(v));
  return least;
}

// Calls body(side, cut) for every cut.
template <class Body>
void each_cut(const Graph& graph, Body&& body) {
  const auto n = static_cast<unsigned>(graph.vertex_count());
  for (std::uint32_t side = 1; side < (1U << (n - 1)); ++side) body(side, boundary(graph, side));
}

bool parts(std::uint32_t side, const std::vector<VertexId>& members) {
  std::size_t inside = 0;
  for (const VertexId v : members) inside += holds(side, v) ? 1 : 0;
  return inside > 0 && inside < members.size();
}

}  // namespace

TEST_CASE("a set grown by flows over the whole graph ends at the global minimum cut") {
  int improved = 0;
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    CAPTURE(seed);
    Rng rng(seed, 5);
    const VertexId n = 3 + static_cast<VertexId>(rng.below(7));
    const Graph graph =
        integer_graph(n, static_cast<int>(3 + rng.below(30)), seed, seed % 3 == 0 ? 1000 : 3);
    if (connected_components(graph).count > 1) continue;
    double best = infinite;
    each_cut(graph, [&](std::uint32_t, double cut) { best = std::min(best, cut); });
    const MergedRows rows = rows_of(graph);
    ProvenSet set(rows, least_degree(graph));
    set.grow(static_cast<VertexId>(rng.below(static_cast<std::uint64_t>(n))), 1'000'000'000, {});
    if (set.members().size() != static_cast<std::size_t>(n)) FAIL("not all are in");
    if (set.threshold() != best) FAIL("threshold " << set.threshold() << ", best " << best);
    if (set.side().empty()) continue;
    ++improved;
    std::uint32_t side = 0;
    for (VertexId v = 0; v < n; ++v)
      if (set.side()[static_cast<std::size_t>(v)] != 0) side |= 1U << static_cast<unsigned>(v);
    if (boundary(graph, side) != best) FAIL("the side costs " << boundary(graph, side));
  }
  CHECK(improved > 30);  // cuts of several vertices on either side were met
}

TEST_CASE("a set whose growth is stopped early is parted by no cut below the threshold") {
  std::size_t stopped = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    const Graph graph = integer_graph(9, 20, seed, 3);
    if (connected_components(graph).count > 1) continue;
    const MergedRows rows = rows_of(graph);
    const double asked = least_degree(graph);
    ProvenSet set(rows, asked);
    set.grow(0, static_cast<std::int64_t>(seed % 60), {});
    stopped += set.members().size() < 9 ? 1 : 0;
    each_cut(graph, [&](std::uint32_t side, double cut) {
      if (cut < set.threshold() && parts(side, set.members()))
        FAIL("cut " << cut << " below " << set.threshold());
    });
  }
  CHECK(stopped > 30);
}

TEST_CASE("a stopped run ends the growth of a set") {
  std::vector<Edge> edges;
  constexpr VertexId n = 40000;
  for (VertexId v = 0; v < n; ++v)
    for (const VertexId step : {1, 2}) edges.push_back({v, (v + step) % n, 1.0});
  const Graph ring = graph_from_edges(n, edges);
  const MergedRows rows = rows_of(ring);
  const std::atomic<bool> cancel = true;
  RunContext run;
  run.cancel = &cancel;
  ProvenSet set(rows, 4.0);
  const auto error = error_of([&] { set.grow(0, 1'000'000'000, run); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::cancelled);
}
