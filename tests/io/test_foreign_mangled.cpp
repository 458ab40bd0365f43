// Files of foreign formats that are cut short, lie about their sizes or nest without end.

#include <sstream>

#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using namespace std::string_literals;
using Catch::Contains;

namespace {

struct Case {
  std::string text;
  const char* line;  // "" where the message names none
  const char* message;
};

void check_refused(GraphFormat format, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    INFO(c.text.substr(0, 80));
    const auto error = error_of([&] { read_text(c.text, {.format = format}, 1, "x"); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    CHECK_THAT(error->what(), Contains(c.message));
    if (*c.line != '\0') CHECK_THAT(error->what(), Contains("x:"s + c.line + ": "));
  }
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

const std::string xml = "<?xml version=\"1.0\"?>\n";

}  // namespace

TEST_CASE("Mangled GraphML is refused with its line", "[formats]") {
  const std::string head =
      xml + "<graphml><key id=\"w\" for=\"edge\" attr.name=\"weight\"/>\n<graph>\n";
  const std::string nodes = "<node id=\"a\"/><node id=\"b\"/>\n";
  check_refused(
      GraphFormat::graphml,
      {{head + nodes, "5", "no XML"},
       {"", "1", "no XML"},
       {xml + "<graphml/>", "1", "<graph>"},
       {head + nodes + "<edge source=\"a\"/></graph></graphml>", "5", "without target"},
       {head + nodes + "<edge source=\"a\" target=\"c\"/></graph></graphml>", "5", "'c'"},
       {head + "<node id=\"a\"/><node id=\"a\"/></graph></graphml>", "4", "there again"},
       {head + nodes + "<edge source=\"a\" target=\"b\">\n<data key=\"w\">-2</data></edge>", "6",
        "must be > 0"},
       {head + nodes + "<edge source=\"a\" target=\"b\"><data key=\"w\"></data></edge>", "5",
        "weight"},
       {head + "<hyperedge/></graph></graphml>", "4", "hyperedge"},
       {head + repeated("<graph>", 100000), "4", "deeper than"},
       {xml + "<!DOCTYPE g [<!ENTITY a \"b\"><!ENTITY c \"&a;&a;\">]>\n<graphml>&c;</graphml>", "2",
        "entity"},
       {"<graphml>\0</graphml>"s, "1", "no XML"},
       {"<graphml>\xFF</graphml>", "1", "no XML"}});
}

TEST_CASE("Mangled GEXF is refused with its line", "[formats]") {
  const std::string head = xml + "<gexf><graph><nodes>\n<node id=\"1\" label=\"a\"/></nodes>\n";
  check_refused(
      GraphFormat::gexf,
      {{head, "4", "no XML"},
       {xml + "<gexf/>", "1", "<graph>"},
       {head + "<edges><edge source=\"1\" target=\"2\"/></edges></graph></gexf>", "4", "'2'"},
       {head + "<edges><edge target=\"2\"/></edges></graph></gexf>", "4", "without source"},
       {head + "<edges><edge source=\"1\" target=\"1\" weight=\"x\"/></edges></graph></gexf>", "4",
        "weight"},
       {xml + repeated("<node id=\"1\">", 100000), "2", "there again"},
       {xml + repeated("<x>", 100000), "2", "deeper than"}});
}

TEST_CASE("Mangled GML is refused with its line", "[formats]") {
  check_refused(GraphFormat::gml,
                {{"", "1", "graph ["},
                 {"graph [\n node [ id 1 ]\n", "3", "does not end"},
                 {"graph [\n node [ id 1\n", "3", "does not end"},
                 {"graph [\n node [ label \"a\" ]\n]", "2", "without an id"},
                 {"graph [\n node [ id x ]\n]", "2", "expected an integer"},
                 {"graph [\n node [ id \"1\" ]\n]", "2", "expected an integer"},
                 {"graph [\n node [ id 1 ]\n node [ id 1 ]\n]", "3", "there again"},
                 {"graph [\n edge [ source 1 ]\n]", "2", "target"},
                 {"graph [\n edge [ source 1 target 2 ]\n]", "2", "nowhere declared"},
                 {"graph [ ] graph [ ]", "1", "second graph"},
                 {"graph [\n node [ id 1 label \"a ]\n]\n", "2", "does not end"},
                 {"graph [\n node ]\n", "2", "without a value"},
                 {"graph [ " + repeated("a [ ", 100000), "1", "deeper than"},
                 {"graph [ \0 ]"s, "1", "binary"}});
}

TEST_CASE("Mangled DOT is refused with its line", "[formats]") {
  check_refused(GraphFormat::dot, {{"", "1", "expected 'graph' or 'digraph'"},
                                   {"graph {\na -- b\n", "3", "the file ends"},
                                   {"graph {\na -- ;\n}", "2", "expected '}'"},
                                   {"graph {\n\"a\n}", "2", "does not end"},
                                   {"graph {\n/* a\n}", "2", "does not end"},
                                   {"graph {\n<a\n}", "2", "does not end"},
                                   {"graph {\na [b c=]\n}", "2", "expected a value"},
                                   {"graph {\na -- b [weight=-1]\n}", "2", "must be > 0"},
                                   {"graph {\na & b\n}", "2", "no part of DOT"},
                                   {"graph { a } graph { b }", "1", "text after the graph"},
                                   {"graph " + repeated("{", 100000), "1", "deeper than"},
                                   {"graph { \"\\\"" + repeated("{", 100000), "1", "does not end"},
                                   {"graph { \0 }"s, "1", "no part of DOT"}});
  // Groups whose edges are far more than the file has bytes.
  std::string nodes;
  for (int i = 0; i < 3000; ++i) nodes += "a" + std::to_string(i) + " ";
  check_refused(GraphFormat::dot,
                {{"graph { {" + nodes + "} -- {" + nodes + "} }", "1", "far more"}});
}

TEST_CASE("Mangled Pajek is refused with its line", "[formats]") {
  check_refused(GraphFormat::pajek, {{"", "1", "*Vertices"},
                                     {"1 \"a\"\n", "1", "*Vertices"},
                                     {"*Vertices\n", "1", "number of vertices"},
                                     {"*Vertices 1000000000\n1 \"a\"\n", "1", "cut short"},
                                     {"*Vertices 99999999999\n", "1", "2^31"},
                                     {"*Vertices 2\n3 \"a\"\n", "2", "from 1 to 2"},
                                     {"*Vertices 2\n1 a\n1 b\n", "3", "there again"},
                                     {"*Vertices 2\n*Edges\n1 3\n", "3", "from 1 to 2"},
                                     {"*Vertices 2\n*Edges\n1 2 -1\n", "3", "must be > 0"},
                                     {"*Vertices 2\n*Edges\n1\n", "3", "one word"},
                                     {"*Edges\n1 2\n", "1", "before"},
                                     {"*Vertices 2\n*Vertices 2\n", "2", "second time"},
                                     {"*Vertices 2\n*Matrix\n0 1\n", "3", "after 1 rows"},
                                     {"*Vertices 2\n*Matrix\n0\n", "3", "expected 2"},
                                     {"*Vertices 2\n1 \"a\n", "2", "does not end"},
                                     {"*Vertices 2\n\0\n"s, "2", "binary"}});
}

TEST_CASE("Mangled DIMACS is refused with its line", "[formats]") {
  check_refused(GraphFormat::dimacs, {{"", "1", "p KIND"},
                                      {"e 1 2\n", "1", "before the line 'p"},
                                      {"p edge 1000000000 0\n", "1", "cut short"},
                                      {"p edge 3\n", "1", "p KIND"},
                                      {"p edge x 2\n", "1", "number of vertices"},
                                      {"p edge 3 2\ne 1 2\n", "2", "1 edges"},
                                      {"p edge 3 1\ne 1 4\n", "2", "from 1 to 3"},
                                      {"p sp 3 1\na 1 2 -4\n", "2", "must be > 0"},
                                      {"p sp 3 1\na 1\n", "2", "u v weight"},
                                      {"p max 3 0\nn 1 x\n", "2", "n VERTEX s"},
                                      {"p edge 3 0\np edge 3 0\n", "2", "second line"},
                                      {"p edge 3 0\nz 1 2\n", "2", "kind 'z'"}});
}

TEST_CASE("Mangled triples and KONECT files are refused with their line", "[formats]") {
  check_refused(GraphFormat::triples,
                {{"<a> <b> <c> .\n<a> <b>\n", "2", "expected '<subject>"},
                 {"<a> <b> <c> .\n<a <b <c .\n", "2", "expected '<subject>"},
                 {"<a> <b> <c> .\n<a> <b> \"x\\\" .\n", "2", "expected '<subject>"},
                 {"a b c\na b\n", "2", "2 fields"},
                 {"a b c\n\0\n"s, "2", "binary"}});
  check_refused(GraphFormat::edge_list,
                {{"% sym unweighted\n% 3 3 3\n1 2\n2 3\n", "2", "3 edges are promised"},
                 {"% sym unweighted\n% 2 2 2\n1 2\n2 3\n", "2", "2 vertices are promised"},
                 {"% sym signed\n1 2 1\n2 3 -1\n", "1", "signed"}});
}

TEST_CASE("Binary graphs cut short or out of range are refused", "[formats]") {
  const std::string galois = read_file(source_path("tests/foreign/galois.gr"));
  const auto refused = [](GraphFormat format, const std::string& bytes) {
    const auto error = error_of([&] { read_text(bytes, {.format = format}, 1, "x"); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
    return std::string(error->what());
  };
  for (std::size_t size = 0; size < galois.size(); size += 7)
    CHECK_THAT(refused(GraphFormat::galois, galois.substr(0, size)), Contains("cut short"));
  std::string wrong = galois;
  wrong[16] = '\x7F';  // vertices
  CHECK_THAT(refused(GraphFormat::galois, wrong), Contains("cut short"));
  wrong = galois;
  wrong[32 + 24] = '\x09';  // the first target
  CHECK_THAT(refused(GraphFormat::galois, wrong), Contains("target 9 (byte 56)"));
  wrong = galois;
  wrong[32] = '\x05';  // the end of the first row
  CHECK_THAT(refused(GraphFormat::galois, wrong), Contains("row 0"));
  const std::string npz = read_file(source_path("tests/foreign/scipy_csr.npz"));
  for (std::size_t size = 4; size < npz.size(); size += 13) {
    const auto error = error_of([&] { read_text(npz.substr(0, size), {}, 1, "x"); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
}
