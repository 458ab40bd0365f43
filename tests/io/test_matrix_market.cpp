#include "io_support.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

TEST_CASE("Matrix Market matrices are read as graphs") {
  const std::string head = "%%MatrixMarket matrix coordinate ";
  CHECK(described(read_text(head + "pattern symmetric\n% c\n3 3 2\n2 1\n3 1\n")) ==
        "1 2 3\n1 2 1\n1 3 1\n");
  CHECK(described(read_text(head + "integer symmetric\n\n2 2 1\r\n2 1 7\r\n")) == "1 2\n1 2 7\n");
  // General: both directions of an edge are one edge; the diagonal is dropped.
  const GraphFile file = read_text(
      "%%matrixmarket MATRIX Coordinate Real General\n3 3 4\n1 2 2\n2 1 2\n1 1 9\n2 3 0\n");
  CHECK(described(file) == "1 2 3\n1 2 2\n");
  CHECK(file.stats.reversed_merged == 1);
  CHECK(file.stats.self_loops_dropped == 1);
  CHECK(file.stats.zero_weights_dropped == 1);
  CHECK(file.stats.edges_given == 4);
  CHECK(file.stats.format == "matrix-market");
  CHECK(read_text(head + "pattern symmetric\n0 0 0\n").graph.vertex_count() == 0);
}

TEST_CASE("Bad Matrix Market files are refused with their line") {
  const std::string head = "%%MatrixMarket matrix coordinate real symmetric\n";
  struct Case {
    std::string text;
    const char* message;
  };
  const Case cases[] = {
      {"%%MatrixMarket matrix array real general\n", ":1: "},
      {"%%MatrixMarket matrix coordinate complex general\n", ":1: "},
      {"%%MatrixMarket matrix coordinate real\n", ":1: "},
      {head, ":1: no size line"},
      {head + "3 4 1\n", ":2: 3 rows and 4 columns; expected a square matrix"},
      {head + "3 3\n", ":2: size line '3 3'"},
      {head + "3 x 1\n", ":2: size x"},
      {head + "3000000000 3000000000 1\n", ":2: 3000000000 rows"},
      {head + "3 3 2\n2 1 1\n", ":3: 1 entries; the size line says 2"},
      {head + "3 3 1\n2 1 1\n3 1 1\n", ":4: 2 entries; the size line says 1"},
      {head + "3 3 1\n0 1 1\n", ":3: index 0; expected an integer from 1 to 3"},
      {head + "3 3 1\n4 1 1\n", ":3: index 4"},
      {head + "3 3 1\n2 1\n", ":3: 2 fields"},
      {head + "3 3 1\n2 1 -1\n", ":3: weight -1; must be > 0"},
  };
  for (const Case& c : cases) {
    INFO(c.text);
    CHECK_THAT(message_of(c.text), Contains(c.message));
  }
  CHECK_THAT(message_of("3 3 1\n", {}, "a.mtx"),
             Contains("a.mtx:1: ") && Contains("%%MatrixMarket"));
}

TEST_CASE("Every way through a line of a matrix gives the same entry") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n3 3 2\n";
  for (const char* body : {"1 2 0.5\n3 2 4\n", "1 2 0.5\r\n3 2 4\r\n", " 1\t2   0.5 \n3 2 4",
                           "01 2 +0.5\n3 2 4e0\n", "% c\n1 2 5e-1\n\n3 2 4\n"}) {
    INFO(body);
    CHECK(described(read_text(head + body)) == "1 2 3\n1 2 0.5\n2 3 4\n");
  }
}

TEST_CASE("A matrix of two kinds of vertices may be rectangular") {
  const std::string head = "%%MatrixMarket matrix coordinate real ";
  const std::string text = head + "general\n2 3 2\n1 3 0.5\n2 1 4\n";
  const GraphFile file = read_text(text, {.bipartite = true});
  CHECK(described(file) == "u:1 u:2 v:1 v:2 v:3\nu:1 v:3 0.5\nu:2 v:1 4\n");
  CHECK_THAT(message_of(text), Contains(":2: 2 rows and 3 columns") && Contains("bipartite"));
  CHECK_THAT(message_of(text + "1 4 1\n", {.bipartite = true}), Contains(":5: index 4"));
  CHECK_THAT(message_of(head + "symmetric\n2 2 0\n", {.bipartite = true}), Contains(":2: "));
  CHECK_THAT(message_of(head + "general\n2147483647 1 0\n", {.bipartite = true}),
             Contains(":2: 2147483647 rows"));
}

TEST_CASE("A matrix whose merged weight overflows names its vertices as the file does") {
  const std::string head = "%%MatrixMarket matrix coordinate real general\n";
  CHECK_THAT(message_of(head + "2 2 2\n1 2 1e308\n1 2 1e308\n"), Contains("edge 1 2: "));
  CHECK_THAT(message_of(head + "%gssl-vertex\tx\n%gssl-vertex\ty\n2 2 2\n1 2 1\n1 2 1\n",
                        {.duplicates = DuplicatePolicy::error}),
             Contains("edge x y: "));
}
