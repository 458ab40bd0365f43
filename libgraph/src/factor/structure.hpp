#pragma once
// Where the entries of a factored network are, before any number is known: the order of the
// vertices, the elimination forest, and supernodes, runs of columns stored with one list of rows.
//
//   std::optional<NetworkStructure> s = analyze_network(graph, last, run);
//   s.columns(k);  s.rows_below(k);       // of supernode k, as positions in the order
//
// O(m α(n) + Σ rows) time. See Davis, Direct Methods for Sparse Linear Systems (2006), chapter 4,
// doi:10.1137/1.9780898718881.

#include <optional>
#include <span>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::solve {

struct NetworkStructure {
  std::vector<VertexId> order;  // position → vertex; children before parents, subtrees together
  std::vector<VertexId> position;    // vertex → position
  std::vector<VertexId> first;       // supernode → its first position; one more than supernodes
  std::vector<VertexId> parent;      // supernode → supernode of the first row below, or no_vertex
  std::vector<VertexId> youngest;    // supernode → the first supernode of its subtree
  std::vector<EdgeIndex> row_start;  // supernode → its place in `rows`; one more
  std::vector<VertexId> rows;        // positions below each supernode, ascending
  std::vector<VertexId> supernode_of;  // position → supernode
  std::vector<VertexId> subtrees;      // supernodes whose subtrees are tasks of their own
  std::vector<VertexId> top;           // those above them, ascending
  FactorSize size;

  VertexId count() const { return static_cast<VertexId>(parent.size()); }
  VertexId columns(VertexId k) const { return first[index(k) + 1] - first[index(k)]; }
  std::span<const VertexId> rows_below(VertexId k) const {
    return {rows.data() + row_start[index(k)],
            static_cast<std::size_t>(row_start[index(k) + 1] - row_start[index(k)])};
  }
  // Own columns and the rows below: the side of the dense block, and that rounded up to whole
  // vectors.
  std::int64_t side(VertexId k) const {
    return columns(k) + row_start[index(k) + 1] - row_start[index(k)];
  }
  std::int64_t stride(VertexId k) const { return (side(k) + 7) / 8 * 8; }
  // Place in the block of supernode k of a position that is one of its columns or rows below.
  std::int64_t place(VertexId k, VertexId position) const;
  // The same of each row below supernode k in the block of its parent.
  std::vector<std::int64_t> places_in_parent(VertexId k) const;
};

// `last`, unless no_vertex, is put at the end. Nothing if the run was stopped. Throws
// ErrorCode::out_of_memory.
std::optional<NetworkStructure> analyze_network(const Graph& graph, VertexId last,
                                                const RunContext& run = {});

}  // namespace gssl::solve
