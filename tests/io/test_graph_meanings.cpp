// What other programs mean by parallel edges, strict graphs, layers and attributes.

#include <algorithm>

#include "gssl/core/error.hpp"
#include "gssl/io/graph_writer.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

GraphFile read_text(const std::string& name, const std::string& text,
                    const ReadOptions& options = {}) {
  const TemporaryDirectory folder;
  return read_graph(folder.file(name, text), options);
}

double only_weight(const GraphFile& file) {
  REQUIRE(file.graph.edge_count() == 1);
  return file.graph.weight_at(0);
}

std::string gexf(const std::string& head, const std::string& edge) {
  return R"(<?xml version="1.0"?><gexf version="1.2"><graph defaultedgetype="undirected">)" + head +
         R"(<nodes><node id="a"/><node id="b"/></nodes><edges>)" + edge + "</edges></graph></gexf>";
}

std::string graphml(const std::string& kind, const std::string& edges) {
  return R"(<?xml version="1.0"?><graphml><key id="w" for="edge" attr.name="weight" )"
         R"(attr.type="double"/><graph edgedefault=")" +
         kind + R"("><node id="a"/><node id="b"/>)" + edges + "</graph></graphml>";
}

}  // namespace

TEST_CASE("Parallel edges of undirected files add up whichever end comes first", "[formats]") {
  CHECK(only_weight(read_text("a.dot", "graph { 1--2 [weight=3]; 2--1 [weight=3] }")) == 6.0);
  CHECK(only_weight(read_text("a.gml",
                              "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 "
                              "weight 3 ] edge [ source 2 target 1 weight 3 ] ]")) == 6.0);
  CHECK(only_weight(read_text("a.net", "*Vertices 2\n*Edges\n1 2 3\n2 1 3\n")) == 6.0);
  const std::string both = R"(<edge source="a" target="b"><data key="w">3</data></edge>)"
                           R"(<edge source="b" target="a"><data key="w">4</data></edge>)";
  CHECK(only_weight(read_text("a.graphml", graphml("undirected", both))) == 7.0);
  CHECK(only_weight(read_text("a.gexf", gexf("", R"(<edge source="a" target="b" weight="3"/>)"
                                                 R"(<edge source="b" target="a" weight="4"/>)"))) ==
        7.0);
}

TEST_CASE("Arcs of directed files in both directions are one edge", "[formats]") {
  CHECK(only_weight(read_text("a.dot", "digraph { 1->2 [weight=3]; 2->1 [weight=3] }")) == 3.0);
  CHECK(only_weight(read_text("a.net", "*Vertices 2\n*Arcs\n1 2 3\n2 1 3\n")) == 3.0);
  const std::string both = R"(<edge source="a" target="b"><data key="w">3</data></edge>)"
                           R"(<edge source="b" target="a"><data key="w">3</data></edge>)";
  CHECK(only_weight(read_text("a.graphml", graphml("directed", both))) == 3.0);
  const std::string arcs = R"(<edge source="a" target="b" type="directed" weight="3"/>)"
                           R"(<edge source="b" target="a" type="directed" weight="3"/>)";
  CHECK(only_weight(read_text("a.gexf", gexf("", arcs))) == 3.0);
}

TEST_CASE("An edge counts beside the arcs of its pair, whichever way these lead", "[formats]") {
  for (const char* arcs : {"*Arcs\n1 2 3\n", "*Arcs\n2 1 3\n", "*Arcs\n1 2 3\n2 1 3\n"}) {
    INFO(arcs);
    for (const char* edge : {"*Edges\n1 2 4\n", "*Edges\n2 1 4\n"}) {
      CHECK(only_weight(read_text("a.net", std::string("*Vertices 2\n") + arcs + edge)) == 7.0);
      CHECK(only_weight(read_text("a.net", std::string("*Vertices 2\n") + edge + arcs)) == 7.0);
    }
  }
  for (const char* ends : {R"(source="a" target="b")", R"(source="b" target="a")"}) {
    const std::string arc = std::string("<edge ") + ends + R"( type="directed" weight="3"/>)";
    CHECK(only_weight(read_text(
              "a.gexf", gexf("", R"(<edge source="a" target="b" weight="4"/>)" + arc))) == 7.0);
    const std::string other =
        std::string("<edge ") + ends + R"( directed="true"><data key="w">3</data></edge>)";
    CHECK(only_weight(read_text(
              "a.graphml",
              graphml("undirected", R"(<edge source="b" target="a"><data key="w">4</data></edge>)" +
                                        other))) == 7.0);
  }
}

TEST_CASE("A second graph in a file of GraphML is refused, one inside a node is not", "[formats]") {
  const std::string one = R"(<graph edgedefault="undirected"><node id="a"/><node id="b"/>)"
                          R"(<edge source="a" target="b"/></graph>)";
  const auto error =
      error_of([&] { read_text("a.graphml", "<graphml>" + one + one + "</graphml>"); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK(read_text("a.graphml", R"(<graphml><graph edgedefault="undirected"><node id="c">)" + one +
                                   "</node></graph></graphml>")
            .graph.vertex_count() == 3);
}

TEST_CASE("Weights of edges in a folder of the Open Graph Benchmark are theirs", "[formats]") {
  const TemporaryDirectory folder;
  folder.file("edge.csv", "0,1\n1,2\n");
  folder.file("num-node-list.csv", "3\n");
  folder.file("edge_weight.csv", "2\n5\n");
  const GraphFile file = read_graph(folder.path().string());
  CHECK(file.graph.weight_at(0) == 2.0);
  CHECK(file.graph.weight_at(3) == 5.0);
  for (const char* wrong : {"2\n", "2\n5\n1\n", "2\nx\n", "2\n-1\n"}) {
    INFO(wrong);
    folder.file("edge_weight.csv", wrong);
    const auto error = error_of([&] { read_graph(folder.path().string()); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::bad_data);
  }
}

TEST_CASE("The last weight of an edge of a strict graph stands", "[formats]") {
  CHECK(only_weight(read_text("a.dot", "strict graph { a--b [weight=2]; b--a [weight=3] }")) ==
        3.0);
  CHECK(only_weight(read_text("a.dot", "strict graph { a--b [weight=2]; a--b }")) == 2.0);
  CHECK(only_weight(read_text("a.dot", "strict graph { edge [weight=5]; a--b; a--b }")) == 5.0);
  CHECK(only_weight(read_text("a.dot", "graph { a--b [weight=2]; a--b [weight=3] }")) == 5.0);
}

TEST_CASE("An attribute of GEXF called weight is the weight", "[formats]") {
  const std::string head = R"(<attributes class="edge"><attribute id="0" title="weight" )"
                           R"(type="double"/></attributes>)";
  const std::string value = R"(<attvalues><attvalue for="0" value="8"/></attvalues></edge>)";
  CHECK(only_weight(read_text("a.gexf", gexf(head, R"(<edge source="a" target="b">)" + value))) ==
        8.0);
  CHECK(only_weight(read_text(
            "a.gexf", gexf(head, R"(<edge source="a" target="b" weight="2">)" + value))) == 2.0);
}

TEST_CASE("The default of a weight and the kind of a graph hold where they are said", "[formats]") {
  const std::string head = R"(<attributes class="edge"><attribute id="0" title="weight" )"
                           R"(type="double"><default>5</default></attribute></attributes>)";
  const GraphFile file = read_text("a.gexf", gexf(head, R"(<edge source="a" target="b"/>)"));
  CHECK(only_weight(file) == 5.0);
  CHECK(file.stats.notes.empty());
  const std::string arcs = R"(<edge source="a" target="b"><data key="w">3</data></edge>)"
                           R"(<edge source="b" target="a"><data key="w">3</data></edge>)";
  const std::string inner = R"(<node id="c"><graph edgedefault="undirected"/></node>)";
  CHECK(only_weight(read_text("a.graphml", graphml("directed", inner + arcs))) == 3.0);
}

TEST_CASE("Edges of opposite directions in two layers both count", "[formats]") {
  const ReadOptions options{.layers = parse_layer_weights("x=1,y=0.5")};
  CHECK(only_weight(read_text("a.csv", "a,b,2,x\nb,a,4,y\n", options)) == 4.0);
  // Within a layer the larger direction counts, as without layers.
  CHECK(only_weight(read_text("a.csv", "a,b,2,x\nb,a,3,x\na,b,4,y\nb,a,1,y\n", options)) == 5.0);
  // … or the mean of a layer's two, and all of what a layer gives in one direction alone.
  ReadOptions mean = options;
  mean.opposite = OppositeArcs::mean;
  CHECK(only_weight(read_text("a.csv", "a,b,2,x\nb,a,3,x\na,b,4,y\nb,a,1,y\n", mean)) == 3.75);
  CHECK(only_weight(read_text("a.csv", "a,b,2,x\nb,a,3,x\na,b,4,y\n", mean)) == 4.5);
  CHECK(only_weight(read_text("a.csv", "a,b,2,x\nb,a,4,y\n", mean)) == 4.0);
  CHECK(only_weight(read_text("a.net", "*Vertices 2\n*Arcs\n1 2 3\n2 1 1\n*Edges\n2 1 4\n",
                              {.opposite = OppositeArcs::mean})) == 6.0);
  CHECK(only_weight(read_text("a.nt", "<a> <knows> <b> .\n<b> <cites> <a> .\n")) == 2.0);
  CHECK(only_weight(read_text("a.nt", "<a> <knows> <b> .\n<b> <knows> <a> .\n")) == 1.0);
}

TEST_CASE("Attributes that a reader passes over are told", "[formats]") {
  const auto notes = [](const GraphFile& file) {
    REQUIRE(file.stats.notes.size() == 1);
    return file.stats.notes[0];
  };
  CHECK_THAT(notes(read_text("a.gml",
                             "graph [ node [ id 1 color 3 ] node [ id 2 ] edge [ source 1 target "
                             "2 width 3 ] ]")),
             Contains("color, width"));
  CHECK_THAT(notes(read_text("a.dot", "graph { a [color=red]; a--b [weight=2, style=dotted] }")),
             Contains("color, style"));
  const std::string head = R"(<attributes class="node"><attribute id="0" title="size" )"
                           R"(type="double"/></attributes>)";
  CHECK_THAT(notes(read_text("a.gexf", gexf(head, R"(<edge source="a" target="b"/>)"))),
             Contains("size"));
  CHECK_THAT(
      notes(read_text("a.graphml", R"(<graphml><key id="d" for="node" attr.name="size"/><graph )"
                                   R"(edgedefault="undirected"><node id="a"/></graph></graphml>)")),
      Contains("size"));
}

TEST_CASE("A third column of another name than a weight's is told", "[formats]") {
  const auto notes = [](const std::string& head) {
    return read_text("a.csv", head + "\n1,2,1700000000\n2,3,1700000001\n").stats.notes.size();
  };
  CHECK(notes("source,target,timestamp") == 1);
  CHECK(notes("source,target,weight") == 0);
  CHECK(notes("source,target,W") == 0);
}

TEST_CASE("Graphs of other layouts are refused by name, not read as edges", "[formats]") {
  const auto refused = [](const std::string& text) {
    try {
      read_text("a.txt", text);
    } catch (const Error& error) {
      return error.code() == ErrorCode::bad_data ? std::string(error.what()) : "other code";
    }
    return std::string("read");
  };
  CHECK_THAT(refused("# a\nb 1\nd 1\n# b\nc 1\n# c\nd 1\n"), Contains("LGL"));
  CHECK_THAT(refused("#made by\n#\n0 2\n1 {}\n3 {}\n1 1\n2 {}\n"), Contains("networkx"));
  CHECK_THAT(refused("nodedef>name VARCHAR\na\nb\nedgedef>node1 VARCHAR,node2 VARCHAR\na,b\n"),
             Contains("GDF"));
  CHECK_THAT(refused("LEDA.GRAPH\nvoid\nvoid\n-2\n0\n"), Contains("LEDA"));
  CHECK_THAT(refused(">>graph6<<Bw\n"), Contains("graph6"));
  // Edge lists with comments.
  CHECK(read_text("a.txt", "# nodes\n# edges\na b\nb c\n").graph.edge_count() == 2);
  CHECK(read_text("a.txt", "# one\na b\n# two\nc d\n").graph.edge_count() == 2);
}

TEST_CASE("Ids that end in a separator are read from a list by tabs", "[formats]") {
  const GraphFile file = read_text("a.tsv", "b c\tx\n\"\"\";\"\te\n");
  CHECK(file.graph.edge_count() == 2);
  CHECK(read_text("a.tsv", "b c\tx\n&#34;\te\n").graph.edge_count() == 2);
}

TEST_CASE("Every column that a format renames is told", "[formats]") {
  const Graph graph = read_text("a.tsv", "a\tb\n").graph;
  ResultColumns columns(2);
  const VertexNames names = VertexNames::numbered(2);
  for (const char* name : {"score x y", "score_x_y"}) columns.add_numbers(name, {0.25, 0.75});
  for (const GraphFormat format : {GraphFormat::gml, GraphFormat::dot}) {
    const std::vector<std::string> lost = losses(graph, names, columns, format);
    REQUIRE(lost.size() == 1);
    CHECK_THAT(lost[0], Contains("score_x_y_2"));
  }
}
