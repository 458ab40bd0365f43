// Graph files written by other programs (tests/foreign), read to the same graph.

#include <cmath>
#include <map>
#include <set>

#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;
using Catch::Contains;

namespace {

std::string foreign(const std::string& name) {
  return source_path("tests/foreign/" + name).string();
}

using Weights = std::map<std::pair<std::string, std::string>, double>;

Weights weights_of(const GraphFile& file) {
  Weights weights;
  for (VertexId u = 0; u < file.graph.vertex_count(); ++u) {
    file.graph.visit_row(u, [&](VertexId v, double w) {
      const std::string a = file.names.name(u), b = file.names.name(v);
      weights[std::minmax(a, b)] = w;
    });
  }
  return weights;
}

std::set<std::string> names_in(const GraphFile& file) {
  std::set<std::string> names;
  for (VertexId v = 0; v < file.names.size(); ++v) names.insert(file.names.name(v));
  return names;
}

// The graph of tests/foreign with these names, to `digits` relative.
void check_graph(const GraphFile& file, const std::vector<std::string>& n, double digits = 0) {
  CHECK(names_in(file) == std::set<std::string>(n.begin(), n.end()));
  const Weights found = weights_of(file);
  const Weights expected = {{std::minmax(n[0], n[1]), 1.0 / 3},
                            {std::minmax(n[1], n[2]), 2.0},
                            {std::minmax(n[2], n[0]), 0.125},
                            {std::minmax(n[2], n[3]), 1e300}};
  REQUIRE(found.size() == expected.size());
  for (const auto& [edge, weight] : expected) {
    INFO(edge.first << " " << edge.second);
    REQUIRE(found.count(edge) == 1);
    CHECK(std::abs(found.at(edge) - weight) <= digits * weight);
  }
}

const std::vector<std::string> names = {"alice", "a & b", "ü", "node 4", "lonely"};

}  // namespace

TEST_CASE("GraphML, GEXF, GML and Pajek of networkx are its graph", "[formats]") {
  for (const char* name : {"networkx.graphml", "networkx.gexf", "networkx.gml", "networkx.net"}) {
    INFO(name);
    const GraphFile file = read_graph(foreign(name));
    check_graph(file, names);
    CHECK(file.stats.notes.empty());
    CHECK(file.stats.names_given);
  }
  const GraphFile arcs = read_graph(foreign("networkx_directed.graphml"));
  check_graph(arcs, names);
  REQUIRE(arcs.stats.notes.size() == 1);
  CHECK_THAT(arcs.stats.notes[0], Contains("directed"));
  CHECK(arcs.stats.reversed_merged == 4);
}

TEST_CASE("GraphML, GML, Pajek and DOT of igraph are its graph", "[formats]") {
  check_graph(read_graph(foreign("igraph.graphml")), names, 1e-14);
  check_graph(read_graph(foreign("igraph.gml")), names, 1e-14);
  check_graph(read_graph(foreign("igraph.net")), {"1", "2", "3", "4", "5"}, 1e-14);
  check_graph(read_graph(foreign("igraph.dot")), {"0", "1", "2", "3", "4"}, 1e-14);
}

TEST_CASE("DIMACS of igraph has its capacities and terminals", "[formats]") {
  const GraphFile file = read_graph(foreign("igraph.max"));
  CHECK(file.stats.format == "dimacs");
  CHECK(described(file) == "1 2 3 4\n1 2 3\n1 3 2\n2 4 2\n3 4 4\n");
  CHECK(file.sources == std::vector<VertexId>{0});
  CHECK(file.sinks == std::vector<VertexId>{3});
}

TEST_CASE("Sparse matrices of SciPy in every layout are one graph", "[formats]") {
  for (const char* name :
       {"scipy_csr.npz", "scipy_csc.npz", "scipy_coo.npz", "scipy_bsr.npz", "scipy_stored.npz"}) {
    INFO(name);
    const GraphFile file = read_graph(foreign(name));
    CHECK(file.stats.format == "npz");
    check_graph(file, {"0", "1", "2", "3", "4"});
  }
  CHECK(described(read_graph(foreign("scipy_int64.npz"))) == "0 1\n0 1 3\n");
  const GraphFile kinds = read_graph(foreign("scipy_csr.npz"), {.bipartite = true});
  CHECK(kinds.graph.vertex_count() == 10);
  CHECK(kinds.graph.edge_count() == 8);
}

TEST_CASE("DOT of Graphviz has its groups, defaults and names", "[formats]") {
  const GraphFile file = read_graph(foreign("graphviz.dot"));
  CHECK(names_in(file) == std::set<std::string>{"a", "b", "c", "x y", "alone"});
  CHECK(weights_of(file) == Weights{{{"a", "b"}, 2.0}, {{"a", "c"}, 2.0}, {{"a", "x y"}, 0.5}});
}

TEST_CASE("Galois, KONECT and OGB are read by what their heads say", "[formats]") {
  const GraphFile first = read_graph(foreign("galois.gr"));
  CHECK(described(first) == "0 1 2\n0 1 5\n1 2 7\n");
  CHECK_THAT(first.stats.notes.at(0), Contains("integers"));
  const GraphFile second = read_graph(foreign("galois_v2.gr"));
  CHECK(described(second) == "0 1 2\n0 1 0.5\n1 2 1.25\n");
  CHECK(described(read_graph(foreign("konect.tsv"))) ==
        "1 2 3 4\n1 2 0.25\n1 3 0.125\n2 3 2\n3 4 7\n");
  const GraphFile ogb = read_graph(foreign("ogb"));
  CHECK(ogb.stats.format == "ogb");
  CHECK(described(ogb) == "0 1 2 3 4\n0 1 1\n0 2 1\n1 2 1\n2 3 1\n");
}

TEST_CASE("The predicates of triples are layers", "[formats]") {
  const GraphFile plain = read_graph(foreign("triples.nt"));
  CHECK(plain.stats.format == "triples");
  CHECK(described(plain) ==
        "http://x/alice http://x/bob _:c http://x/d\nhttp://x/alice http://x/bob 1\n"
        "http://x/alice _:c 1\nhttp://x/bob _:c 1\n_:c http://x/d 1\n");
  REQUIRE(plain.stats.notes.size() == 2);
  CHECK_THAT(plain.stats.notes[0], Contains("1 triples"));
  CHECK_THAT(plain.stats.notes[1], Contains("cites (2 edges), knows (2 edges)"));
  ReadOptions options;
  options.layers = parse_layer_weights("knows=2,cites=0.5");
  const GraphFile weighted = read_graph(foreign("triples.nt"), options);
  CHECK(weights_of(weighted) == Weights{{{"http://x/alice", "http://x/bob"}, 2.0},
                                        {{"_:c", "http://x/bob"}, 2.0},
                                        {{"_:c", "http://x/alice"}, 0.5},
                                        {{"_:c", "http://x/d"}, 0.5}});
  options.layers = parse_layer_weights("knows=2");
  const auto error = error_of([&] { read_graph(foreign("triples.nt"), options); });
  REQUIRE(error);
  CHECK(error->code() == ErrorCode::bad_data);
  CHECK_THAT(error->what(), Contains("cites") && Contains("(2 edges)"));
  const GraphFile table = read_text(
      "a\tlikes it\tb\nb\tknows\tc\n",
      {.format = GraphFormat::triples, .layers = parse_layer_weights("likes it=3,knows=0")});
  CHECK(described(table) == "a b c\na b 3\n");
}

TEST_CASE("The last column of an edge list or a section of Pajek is a layer", "[formats]") {
  const ReadOptions options{.layers = parse_layer_weights("a=1,b=0.3")};
  CHECK(described(read_text("1 2 2 a\n2 3 10 b\n", options)) == "1 2 3\n1 2 2\n2 3 3\n");
  CHECK(described(read_text("1 2 a\n2 3 b\n", options)) == "1 2 3\n1 2 1\n2 3 0.3\n");
  CHECK(described(read_text("u,v,weight,layer\n1,2,2,a\n", options)) == "1 2\n1 2 2\n");
  ReadOptions told = options;
  told.table.columns = {3, 2, 4, 1};
  CHECK(described(read_text("b x y 10\na y z 1\n", told)) == "y x z\ny x 3\ny z 1\n");
  CHECK_THAT(message_of("1 2 2 a\n2 3 2 c\n2 4 2 c\n", options),
             Contains("c") && Contains("a (1 edge), c (2 edges)"));
  CHECK_THAT(message_of("1 2\n", options), Contains("u v layer"));
  const std::string pajek = "*Vertices 3\n*Edges :1 \"a\"\n1 2 5\n*Arcs :2 \"b\"\n2 3 10\n";
  CHECK(described(read_text(pajek, options)) == "1 2 3\n1 2 5\n2 3 3\n");
  CHECK(described(read_text(pajek)) == "1 2 3\n1 2 5\n2 3 10\n");
  for (const char* wrong : {"a", "a=", "=1", "a=-1", "a=nan", "a=1,a=2"}) {
    INFO(wrong);
    const auto error = error_of([&] { parse_layer_weights(wrong); });
    REQUIRE(error);
    CHECK(error->code() == ErrorCode::usage);
  }
  const auto usage = error_of([&] { read_text("graph [ ]\n", options); });
  REQUIRE(usage);
  CHECK(usage->code() == ErrorCode::usage);
}
