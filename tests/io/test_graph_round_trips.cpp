// Every format that is written, read again: the same names, edges and weights, from any format to
// any other.

#include <map>

#include "gssl/graph/graph_builder.hpp"
#include "gssl/io/graph_writer.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

constexpr std::array formats = {
    GraphFormat::edge_list, GraphFormat::matrix_market, GraphFormat::metis, GraphFormat::graphml,
    GraphFormat::gexf,      GraphFormat::gml,           GraphFormat::dot,   GraphFormat::binary};

struct Named {
  Graph graph;
  VertexNames names;
};

Named named(const std::vector<std::string>& names, const std::vector<Edge>& edges) {
  Named out;
  for (const std::string& name : names) out.names.insert(name);
  out.graph = graph_from_edges(out.names.size(), edges);
  return out;
}

// The five graphs that every format meets; METIS holds integer weights only.
std::vector<Named> five_graphs(bool integers) {
  const double third = integers ? 3.0 : 1.0 / 3, huge = integers ? 9e15 : 1e300;
  return {named({"0", "1", "2", "3"}, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}}),
          named({"a & b", "ü", "x\"y", "two words", "007", "node", "<i>", "graph"},
                {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 6, 1}, {6, 7, 1}}),
          named({"lonely", "a", "b", "alone"}, {{1, 2, 2}}),
          named({"a", "b", "c"}, {{0, 1, third}, {1, 2, huge}}), named({}, {})};
}

std::string written(const TemporaryDirectory& folder, const Named& g, GraphFormat format,
                    const std::string& name) {
  const std::string path = (folder.path() / name).string();
  OutputFile out(path);
  if (holds_columns(format)) {
    CHECK(write_graph_with_columns(out, g.graph, g.names, ResultColumns(g.graph.vertex_count()),
                                   format) == 0);
  } else {
    write_graph(out, g.graph, g.names, format);
  }
  out.commit();
  return path;
}

Named read_back(const std::string& path, GraphFormat format) {
  GraphFile file = read_graph(path, {.format = format});
  return {std::move(file.graph), std::move(file.names)};
}

std::string described(const Named& g) {
  GraphFile file;
  file.graph = g.graph;
  file.names = g.names;
  return test::described(file);
}

}  // namespace

TEST_CASE("What is written in any format and again in any other is the same graph", "[formats]") {
  const TemporaryDirectory folder;
  for (const GraphFormat first : formats) {
    for (const GraphFormat second : formats) {
      const bool integers = first == GraphFormat::metis || second == GraphFormat::metis;
      for (const Named& g : five_graphs(integers)) {
        INFO(to_string(first) << " to " << to_string(second) << "\n" << described(g));
        const Named once = read_back(written(folder, g, first, "first"), first);
        const Named twice = read_back(written(folder, once, second, "second"), second);
        CHECK(described(twice) == described(g));
      }
    }
  }
}

TEST_CASE("What is written is told by its content", "[formats]") {
  const TemporaryDirectory folder;
  const Named g = five_graphs(true)[2];
  for (const GraphFormat format : formats) {
    if (format == GraphFormat::metis) continue;  // by its name alone
    const GraphFile file = read_graph(written(folder, g, format, "no_extension"));
    CHECK(file.stats.format == to_string(format));
    CHECK(file.stats.notes.empty());
  }
}

TEST_CASE("Columns are written beside the vertices", "[formats]") {
  const TemporaryDirectory folder;
  const Named g = named({"a", "b"}, {{0, 1, 0.5}});
  ResultColumns columns(2);
  columns.add_choice("class", {"x & y", "\"z\""}, {1, -1});
  columns.add_numbers("confidence", {1.0 / 3, 0});
  columns.add_integers("rank", {7, 8});
  columns.add_flags("given", {true, false});
  columns.add_numbers("score_<a b>", {0.25, 0.5});
  columns.add_numbers("x", {10, 20});
  columns.add_numbers("y", {30, 40.5});
  const auto text = [&](GraphFormat format) {
    const std::string path = (folder.path() / "g").string();
    OutputFile out(path);
    CHECK(write_graph_with_columns(out, g.graph, g.names, columns, format) == 0);
    out.commit();
    CHECK(described(read_back(path, format)) == described(g));
    return read_file(path);
  };
  CHECK_THAT(text(GraphFormat::graphml),
             Contains("attr.name=\"score_&lt;a b&gt;\" attr.type=\"double\"") &&
                 Contains(">&quot;z&quot;<") && Contains(">?<") &&
                 Contains("attr.name=\"given\" attr.type=\"boolean\"") && Contains(">true<") &&
                 Contains("attr.name=\"rank\" attr.type=\"long\"") &&
                 Contains("0.3333333333333333<"));
  CHECK_THAT(text(GraphFormat::gexf), Contains("<viz:position x=\"20\" y=\"40.5\" z=\"0\"/>") &&
                                          Contains("<viz:color") &&
                                          Contains("title=\"score_&lt;a b&gt;\" type=\"double\""));
  CHECK_THAT(text(GraphFormat::dot),
             Contains("pos=\"10,30!\"") && Contains("fillcolor=\"#") && Contains("score__a_b_="));
  CHECK_THAT(text(GraphFormat::gml), Contains("score__a_b_ 0.25") &&
                                         Contains("class \"&quot;z&quot;\"") &&
                                         Contains("given 1"));
  CHECK_THROWS_AS(columns.add_numbers("x", {1, 2}), Error);
  CHECK_THROWS_AS(columns.add_numbers("weight", {1, 2}), Error);
  CHECK_THROWS_AS(columns.add_numbers("z", {1}), Error);
  CHECK_THROWS_AS(columns.add_choice("k", {"a"}, {0, 1}), Error);
}

TEST_CASE("What a format cannot hold is counted or told", "[formats]") {
  const TemporaryDirectory folder;
  const Named g = named({"a\x01\xFF", "b\\", "c"}, {{0, 1, 0.5}});
  const auto replaced = [&](GraphFormat format) {
    OutputFile out((folder.path() / "g").string());
    const std::int64_t count =
        write_graph_with_columns(out, g.graph, g.names, ResultColumns(3), format);
    out.commit();
    const Named back = read_back((folder.path() / "g").string(), format);
    CHECK(back.graph.edge_count() == 1);
    CHECK(back.names.name(0) == "a\xEF\xBF\xBD\xEF\xBF\xBD");
    return count;
  };
  CHECK(replaced(GraphFormat::graphml) == 2);
  CHECK(replaced(GraphFormat::gexf) == 2);
  CHECK(replaced(GraphFormat::gml) == 2);
  CHECK(replaced(GraphFormat::dot) == 3);
  ResultColumns columns(3);
  columns.add_numbers("x y", {1, 2, 3});
  const auto lost = [&](GraphFormat format) {
    std::string all;
    for (const std::string& one : losses(g.graph, g.names, columns, format)) all += one + "\n";
    return all;
  };
  CHECK_THAT(lost(GraphFormat::edge_list),
             Contains("1 isolated vertices stand in comments only") && Contains("x y"));
  CHECK_THAT(lost(GraphFormat::matrix_market), Contains("names of vertices stand in comments"));
  CHECK_THAT(lost(GraphFormat::gml), Contains("'x y' is called x_y"));
  CHECK(lost(GraphFormat::graphml).empty());
}

TEST_CASE("Of every pair of formats what the second loses is told", "[formats]") {
  // A name, a vertex alone, and a column of results: what each format does not hold of them.
  const std::map<GraphFormat, std::vector<const char*>> lost = {
      {GraphFormat::edge_list, {"1 isolated vertices stand in comments", "left out: class"}},
      {GraphFormat::matrix_market, {"names of vertices stand in comments", "left out: class"}},
      {GraphFormat::metis, {"names of vertices stand in comments", "left out: class"}},
      {GraphFormat::binary, {"left out: class"}},
      {GraphFormat::graphml, {}},
      {GraphFormat::gexf, {}},
      {GraphFormat::gml, {}},
      {GraphFormat::dot, {}}};
  REQUIRE(lost.size() == formats.size());
  const TemporaryDirectory folder;
  const Named g = named({"lonely", "a", "b"}, {{1, 2, 2}});
  ResultColumns columns(3);
  columns.add_choice("class", {"x"}, {0, 0, 0});
  for (const GraphFormat first : formats) {
    const Named once = read_back(written(folder, g, first, "first"), first);
    for (const GraphFormat second : formats) {
      INFO(to_string(first) << " to " << to_string(second));
      const std::vector<std::string> told = losses(once.graph, once.names, columns, second);
      REQUIRE(told.size() == lost.at(second).size());
      for (std::size_t i = 0; i < told.size(); ++i)
        CHECK_THAT(told[i], Contains(lost.at(second)[i]));
    }
  }
}
