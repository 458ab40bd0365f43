#pragma once
// A graph whose rows lie on several ranks: rank r has the vertices first[r] … first[r+1] − 1, all
// their arcs, and a number of its own for every vertex that it sees.
//
//   DistributedGraph graph = build_graph(edges, numbering, options, file, counts, ranks);
//   for (VertexId v = 0; v < graph.rows(); ++v)            // own vertices: 0 … rows()−1
//     for (auto e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
//       graph.neighbors[e];                                // own, or rows() + a ghost
//   std::vector<double> theirs = graph.fetch(mine, ranks); // a value of every ghost
//
// A ghost is a neighbor that another rank owns; ghosts ascend by vertex. Ranges are balanced by arcs
// and vertices together, as products with the graph take time. A row lives on one rank whole: a vertex with more arcs than a rank's share
// limits how far the work scales. A rank may have no rows. Memory: 4 bytes an arc (5 where weights are
// whole numbers up to 255, as of edges that came several times, else 12), 8 a row, 16 a ghost; while it is built also what arc_exchange.hpp says.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "arc_weights.hpp"
#include "communicator.hpp"
#include "gssl/core/types.hpp"
#include "gssl/graph/graph_builder.hpp"
#include "local_edges.hpp"
#include "vertex_directory.hpp"

namespace gssl::mpi {

// What a vertex costs in a product beside an arc.
constexpr std::int64_t arcs_worth_vertex = 4;

struct DistributedGraph {
  std::vector<std::int64_t> first;  // of each rank; first[p] = n
  std::int64_t begin = 0;           // first of this rank
  std::vector<EdgeIndex> offsets{0};
  std::vector<VertexId> neighbors;
  ArcWeights weights;
  std::vector<std::int64_t> ghosts;  // their vertices
  std::vector<VertexId> asked_for;   // own rows that are ghosts elsewhere, by rank
  std::vector<std::size_t> asked_begin;
  std::vector<std::size_t> ghost_begin;  // of the ghosts that each rank owns
  std::int64_t edges = 0;                // of the whole graph

  VertexId rows() const { return static_cast<VertexId>(offsets.size() - 1); }
  std::int64_t vertices() const { return first.back(); }
  std::int64_t vertex_of(VertexId local) const {
    return local < rows() ? begin + local : ghosts[static_cast<std::size_t>(local - rows())];
  }
  double weight(EdgeIndex e) const {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(e)];
  }
  double weighted_degree(VertexId v) const;
  int owner_of(std::int64_t vertex) const {
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), vertex) - first.begin()) -
           1;
  }

  // The ghosts' values of what every rank has for its rows. Collective; O(rows asked for + ghosts).
  template <class T>
  std::vector<T> fetch(const std::vector<T>& own, const Communicator& ranks) const {
    Parcels<T> out;
    out.begin = asked_begin;
    out.items.reserve(asked_for.size());
    for (const VertexId v : asked_for) out.items.push_back(own[static_cast<std::size_t>(v)]);
    return ranks.exchange(out).items;
  }
};

// Fills ghost_begin, asked_for and asked_begin from `first` and `ghosts`. Collective.
void connect_ghosts(DistributedGraph& graph, const Communicator& ranks);

// Takes the edges but for their names. Adds up what was dropped and merged, on every rank. Throws, on
// every rank, ErrorCode::bad_data as GraphBuilder does, naming the edge by its ids.
DistributedGraph build_graph(LocalEdges& edges, const Numbering& numbering,
                             const GraphBuilderOptions& options, const std::string& file,
                             GraphBuilderCounts& counts, const Communicator& ranks);

}  // namespace gssl::mpi
