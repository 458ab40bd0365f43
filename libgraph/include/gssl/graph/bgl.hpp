#pragma once
// The graph as the Boost Graph Library sees it. The only public header that includes Boost; link
// Boost::headers to use it.
//
// gssl::Graph models VertexListGraph, BidirectionalGraph, AdjacencyGraph, AdjacencyMatrix and
// EdgeListGraph (undirected), with vertex_index and edge_weight as its property maps; so does a
// const one. Nothing is copied; every operation is O(1) but for edge(u, v), which is O(log degree),
// and the walk over edges(), which is O(n + m) in all. boost::copy_graph carries the weights into
// an adjacency_list whose edges have the property edge_weight.
//
//   std::vector<double> distance(n);
//   boost::dijkstra_shortest_paths(graph, 0, boost::distance_map(distance.data()));
//
// The functions can also be called as boost::vertices(graph) and so on. Templates of Boost that
// call them by that name, stoer_wagner_min_cut among them, need this header included before their
// own.
//
// FlowNetwork is the same graph as a directed one, an arc each way with the weight as its capacity,
// and holds the maps that maximum flow needs:
//
//   gssl::FlowNetwork network(graph);
//   double flow = boost::boykov_kolmogorov_max_flow(
//       network, network.capacity(), network.residual(), network.reverse(),
//       get(boost::vertex_index, network), s, t);
//
// Both arcs of an edge carry capacity. boost::push_relabel_max_flow cannot take that: its second
// phase tells the arcs that carry flow back by their capacity of 0. Take
// boykov_kolmogorov_max_flow, or gssl::MaxFlow, which needs no second phase.

#include <algorithm>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/pending/property.hpp>
#include <boost/property_map/property_map.hpp>
#include <concepts>
#include <cstddef>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

// An edge as met from its source; `entry` is its place in the neighbor array.
template <bool directed>
struct BglEdge {
  VertexId source = no_vertex;
  VertexId target = no_vertex;
  EdgeIndex entry = -1;

  // An undirected edge met from either end is one edge; edges may be keys.
  friend bool operator==(const BglEdge& a, const BglEdge& b) { return a.key() == b.key(); }
  friend bool operator<(const BglEdge& a, const BglEdge& b) { return a.key() < b.key(); }
  friend std::size_t hash_value(const BglEdge& edge) {
    const auto [u, v] = edge.key();
    return std::hash<EdgeIndex>()((static_cast<EdgeIndex>(u) << 32) ^ v);
  }

 private:
  std::pair<VertexId, VertexId> key() const {
    return directed || source < target ? std::pair(source, target) : std::pair(target, source);
  }
};

// The entries of row after row; with `directed` false those that lead to a larger vertex only.
template <bool directed>
class BglEdgeIterator
    : public boost::iterator_facade<BglEdgeIterator<directed>, BglEdge<directed>,
                                    boost::forward_traversal_tag, BglEdge<directed>> {
 public:
  BglEdgeIterator() = default;
  BglEdgeIterator(const Graph& graph, EdgeIndex entry) : graph_(&graph), entry_(entry) { settle(); }

 private:
  friend class boost::iterator_core_access;
  BglEdge<directed> dereference() const { return {row_, graph_->neighbor_at(entry_), entry_}; }
  bool equal(const BglEdgeIterator& other) const { return entry_ == other.entry_; }
  void increment() {
    ++entry_;
    settle();
  }
  void settle() {
    const auto end = static_cast<EdgeIndex>(graph_->neighbor_array().size());
    for (; entry_ < end; ++entry_) {
      while (graph_->row_end(row_) <= entry_) ++row_;
      if (directed || graph_->neighbor_at(entry_) > row_) return;
    }
  }

  const Graph* graph_ = nullptr;
  VertexId row_ = 0;
  EdgeIndex entry_ = 0;
};

// The entries of one row, as edges that leave its vertex or, with `incoming`, that lead to it.
template <bool directed, bool incoming = false>
class BglRowIterator
    : public boost::iterator_facade<BglRowIterator<directed, incoming>, BglEdge<directed>,
                                    boost::random_access_traversal_tag, BglEdge<directed>,
                                    EdgeIndex> {
 public:
  BglRowIterator() = default;
  BglRowIterator(const Graph& graph, VertexId row, EdgeIndex entry)
      : graph_(&graph), row_(row), entry_(entry) {}

 private:
  friend class boost::iterator_core_access;
  BglEdge<directed> dereference() const {
    const VertexId other = graph_->neighbor_at(entry_);
    return incoming ? BglEdge<directed>{other, row_, entry_}
                    : BglEdge<directed>{row_, other, entry_};
  }
  bool equal(const BglRowIterator& other) const { return entry_ == other.entry_; }
  void increment() { ++entry_; }
  void decrement() { --entry_; }
  void advance(EdgeIndex steps) { entry_ += steps; }
  EdgeIndex distance_to(const BglRowIterator& other) const { return other.entry_ - entry_; }

  const Graph* graph_ = nullptr;
  VertexId row_ = 0;
  EdgeIndex entry_ = 0;
};

// Maps an edge to its weight.
template <bool directed>
struct BglWeightMap {
  using key_type = BglEdge<directed>;
  using value_type = double;
  using reference = double;
  using category = boost::readable_property_map_tag;
  const Graph* graph = nullptr;
  friend double get(const BglWeightMap& map, const key_type& edge) {
    return map.graph->weight_at(edge.entry);
  }
};

// All that an edge carries, as the property list of another graph type: its weight, or nothing.
struct BglEdgeProperties {
  double weight = 0.0;
  operator boost::no_property() const { return {}; }  // NOLINT: what copy_graph needs
  operator boost::property<boost::edge_weight_t, double>() const { return {weight}; }  // NOLINT
};

struct BglEdgePropertiesMap {
  using key_type = BglEdge<false>;
  using value_type = BglEdgeProperties;
  using reference = BglEdgeProperties;
  using category = boost::readable_property_map_tag;
  const Graph* graph = nullptr;
  friend value_type get(const BglEdgePropertiesMap& map, const key_type& edge) {
    return {map.graph->weight_at(edge.entry)};
  }
};

// A vertex carries nothing.
struct BglVertexPropertiesMap {
  using key_type = VertexId;
  using value_type = boost::no_property;
  using reference = boost::no_property;
  using category = boost::readable_property_map_tag;
  friend value_type get(const BglVertexPropertiesMap&, VertexId) { return {}; }
};

// Maps an arc to its place in the neighbor array.
struct BglEntryMap {
  using key_type = BglEdge<true>;
  using value_type = EdgeIndex;
  using reference = EdgeIndex;
  using category = boost::readable_property_map_tag;
  friend EdgeIndex get(const BglEntryMap&, const key_type& arc) { return arc.entry; }
};

// A network flow problem on a graph, which must outlive it. O(m) time and 32m bytes.
class FlowNetwork {
 public:
  using ResidualMap = boost::iterator_property_map<double*, BglEntryMap, double, double&>;

  struct ReverseMap {
    using key_type = BglEdge<true>;
    using value_type = BglEdge<true>;
    using reference = BglEdge<true>;
    using category = boost::readable_property_map_tag;
    const EdgeIndex* mirror = nullptr;
    friend value_type get(const ReverseMap& map, const key_type& arc) {
      return {arc.target, arc.source, map.mirror[arc.entry]};
    }
  };

  explicit FlowNetwork(const Graph& graph)
      : graph_(&graph),
        mirror_(graph.neighbor_array().size()),
        residual_(graph.neighbor_array().size(), 0.0) {
    // Rows are ascending, so the mirrors of row v are met in order when u walks upward.
    std::vector<EdgeIndex> cursor(graph.offset_array().begin(), graph.offset_array().end() - 1);
    for (VertexId u = 0; u < graph.vertex_count(); ++u)
      for (EdgeIndex e = graph.row_begin(u); e < graph.row_end(u); ++e)
        mirror_[static_cast<std::size_t>(e)] =
            cursor[static_cast<std::size_t>(graph.neighbor_at(e))]++;
  }
  explicit FlowNetwork(Graph&&) = delete;

  const Graph& graph() const { return *graph_; }
  BglWeightMap<true> capacity() const { return {graph_}; }
  ReverseMap reverse() const { return {mirror_.data()}; }
  ResidualMap residual() { return {residual_.data(), BglEntryMap{}}; }

 private:
  const Graph* graph_;
  std::vector<EdgeIndex> mirror_;  // the entry of the opposite arc
  std::vector<double> residual_;
};

namespace detail {

struct BglDirectedTraversal : virtual boost::vertex_list_graph_tag,
                              virtual boost::incidence_graph_tag,
                              virtual boost::adjacency_graph_tag,
                              virtual boost::adjacency_matrix_tag,
                              virtual boost::edge_list_graph_tag {};

// Whoever follows an undirected edge may follow it backwards.
struct BglUndirectedTraversal : BglDirectedTraversal, virtual boost::bidirectional_graph_tag {};

template <bool directed>
struct BglTraits {
  using vertex_descriptor = VertexId;
  using edge_descriptor = BglEdge<directed>;
  using directed_category =
      std::conditional_t<directed, boost::directed_tag, boost::undirected_tag>;
  using edge_parallel_category = boost::disallow_parallel_edge_tag;
  using traversal_category =
      std::conditional_t<directed, BglDirectedTraversal, BglUndirectedTraversal>;
  using vertex_iterator = boost::counting_iterator<VertexId>;
  using edge_iterator = BglEdgeIterator<directed>;
  using out_edge_iterator = BglRowIterator<directed>;
  using adjacency_iterator = const VertexId*;
  using vertices_size_type = VertexId;
  using edges_size_type = EdgeIndex;
  using degree_size_type = EdgeIndex;
  static VertexId null_vertex() { return no_vertex; }
};

struct BglUndirectedTraits : BglTraits<false> {
  using in_edge_iterator = BglRowIterator<false, true>;
};

inline const Graph& graph_of(const Graph& graph) { return graph; }
inline const Graph& graph_of(const FlowNetwork& network) { return network.graph(); }

template <class G>
concept BglGraph = std::same_as<G, Graph> || std::same_as<G, FlowNetwork>;

template <class G>
inline constexpr bool is_directed = std::same_as<G, FlowNetwork>;

}  // namespace detail

template <detail::BglGraph G>
auto vertices(const G& g) {
  using Iterator = boost::counting_iterator<VertexId>;
  return std::pair(Iterator(0), Iterator(detail::graph_of(g).vertex_count()));
}

template <detail::BglGraph G>
VertexId num_vertices(const G& g) {
  return detail::graph_of(g).vertex_count();
}

template <detail::BglGraph G>
auto edges(const G& g) {
  const Graph& graph = detail::graph_of(g);
  using Iterator = BglEdgeIterator<detail::is_directed<G>>;
  const auto end = static_cast<EdgeIndex>(graph.neighbor_array().size());
  return std::pair(Iterator(graph, 0), Iterator(graph, end));
}

template <detail::BglGraph G>
EdgeIndex num_edges(const G& g) {
  return detail::graph_of(g).edge_count() * (detail::is_directed<G> ? 2 : 1);
}

template <detail::BglGraph G>
auto out_edges(VertexId v, const G& g) {
  const Graph& graph = detail::graph_of(g);
  using Iterator = BglRowIterator<detail::is_directed<G>>;
  return std::pair(Iterator(graph, v, graph.row_begin(v)), Iterator(graph, v, graph.row_end(v)));
}

template <detail::BglGraph G>
EdgeIndex out_degree(VertexId v, const G& g) {
  return detail::graph_of(g).degree(v);
}

inline auto in_edges(VertexId v, const Graph& graph) {
  using Iterator = BglRowIterator<false, true>;
  return std::pair(Iterator(graph, v, graph.row_begin(v)), Iterator(graph, v, graph.row_end(v)));
}

inline EdgeIndex in_degree(VertexId v, const Graph& graph) { return graph.degree(v); }
inline EdgeIndex degree(VertexId v, const Graph& graph) { return graph.degree(v); }

// The edge or arc from u to v, and whether there is one. O(log degree).
template <detail::BglGraph G>
auto edge(VertexId u, VertexId v, const G& g) {
  using Descriptor = BglEdge<detail::is_directed<G>>;
  const Graph& graph = detail::graph_of(g);
  const auto row = graph.neighbors(u);
  const auto found = std::lower_bound(row.begin(), row.end(), v);
  if (found == row.end() || *found != v) return std::pair(Descriptor(), false);
  return std::pair(Descriptor{u, v, graph.row_begin(u) + (found - row.begin())}, true);
}

template <detail::BglGraph G>
auto adjacent_vertices(VertexId v, const G& g) {
  const auto row = detail::graph_of(g).neighbors(v);
  return std::pair(row.data(), row.data() + row.size());
}

template <detail::BglGraph G>
VertexId source(const BglEdge<detail::is_directed<G>>& edge, const G&) {
  return edge.source;
}

template <detail::BglGraph G>
VertexId target(const BglEdge<detail::is_directed<G>>& edge, const G&) {
  return edge.target;
}

template <detail::BglGraph G>
boost::typed_identity_property_map<VertexId> get(boost::vertex_index_t, const G&) {
  return {};
}

template <detail::BglGraph G>
VertexId get(boost::vertex_index_t, const G&, VertexId v) {
  return v;
}

inline BglWeightMap<false> get(boost::edge_weight_t, const Graph& graph) { return {&graph}; }

inline double get(boost::edge_weight_t, const Graph& graph, const BglEdge<false>& edge) {
  return graph.weight_at(edge.entry);
}

inline BglVertexPropertiesMap get(boost::vertex_all_t, const Graph&) { return {}; }
inline BglEdgePropertiesMap get(boost::edge_all_t, const Graph& graph) { return {&graph}; }

}  // namespace gssl

namespace boost {

template <>
struct graph_traits<gssl::Graph> : gssl::detail::BglUndirectedTraits {};
template <>
struct graph_traits<const gssl::Graph> : gssl::detail::BglUndirectedTraits {};

template <>
struct graph_traits<gssl::FlowNetwork> : gssl::detail::BglTraits<true> {};
template <>
struct graph_traits<const gssl::FlowNetwork> : gssl::detail::BglTraits<true> {};

template <class G>
requires gssl::detail::BglGraph<std::remove_const_t<G>>
struct property_map<G, vertex_index_t> {
  using type = typed_identity_property_map<gssl::VertexId>;
  using const_type = type;
};

template <class G>
requires std::same_as<std::remove_const_t<G>, gssl::Graph>
struct property_map<G, edge_weight_t> {
  using type = gssl::BglWeightMap<false>;
  using const_type = type;
};

template <class G>
requires std::same_as<std::remove_const_t<G>, gssl::Graph>
struct property_map<G, vertex_all_t> {
  using type = gssl::BglVertexPropertiesMap;
  using const_type = type;
};

template <class G>
requires std::same_as<std::remove_const_t<G>, gssl::Graph>
struct property_map<G, edge_all_t> {
  using type = gssl::BglEdgePropertiesMap;
  using const_type = type;
};

// For calls by the name boost::vertices(graph).
using gssl::adjacent_vertices;
using gssl::degree;
using gssl::edge;
using gssl::edges;
using gssl::get;
using gssl::in_degree;
using gssl::in_edges;
using gssl::num_edges;
using gssl::num_vertices;
using gssl::out_degree;
using gssl::out_edges;
using gssl::source;
using gssl::target;
using gssl::vertices;

}  // namespace boost
