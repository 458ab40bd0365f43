// Minimum cuts between terminals and of the whole graph against the Boost Graph Library.

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/graph/stoer_wagner_min_cut.hpp>

#include "cut_support.hpp"
#include "gssl/flow/global_min_cut.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/bgl.hpp"
#include "support/catch.hpp"

using namespace gssl;
using namespace gssl::test;

namespace {

// A Boost network of its own: a pair of arcs for each direction, because push_relabel tells the
// arcs that only carry flow back by their capacity of 0.
double boost_flow(const Graph& graph, VertexId s, VertexId t, bool push_relabel) {
  using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
  using Back = boost::property<boost::edge_reverse_t, Traits::edge_descriptor>;
  using Residual = boost::property<boost::edge_residual_capacity_t, double, Back>;
  using Predecessor = boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>;
  using Distance = boost::property<boost::vertex_distance_t, long, Predecessor>;
  using Color = boost::property<boost::vertex_color_t, boost::default_color_type, Distance>;
  using Network = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Color,
                                        boost::property<boost::edge_capacity_t, double, Residual>>;
  Network network(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      const auto there = add_edge(std::size_t(u), std::size_t(v), network).first;
      const auto back = add_edge(std::size_t(v), std::size_t(u), network).first;
      put(boost::edge_capacity, network, there, w);
      put(boost::edge_capacity, network, back, 0.0);
      put(boost::edge_reverse, network, there, back);
      put(boost::edge_reverse, network, back, there);
    });
  return push_relabel ? boost::push_relabel_max_flow(network, std::size_t(s), std::size_t(t))
                      : boost::boykov_kolmogorov_max_flow(network, std::size_t(s), std::size_t(t));
}

double boost_min_cut(const Graph& graph) {
  using Network =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;
  Network network(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v) add_edge(std::size_t(u), std::size_t(v), w, network);
    });
  return boost::stoer_wagner_min_cut(network, get(boost::edge_weight, network));
}

}  // namespace

TEST_CASE("both methods agree with the Boost Graph Library on larger graphs") {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    CAPTURE(seed);
    const Graph graph =
        seed % 2 == 0 ? integer_graph(300, 900, seed, 50) : integer_graph(120, 2000, seed, 1000000);
    const VertexId t = graph.vertex_count() - 1;
    const double expected = boost_flow(graph, 0, t, true);
    CHECK(boost_flow(graph, 0, t, false) == expected);
    FlowNetwork network(graph);
    CHECK(boost::boykov_kolmogorov_max_flow(network, network.capacity(), network.residual(),
                                            network.reverse(), get(boost::vertex_index, network), 0,
                                            t) == expected);
    const Terminals terminals = between(graph.vertex_count(), 0, t);
    std::vector<std::vector<unsigned char>> sides;
    for (const FlowMethod method : methods) {
      MaxFlow problem(graph, terminals.source, terminals.sink, {.method = method});
      const MaxFlowReport found = problem.solve({});
      CHECK(found.flow == expected);
      CHECK(found.cut == expected);
      for (const CutSide which : {CutSide::smallest_source, CutSide::largest_source}) {
        sides.push_back(problem.source_side(which));
        CHECK(problem.cut_value(sides.back()) == expected);
      }
    }
    CHECK(sides[0] == sides[2]);
    CHECK(sides[1] == sides[3]);
  }
}

TEST_CASE("the global minimum cut is that of the Boost Graph Library") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Graph graph = integer_graph(70, 400, seed, 20);
    CHECK(global_min_cut(graph, {}).value == boost_min_cut(graph));
  }
}
