#include <algorithm>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <limits>

#include "gssl/core/rng.hpp"
#include "gssl/graph/bgl.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "support/catch.hpp"

namespace {

using namespace gssl;

Graph weighted_random_graph(VertexId n, int edges, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Edge> list;
  const auto size = static_cast<std::uint64_t>(n);
  for (int i = 0; i < edges; ++i)
    list.push_back({static_cast<VertexId>(rng.below(size)), static_cast<VertexId>(rng.below(size)),
                    static_cast<double>(1 + rng.below(9))});
  return graph_from_edges(n, list);
}

// Distances by relaxing every edge n times.
std::vector<double> slow_distances(const Graph& graph, VertexId root, bool count_hops) {
  const double far = std::numeric_limits<double>::max();
  std::vector<double> distance(static_cast<std::size_t>(graph.vertex_count()), far);
  distance[static_cast<std::size_t>(root)] = 0.0;
  for (VertexId round = 0; round < graph.vertex_count(); ++round)
    for (VertexId u = 0; u < graph.vertex_count(); ++u)
      graph.visit_row(u, [&](VertexId v, double w) {
        const double du = distance[static_cast<std::size_t>(u)];
        double& dv = distance[static_cast<std::size_t>(v)];
        if (du != far) dv = std::min(dv, du + (count_hops ? 1.0 : w));
      });
  return distance;
}

TEST_CASE("the graph models the concepts of the Boost Graph Library") {
  BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<FlowNetwork>));
  BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<FlowNetwork>));
  const Graph graph = graph_from_edges(5, {{3, 1, 2.0}, {1, 4, 5.0}});
  const auto [first, last] = edges(graph);
  REQUIRE(std::distance(first, last) == 2);
  CHECK(first->source == 1);
  CHECK(first->target == 3);
  CHECK(num_edges(graph) == 2);
  CHECK(num_edges(FlowNetwork(graph)) == 4);
  CHECK(*out_edges(3, graph).first == *first);
  const Graph empty;
  CHECK(edges(empty).first == edges(empty).second);
}

TEST_CASE("breadth-first search and Dijkstra agree with relaxation") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Graph graph = weighted_random_graph(40, 60, seed);
    std::vector<double> hops(40, std::numeric_limits<double>::max());
    hops[0] = 0.0;
    boost::breadth_first_search(graph, 0,
                                boost::visitor(boost::make_bfs_visitor(
                                    boost::record_distances(hops.data(), boost::on_tree_edge()))));
    CHECK(hops == slow_distances(graph, 0, true));
    std::vector<double> distance(40);
    boost::dijkstra_shortest_paths(graph, 0, boost::distance_map(distance.data()));
    CHECK(distance == slow_distances(graph, 0, false));
  }
}

TEST_CASE("Kruskal agrees with growing the tree by the lightest edge that leaves it") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Graph graph = weighted_random_graph(25, 200, seed);
    std::vector<BglEdge<false>> tree;
    boost::kruskal_minimum_spanning_tree(graph, std::back_inserter(tree));
    double weight = 0.0;
    for (const auto& edge : tree) weight += graph.weight_at(edge.entry);
    std::vector<bool> inside(25, false);
    inside[0] = true;
    double expected = 0.0;
    for (int step = 1; step < 25; ++step) {
      double best = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (VertexId u = 0; u < 25; ++u)
        graph.visit_row(u, [&](VertexId v, double w) {
          if (inside[static_cast<std::size_t>(u)] && !inside[static_cast<std::size_t>(v)] &&
              w < best) {
            best = w;
            next = static_cast<std::size_t>(v);
          }
        });
      inside[next] = true;
      expected += best;
    }
    CHECK(tree.size() == 24);
    CHECK(weight == expected);
  }
}

TEST_CASE("maximum flow equals the smallest cut found by trying them all") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const VertexId n = 9;
    const Graph graph = weighted_random_graph(n, 20, seed);
    double smallest = std::numeric_limits<double>::infinity();
    for (unsigned side = 0; side < (1U << n); ++side) {
      if ((side & 1U) == 0 || (side >> (n - 1)) != 0) continue;
      double cut = 0.0;
      for (VertexId u = 0; u < n; ++u)
        graph.visit_row(u, [&](VertexId v, double w) {
          if (((side >> u) & 1U) != 0 && ((side >> v) & 1U) == 0) cut += w;
        });
      smallest = std::min(smallest, cut);
    }
    FlowNetwork network(graph);
    CHECK(boost::boykov_kolmogorov_max_flow(network, network.capacity(), network.residual(),
                                            network.reverse(), get(boost::vertex_index, network), 0,
                                            n - 1) == smallest);
  }
}

}  // namespace
