#pragma once
// The graph: immutable, undirected, weighted, in compressed sparse rows.
//
// Every undirected edge {u, v} is stored twice, once in each row. Rows are ascending, with no
// duplicates and no self-loops; weights are finite and > 0. A graph is valid by construction and
// may be shared between threads. When all weights are 1 no weight is stored: 8(n+1) + 8m bytes,
// else 8(n+1) + 24m.
//
//   gssl::Graph g = gssl::grid_graph(3, 3);
//   for (gssl::VertexId v : g.neighbors(u)) ...
//   g.visit_row(u, [&](gssl::VertexId v, double w) { ... });

#include <span>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl {

class Graph {
 public:
  // The graph with no vertices.
  Graph() : offsets_(1, 0) {}

  // Takes finished rows. `weights` is empty (all 1) or as long as `neighbors`; weights that are all
  // 1 are dropped. Throws ErrorCode::bad_data naming the first row that breaks a rule of the class
  // (order, duplicate, self-loop, range, weight, symmetry). O(n + m).
  Graph(std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
        std::vector<double> weights);

  VertexId vertex_count() const { return static_cast<VertexId>(offsets_.size() - 1); }
  EdgeIndex edge_count() const { return static_cast<EdgeIndex>(neighbors_.size() / 2); }
  bool has_unit_weights() const { return weights_.empty(); }

  EdgeIndex degree(VertexId v) const { return row_end(v) - row_begin(v); }
  std::span<const VertexId> neighbors(VertexId v) const {
    return {neighbors_.data() + row_begin(v), static_cast<std::size_t>(degree(v))};
  }

  // Position of row v in neighbor_array(); weight_at(e) is the weight of entry e.
  EdgeIndex row_begin(VertexId v) const { return offsets_[static_cast<std::size_t>(v)]; }
  EdgeIndex row_end(VertexId v) const { return offsets_[static_cast<std::size_t>(v) + 1]; }
  VertexId neighbor_at(EdgeIndex e) const { return neighbors_[static_cast<std::size_t>(e)]; }
  double weight_at(EdgeIndex e) const {
    return weights_.empty() ? 1.0 : weights_[static_cast<std::size_t>(e)];
  }

  // Calls body(neighbor, weight) along row v.
  template <class Body>
  void visit_row(VertexId v, Body&& body) const {
    for (EdgeIndex e = row_begin(v); e < row_end(v); ++e) body(neighbor_at(e), weight_at(e));
  }

  // Sum of the weights of row v, added left to right.
  double weighted_degree(VertexId v) const;

  // Weight of edge {u, v}, or 0 if there is none. O(log degree).
  double weight(VertexId u, VertexId v) const;

  std::span<const EdgeIndex> offset_array() const { return offsets_; }
  std::span<const VertexId> neighbor_array() const { return neighbors_; }
  std::span<const double> weight_array() const { return weights_; }  // empty for unit weights

  // Bytes held by the arrays.
  std::size_t memory_bytes() const;

  friend bool operator==(const Graph&, const Graph&) = default;

 private:
  friend class GraphBuilder;
  friend struct TrustedGraph;
  struct Trusted {};
  Graph(Trusted, std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
        std::vector<double> weights)
      : offsets_(std::move(offsets)),
        neighbors_(std::move(neighbors)),
        weights_(std::move(weights)) {}

  std::vector<EdgeIndex> offsets_;
  std::vector<VertexId> neighbors_;
  std::vector<double> weights_;
};

}  // namespace gssl
