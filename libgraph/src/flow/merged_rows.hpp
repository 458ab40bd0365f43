#pragma once
// A graph, or what is left of it after sets of its vertices have been merged.
//
//   MergedRows rows = rows_of(graph);          // the graph's own arrays
//   rows = merged(rows, sets, number);         // number[v]: the vertex that v is in now
//
// O(n + m) each. Internal: not installed.

#include <vector>

#include "graph/support/disjoint_sets.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::flow {

// Rows need not be ascending.
struct MergedRows {
  VertexId size = 0;
  const EdgeIndex* offsets = nullptr;
  const VertexId* heads = nullptr;
  const double* weights = nullptr;  // null: all 1
  std::vector<EdgeIndex> own_offsets;
  std::vector<VertexId> own_heads;
  std::vector<double> own_weights;

  double weight(EdgeIndex e) const { return weights == nullptr ? 1.0 : weights[e]; }
  template <class Body>
  void visit(VertexId v, Body&& body) const {
    for (EdgeIndex e = offsets[v]; e < offsets[v + 1]; ++e) body(heads[e], weight(e));
  }
};

// `graph` must outlive it.
MergedRows rows_of(const Graph& graph);

// Merges each set into one vertex; weights between the same two are added.
MergedRows merged(const MergedRows& rows, DisjointSets& sets, std::vector<VertexId>& number);

}  // namespace gssl::flow
