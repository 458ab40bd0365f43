#include "gssl/io/graph_writer.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

std::string written(const GraphFile& file, GraphFormat format,
                    TableFormat table = TableFormat::tsv) {
  TemporaryDirectory directory;
  const std::string path = (directory.path() / "out").string();
  OutputFile out(path);
  write_graph(out, file.graph, file.names, format, table);
  out.commit();
  return read_file(path);
}

}  // namespace

TEST_CASE("An edge list written and read again is the same graph with the same names") {
  const TableFormat table = GENERATE(TableFormat::tsv, TableFormat::csv);
  const bool weighted = GENERATE(false, true);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::string text = random_edges(60, 50, weighted, "n", seed);
    text +=
        "#gssl-vertex\tlonely\n#gssl-vertex\t\"a, b\"\n#gssl-vertex\t\"#c\"\n#gssl-vertex\tu\n"
        "#gssl-vertex\t\"say \"\"x\"\"\"\n#gssl-vertex\t\"\"\n";
    const GraphFile file = read_text(text);
    const std::string first = written(file, GraphFormat::edge_list, table);
    const GraphFile again = read_text(first);
    INFO(first);
    CHECK(again.graph == file.graph);
    CHECK(described(again) == described(file));
  }
}

TEST_CASE("Awkward ids survive as ends of edges") {
  for (const TableFormat table : {TableFormat::tsv, TableFormat::csv}) {
    const GraphFile file =
        read_text("\"u\"\t\"v\"\n\"# a\"\t\"b,c\"\n\"say \"\"x\"\"\"\t\" d \"\nv\tu\n\"\"\t%p\n");
    REQUIRE(file.graph.vertex_count() == 8);
    CHECK(described(read_text(written(file, GraphFormat::edge_list, table))) == described(file));
  }
}

TEST_CASE("Isolated vertices are announced and counted") {
  const GraphFile file = read_text("1 2\n#gssl-vertex\t9\n#gssl-vertex\t8\n");
  TemporaryDirectory directory;
  const std::string path = (directory.path() / "out").string();
  OutputFile out(path);
  CHECK(write_graph(out, file.graph, file.names, GraphFormat::edge_list) == 2);
  out.commit();
  CHECK(read_file(path) == "u\tv\n1\t2\n#gssl-vertex\t9\n#gssl-vertex\t8\n");
}

TEST_CASE("Matrix Market and METIS written and read again are the same graph") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const GraphFile real = read_text(random_edges(40, 70, true, "", seed));
    CHECK(read_text(written(real, GraphFormat::matrix_market)).graph == real.graph);
    const GraphFile unit =
        read_text(random_edges(40, 30, false, "", seed), {.duplicates = DuplicatePolicy::max});
    CHECK(read_text(written(unit, GraphFormat::matrix_market)).graph == unit.graph);
    CHECK(read_text(written(unit, GraphFormat::metis), {}, 1, "a.graph").graph == unit.graph);
    const GraphFile counted = read_text(random_edges(9, 70, false, "", seed));
    CHECK(read_text(written(counted, GraphFormat::metis), {}, 1, "a.graph").graph == counted.graph);
  }
}

TEST_CASE("Names travel through Matrix Market and METIS, whatever they hold") {
  GraphFile file = read_text("0 1\n1 2\n2 3\n3 4\n4 5\n5 6\n");
  file.names = VertexNames();
  for (const char* name :
       {" a b ", "say \"x\"", "two\nlines\r", "%c", "back\\slash\\x20", "", "\tt"})
    file.names.insert(name);
  for (const GraphFormat format : {GraphFormat::matrix_market, GraphFormat::metis}) {
    const std::string text = written(file, format);
    INFO(text);
    const GraphFile again = read_text(text, {.format = format});
    CHECK(again.graph == file.graph);
    CHECK(described(again) == described(file));
    CHECK(again.stats.names_given);
    CHECK(written(again, format) == text);
    std::string crlf;
    for (const char c : text) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    CHECK(described(read_text(crlf, {.format = format})) == described(file));
  }
  const GraphFile numbered = read_text("1 2\n2 3\n");
  CHECK(written(numbered, GraphFormat::metis) == "3 2\n2\n1 3\n2\n");
  CHECK_FALSE(read_text("3 2\n2\n1 3\n2\n", {.format = GraphFormat::metis}).stats.names_given);
}

TEST_CASE("Names in comments are all there, differ and are well written") {
  const std::string banner = "%%MatrixMarket matrix coordinate pattern symmetric\n";
  CHECK(described(read_text(banner + "%gssl-vertex\tb\n% c\n%gssl-vertex\ta\n2 2 1\n2 1\n")) ==
        "b a\nb a 1\n");
  CHECK_THAT(message_of(banner + "%gssl-vertex\ta\n2 2 1\n2 1\n"),
             Contains("edges.txt:2: 1 names"));
  CHECK_THAT(message_of(banner + "%gssl-vertex\ta\n%gssl-vertex\ta\n2 2 1\n2 1\n"),
             Contains("edges.txt:3: vertex name 'a'"));
  CHECK_THAT(message_of(banner + "%gssl-vertex\ta\\n\n%gssl-vertex\ta\n2 2 1\n2 1\n"),
             Contains("edges.txt:2: name 'a\\n'"));
  CHECK(described(read_text(banner + "%gssl-vertexes\ta\n2 2 1\n2 1\n")) == "1 2\n1 2 1\n");
}

TEST_CASE("METIS refuses weights that are not integers") {
  const GraphFile file = read_text("a b 1.5\n");
  const auto error = error_of([&] { written(file, GraphFormat::metis); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Contains("1.5"));
}

TEST_CASE("An edge list refuses an id with a line end, and JSON lines") {
  GraphFile file = read_text("a b\n");
  VertexNames names;
  names.insert("a\nb");
  names.insert("c");
  file.names = names;
  CHECK(error_of([&] { written(file, GraphFormat::edge_list); }).has_value());
  const auto error = error_of([&] { written(file, GraphFormat::edge_list, TableFormat::jsonl); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::usage);
}
