#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {
GraphFile metis(const std::string& text) { return read_text(text, {}, 1, "a.graph"); }
std::string metis_error(const std::string& text) { return message_of(text, {}, "a.graph"); }
}  // namespace

TEST_CASE("METIS files are read with and without weights") {
  CHECK(described(metis("3 2\n2 3\n1\n1\n")) == "1 2 3\n1 2 1\n1 3 1\n");
  CHECK(described(metis("% c\n3 1\n2\n% c\n1\n\n")) == "1 2 3\n1 2 1\n");  // vertex 3 is isolated
  CHECK(described(metis("2 1 1\n2 5\n1 5\n")) == "1 2\n1 2 5\n");
  CHECK(described(metis("2 1 011 2\n9 9 2 5\n9 9 1 5\n")) == "1 2\n1 2 5\n");
  CHECK(described(metis("2 1 100\n7 2\n7 1\n")) == "1 2\n1 2 1\n");
  const GraphFile loop = metis("2 1\n1 2\n1\n");
  CHECK(loop.stats.self_loops_dropped == 1);
  CHECK(loop.graph.edge_count() == 1);
}

TEST_CASE("Bad METIS files are refused with their line") {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"", "a.graph:1: no head line"},
      {"x 1\n", "a.graph:1: number of vertices 'x'"},
      {"2 1 7\n", "a.graph:1: format '7'"},
      {"2 2\n2\n1\n", "a.graph:1: 2 edges on the head line; 2 neighbors"},
      {"2 1\n2\n", "a.graph:2: 1 vertex lines; the head line says 2"},
      {"2 1\n2\n1\n1\n", "a.graph:4: a line after the last vertex"},
      {"2 1\n3\n1\n", "a.graph:2: neighbor 3; expected an integer from 1 to 2"},
      {"2 1 1\n2\n1 1\n", "a.graph:2: neighbor 2 has no weight"},
      {"2 1 1\n2 4\n1 5\n", "a.graph:3: edge 2 1 is repeated, or differs"},
      {"3 1\n2\n3\n\n", "a.graph:3: "},
      {"2 2\n2 2\n1 1\n", "a.graph:2: edge 1 2 is repeated"},
      {"2147483647 0\n", "a.graph:1: 2147483647 vertices"},
      {"%gssl-vertex\tx\n%gssl-vertex\ty\n2 2\n2 2\n1 1\n", "a.graph:4: edge 1 (x) 2 (y)"},
      {"2 1 10\nx 2\n1 1\n", "a.graph:2: vertex weight or size 'x'"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK_THAT(metis_error(c.text), Contains(c.message));
  }
}

TEST_CASE("METIS sample graphs have the size their head line says") {
  struct Sample {
    const char* path;
    VertexId n;
    EdgeIndex m;
  };
  for (const Sample& sample : {Sample{"data/graphs/metis/lesmis.graph", 77, 254},
                               Sample{"data/graphs/metis/jazz.graph", 198, 2742}}) {
    const auto path = shared_path(sample.path);
    if (!path) {
      WARN("skipped: ../shared is absent");
      return;
    }
    const GraphFile file = read_graph(path->string(), {}, RunContext{});
    CHECK(file.graph.vertex_count() == sample.n);
    CHECK(file.graph.edge_count() == sample.m);
    CHECK(file.stats.format == "metis");
  }
}
