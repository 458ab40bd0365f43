#include "peers.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/graph/push_relabel_max_flow.hpp>
#include <boost/graph/stoer_wagner_min_cut.hpp>

#include "../harness/measure.hpp"
#ifdef GSSL_BENCH_IGRAPH
#include <igraph.h>
#endif

namespace gssl::bench {
namespace {

// A flow network of the Boost Graph Library: one arc each way with its capacity, which are each
// other's reverse (pairs = false), or a pair of arcs for each direction, one of capacity 0, as
// push_relabel wants it.
using Traits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using Network = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS,
    boost::property<
        boost::vertex_color_t, boost::default_color_type,
        boost::property<boost::vertex_distance_t, long,
                        boost::property<boost::vertex_predecessor_t, Traits::edge_descriptor>>>,
    boost::property<
        boost::edge_capacity_t, double,
        boost::property<boost::edge_residual_capacity_t, double,
                        boost::property<boost::edge_reverse_t, Traits::edge_descriptor>>>>;

Network boost_network(const Instance& instance, bool pairs) {
  const VertexId n = instance.graph.vertex_count();
  Network network(static_cast<std::size_t>(n) + 2);
  auto capacity = get(boost::edge_capacity, network);
  auto reverse = get(boost::edge_reverse, network);
  const auto join = [&](std::size_t u, std::size_t v, double there, double back) {
    const auto a = add_edge(u, v, network).first, b = add_edge(v, u, network).first;
    capacity[a] = there;
    capacity[b] = back;
    reverse[a] = b;
    reverse[b] = a;
  };
  for (VertexId u = 0; u < n; ++u) {
    const auto from = static_cast<std::size_t>(u);
    instance.graph.visit_row(u, [&](VertexId v, double w) {
      if (pairs) {
        join(from, static_cast<std::size_t>(v), w, 0.0);
      } else if (u < v) {
        join(from, static_cast<std::size_t>(v), w, w);
      }
    });
    if (instance.source[from] > 0.0)
      join(static_cast<std::size_t>(n), from, instance.source[from], 0.0);
    if (instance.sink[from] > 0.0)
      join(from, static_cast<std::size_t>(n) + 1, instance.sink[from], 0.0);
  }
  return network;
}

Measured boost_flow(const Instance& instance, bool push_relabel) {
  const MemoryMeter memory;
  const Stopwatch watch;
  Network network = boost_network(instance, push_relabel);
  const auto n = static_cast<std::size_t>(instance.graph.vertex_count());
  Measured found;
  found.value = push_relabel ? boost::push_relabel_max_flow(network, n, n + 1)
                             : boost::boykov_kolmogorov_max_flow(network, n, n + 1);
  found.seconds = watch.elapsed().cpu;
  found.bytes = memory.peak_growth_bytes();
  return found;
}

}  // namespace

Measured boost_push_relabel(const Instance& instance) { return boost_flow(instance, true); }
Measured boost_boykov_kolmogorov(const Instance& instance) { return boost_flow(instance, false); }

Measured boost_stoer_wagner(const Graph& graph) {
  using Plain =
      boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                            boost::property<boost::edge_weight_t, double>>;
  const Stopwatch watch;
  Plain network(static_cast<std::size_t>(graph.vertex_count()));
  for (VertexId u = 0; u < graph.vertex_count(); ++u)
    graph.visit_row(u, [&](VertexId v, double w) {
      if (u < v) add_edge(static_cast<std::size_t>(u), static_cast<std::size_t>(v), w, network);
    });
  Measured found;
  found.value = boost::stoer_wagner_min_cut(network, get(boost::edge_weight, network));
  found.seconds = watch.elapsed().cpu;
  return found;
}

#ifdef GSSL_BENCH_IGRAPH
Measured igraph_max_flow(const Instance& instance) {
  const MemoryMeter memory;
  const Stopwatch watch;
  const VertexId n = instance.graph.vertex_count();
  igraph_vector_int_t ends;
  igraph_vector_t capacity;
  igraph_vector_int_init(&ends, 0);
  igraph_vector_init(&capacity, 0);
  const auto join = [&](VertexId u, VertexId v, double c) {
    igraph_vector_int_push_back(&ends, u);
    igraph_vector_int_push_back(&ends, v);
    igraph_vector_push_back(&capacity, c);
  };
  for (VertexId u = 0; u < n; ++u) {
    instance.graph.visit_row(u, [&](VertexId v, double w) { join(u, v, w); });
    const auto at = static_cast<std::size_t>(u);
    if (instance.source[at] > 0.0) join(n, u, instance.source[at]);
    if (instance.sink[at] > 0.0) join(u, n + 1, instance.sink[at]);
  }
  igraph_t graph;
  igraph_create(&graph, &ends, n + 2, IGRAPH_DIRECTED);
  Measured found;
  igraph_maxflow_value(&graph, &found.value, n, n + 1, &capacity, nullptr);
  found.seconds = watch.elapsed().cpu;
  found.bytes = memory.peak_growth_bytes();
  igraph_destroy(&graph);
  igraph_vector_destroy(&capacity);
  igraph_vector_int_destroy(&ends);
  return found;
}
#endif

}  // namespace gssl::bench
