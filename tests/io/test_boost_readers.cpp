// The readers of the Boost Graph Library as twins of ours: on files of other programs and on what is
// written here.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graphml.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/range/iterator_range.hpp>
#include <fstream>
#include <map>

#include "gssl/graph/graph_builder.hpp"
#include "gssl/io/graph_writer.hpp"
#include "io_support.hpp"
#include "support/catch.hpp"
#include "support/support.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                         boost::property<boost::vertex_name_t, std::string>,
                                         boost::property<boost::edge_weight_t, double>>;

// Vertices of our graph by their places in Boost's: its DOT reader sorts them by name.
void check_same(const BoostGraph& theirs, const GraphFile& ours) {
  REQUIRE(boost::num_vertices(theirs) == static_cast<std::size_t>(ours.graph.vertex_count()));
  REQUIRE(boost::num_edges(theirs) == static_cast<std::size_t>(ours.graph.edge_count()));
  for (const auto e : boost::make_iterator_range(boost::edges(theirs))) {
    const VertexId u = ours.names.find(get(boost::vertex_name, theirs, source(e, theirs)));
    const VertexId v = ours.names.find(get(boost::vertex_name, theirs, target(e, theirs)));
    REQUIRE(u != no_vertex);
    REQUIRE(v != no_vertex);
    CHECK(ours.graph.weight(u, v) == get(boost::edge_weight, theirs, e));
  }
}

BoostGraph read_by_boost(const std::string& path, bool graphml) {
  BoostGraph graph;
  boost::dynamic_properties properties(boost::ignore_other_properties);
  properties.property(graphml ? "name" : "node_id", get(boost::vertex_name, graph));
  properties.property("weight", get(boost::edge_weight, graph));
  std::ifstream in(path);
  if (graphml) {
    boost::read_graphml(in, graph, properties);
  } else {
    boost::read_graphviz(in, graph, properties, "node_id");
  }
  return graph;
}

}  // namespace

// Its DOT reader, as of 1.74, takes neither groups without the word subgraph, which Graphviz writes,
// nor weights as 1e+300 without quotes, which igraph writes.
TEST_CASE("Boost reads the GraphML of igraph to the graph that we read", "[formats]") {
  const std::string path = source_path("tests/foreign/igraph.graphml").string();
  check_same(read_by_boost(path, true), read_graph(path));
}

TEST_CASE("Boost reads the GraphML and the DOT that are written here", "[formats]") {
  const TemporaryDirectory folder;
  Rng rng(7);
  std::vector<Edge> edges;
  for (int i = 0; i < 200; ++i)
    edges.push_back({static_cast<VertexId>(rng.below(40)), static_cast<VertexId>(rng.below(40)),
                     rng.uniform() + 0.1});
  const Graph graph = graph_from_edges(41, edges);
  VertexNames names;
  for (int v = 0; v < 41; ++v) names.insert("v & <" + std::to_string(v) + "> ü");
  ResultColumns columns(41);
  columns.add_numbers("x", std::vector<double>(41, 0.1));
  for (const GraphFormat format : {GraphFormat::graphml, GraphFormat::dot}) {
    const std::string path = (folder.path() / "g").string();
    OutputFile out(path);
    write_graph_with_columns(out, graph, names, columns, format);
    out.commit();
    const GraphFile ours = read_graph(path);
    CHECK(ours.graph == graph);
    check_same(read_by_boost(path, format == GraphFormat::graphml), ours);
  }
}
