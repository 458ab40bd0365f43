// clang-format off: the adaptor comes before stoer_wagner_min_cut.hpp, see there.
#include "gssl/graph/bgl.hpp"
// clang-format on

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/copy.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/kruskal_min_spanning_tree.hpp>
#include <boost/graph/stoer_wagner_min_cut.hpp>
#include <limits>
#include <set>
#include <unordered_set>

#include "gssl/core/rng.hpp"
#include "gssl/graph/components.hpp"
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
  BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::AdjacencyMatrixConcept<Graph>));
  BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<const Graph>));
  BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<const Graph>));
  BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<const Graph>));
  BOOST_CONCEPT_ASSERT((boost::AdjacencyMatrixConcept<FlowNetwork>));
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

TEST_CASE("the functions of the adaptor answer by their full name too, and for a const graph") {
  const Graph graph = weighted_random_graph(12, 30, 3);
  using Traits = boost::graph_traits<const Graph>;
  Traits::edges_size_type count = 0;
  const auto [first, last] = boost::vertices(graph);
  for (Traits::vertex_iterator v = first; v != last; ++v) {
    const auto [out, out_end] = boost::out_edges(*v, graph);
    CHECK(boost::out_degree(*v, graph) == out_end - out);
    CHECK(boost::degree(*v, graph) == boost::in_degree(*v, graph));
    const auto [in, in_end] = boost::in_edges(*v, graph);
    CHECK(std::equal(out, out_end, in, in_end));  // one edge, met from either end
    for (Traits::in_edge_iterator e = in; e != in_end; ++e) {
      CHECK(boost::target(*e, graph) == *v);
      CHECK(boost::get(boost::edge_weight, graph, *e) ==
            graph.weight(boost::source(*e, graph), *v));
      ++count;
    }
  }
  CHECK(count == 2 * boost::num_edges(graph));
  CHECK(boost::num_vertices(graph) == 12);
}

TEST_CASE("edge(u, v) finds each edge from both ends, and no other") {
  const Graph graph = weighted_random_graph(15, 40, 9);
  const FlowNetwork network(graph);
  std::set<BglEdge<false>> ordered;
  std::unordered_set<BglEdge<false>, boost::hash<BglEdge<false>>> hashed;
  for (VertexId u = 0; u < 15; ++u) {
    for (VertexId v = 0; v < 15; ++v) {
      const auto [found, there] = edge(u, v, graph);
      CHECK(there == (graph.weight(u, v) > 0.0));
      CHECK(edge(u, v, network).second == there);
      if (!there) continue;
      CHECK(source(found, graph) == u);
      CHECK(target(found, graph) == v);
      CHECK(found == edge(v, u, graph).first);
      CHECK(get(boost::edge_weight, graph, found) == graph.weight(u, v));
      ordered.insert(found);
      hashed.insert(found);
    }
  }
  CHECK(static_cast<EdgeIndex>(ordered.size()) == graph.edge_count());
  CHECK(static_cast<EdgeIndex>(hashed.size()) == graph.edge_count());
}

TEST_CASE("articulation points are the vertices whose removal parts a component") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const VertexId n = 30;
    const Graph graph = weighted_random_graph(n, 32, seed);
    std::vector<VertexId> found;
    boost::articulation_points(graph, std::back_inserter(found));
    std::vector<VertexId> expected;
    for (VertexId v = 0; v < n; ++v) {
      std::vector<Edge> rest;
      for (VertexId a = 0; a < n; ++a)
        graph.visit_row(a, [&](VertexId b, double w) {
          if (a < b && a != v && b != v) rest.push_back({a, b, w});
        });
      // v is left behind, alone.
      const VertexId without = connected_components(graph_from_edges(n, rest)).count - 1;
      if (without > connected_components(graph).count) expected.push_back(v);
    }
    std::sort(found.begin(), found.end());
    CHECK(found == expected);
  }
}

TEST_CASE("betweenness agrees with counting the shortest paths of every pair") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const std::size_t n = 14;
    const Graph graph = weighted_random_graph(static_cast<VertexId>(n), 24, seed);
    // hops[s][t] and paths[s][t]: length and number of the shortest paths.
    const double far = std::numeric_limits<double>::max();
    std::vector<std::vector<double>> hops, paths(n, std::vector<double>(n, 0.0));
    for (std::size_t s = 0; s < n; ++s) {
      hops.push_back(slow_distances(graph, static_cast<VertexId>(s), true));
      paths[s][s] = 1.0;
      for (std::size_t length = 1; length < n; ++length)
        for (std::size_t v = 0; v < n; ++v)
          if (hops[s][v] == static_cast<double>(length))
            for (const VertexId u : graph.neighbors(static_cast<VertexId>(v)))
              if (hops[s][static_cast<std::size_t>(u)] == static_cast<double>(length) - 1.0)
                paths[s][v] += paths[s][static_cast<std::size_t>(u)];
    }
    std::vector<double> found(n, 0.0);
    boost::brandes_betweenness_centrality(
        graph, boost::make_iterator_property_map(found.begin(), get(boost::vertex_index, graph)));
    for (std::size_t v = 0; v < n; ++v) {
      double expected = 0.0;
      for (std::size_t s = 0; s < n; ++s)
        for (std::size_t t = s + 1; t < n; ++t)
          if (s != v && t != v && hops[s][t] != far && hops[s][v] + hops[v][t] == hops[s][t])
            expected += paths[s][v] * paths[v][t] / paths[s][t];
      CHECK(found[v] == Approx(expected).margin(1e-12));
    }
  }
}

TEST_CASE("Stoer and Wagner's global cut is the smallest of all of them") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const VertexId n = 9;
    const Graph graph = weighted_random_graph(n, 25, seed);
    const auto cut_of = [&](unsigned side) {
      double cut = 0.0;
      for (VertexId u = 0; u < n; ++u)
        graph.visit_row(u, [&](VertexId v, double w) {
          if (((side >> u) & 1U) != 0 && ((side >> v) & 1U) == 0) cut += w;
        });
      return cut;
    };
    double smallest = std::numeric_limits<double>::infinity();
    for (unsigned side = 1; side < (1U << (n - 1)); ++side)
      smallest = std::min(smallest, cut_of(side));
    std::vector<int> parity(static_cast<std::size_t>(n));
    const double found =
        boost::stoer_wagner_min_cut(graph, get(boost::edge_weight, graph),
                                    boost::parity_map(boost::make_iterator_property_map(
                                        parity.begin(), get(boost::vertex_index, graph))));
    CHECK(found == smallest);
    unsigned side = 0;
    for (std::size_t v = 0; v < parity.size(); ++v)
      if (parity[v] != 0) side |= 1U << v;
    CHECK(cut_of(side) == smallest);
  }
}

TEST_CASE("a copy into a graph of Boost has the same edges and weights") {
  const Graph graph = weighted_random_graph(20, 50, 4);
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                        boost::property<boost::edge_weight_t, double>>
      copy;
  boost::copy_graph(graph, copy);
  CHECK(num_vertices(copy) == 20);
  CHECK(num_edges(copy) == static_cast<std::size_t>(graph.edge_count()));
  const auto weight = get(boost::edge_weight, copy);
  const auto [first, last] = edges(copy);
  for (auto e = first; e != last; ++e)
    CHECK(weight[*e] == graph.weight(static_cast<VertexId>(source(*e, copy)),
                                     static_cast<VertexId>(target(*e, copy))));
  boost::adjacency_list<> plain;  // no room for weights; directed, each edge from its lower end
  boost::copy_graph(graph, plain);
  CHECK(num_edges(plain) == static_cast<std::size_t>(graph.edge_count()));
}

struct IsHeavy {
  const Graph* graph = nullptr;
  bool operator()(const BglEdge<false>& edge) const { return graph->weight_at(edge.entry) >= 4.0; }
};
struct IsNot {
  VertexId left_out = no_vertex;
  bool operator()(VertexId v) const { return v != left_out; }
};

TEST_CASE("a filtered graph is the graph of what the filter lets through") {
  const Graph graph = weighted_random_graph(30, 90, 6);
  std::vector<Edge> kept;
  for (VertexId u = 0; u < 30; ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v && w >= 4.0 && u != 5 && v != 5) kept.push_back({u, v, w});
    });
  const auto filtered = boost::make_filtered_graph(graph, IsHeavy{&graph}, IsNot{5});
  const auto [first, last] = edges(filtered);
  CHECK(static_cast<std::size_t>(std::distance(first, last)) == kept.size());
  std::vector<double> distance(30, std::numeric_limits<double>::max());
  boost::dijkstra_shortest_paths(filtered, 0,
                                 boost::distance_map(boost::make_iterator_property_map(
                                     distance.begin(), get(boost::vertex_index, graph))));
  distance[5] = std::numeric_limits<double>::max();  // not of the filtered graph
  CHECK(distance == slow_distances(graph_from_edges(30, kept), 0, false));
}

}  // namespace
