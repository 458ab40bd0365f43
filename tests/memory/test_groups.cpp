// Ten classes on a social network take little beside it: no copy of the graph, and a few columns at
// a time.
#include <string>

#include "gssl/graph/generators.hpp"
#include "memory_runs.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;

constexpr int classes = 10;

std::string edge_lines(const Graph& graph) {
  std::string lines;
  for (VertexId v = 0; v < graph.vertex_count(); ++v)
    for (const VertexId u : graph.neighbors(v))
      if (u > v) lines += std::to_string(v) + '\t' + std::to_string(u) + '\n';
  return lines;
}

// Fifty of each class, from one end of the network to the other.
std::string label_lines(const Graph& graph) {
  std::string lines;
  int count = 0;
  for (VertexId v = 0; v < graph.vertex_count(); v += graph.vertex_count() / 700) {
    if (graph.degree(v) == 0 || count == 50 * classes) continue;
    lines += std::to_string(v) + "\tclass" + std::to_string(count++ % classes) + '\n';
  }
  return lines;
}

}  // namespace

TEST_CASE("ten classes on a social network take no more than half of the network beside it",
          "[memory][large]") {
  Rng rng(11);
  const Graph graph = rmat_graph(18, 13, rng);
  const test::GridFiles files(edge_lines(graph), label_lines(graph));
  REQUIRE(files.run("convert g g.gssl").status == 0);
  for (const char* method : {"auto", "harmonic"}) {
    INFO(method);
    const test::Run run = files.run(std::string("label g.gssl l --method ") + method);
    REQUIRE(run.status == 0);
    const auto n = run.summary["n"].get<double>(), m = run.summary["m"].get<double>();
    CHECK(m > 2.5e6);
    CHECK(run.peak() <= 1.5 * (8.0 * n + 24.0 * m));
  }
  // A factor does not fit below this; sweeps do, and save two steps of three.
  const test::Run swept = files.run("label g.gssl l --max-memory 190M");
  REQUIRE(swept.status == 0);
  CHECK_THAT(swept.summary["solver"]["sentence"].get<std::string>(), Catch::Contains("swept"));
  CHECK(swept.peak() < 190.0 * 1024 * 1024);
}
