#pragma once
// The graph: immutable, undirected, weighted, in compressed sparse rows.
//
// Every undirected edge {u, v} is stored twice, once in each row. Rows are ascending, with no
// duplicates and no self-loops; weights are finite and > 0. A graph is valid by construction and
// may be shared between threads. When all weights are 1 no weight is stored: 8(n+1) + 8m bytes,
// else 8(n+1) + 24m. The arrays are held by a shared owner and never change, so that a copy of a
// graph is a few pointers, O(1) in time and memory.
//
//   gssl::Graph g = gssl::grid_graph(3, 3);
//   for (gssl::VertexId v : g.neighbors(u)) ...
//   g.visit_row(u, [&](gssl::VertexId v, double w) { ... });

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl {

class Graph {
 public:
  // The graph with no vertices.
  Graph() = default;

  // Takes finished rows. `weights` is empty (all 1) or as long as `neighbors`; weights that are all
  // 1 are dropped. Throws ErrorCode::bad_data naming the first row that breaks a rule of the class
  // (order, duplicate, self-loop, range, weight, symmetry). O(n + m).
  Graph(std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
        std::vector<double> weights);

  // The same of arrays that `owner` holds: a mapped file, an array of another language. Nothing is
  // copied, and the arrays must never change. The owner is let go with the last copy of the graph.
  Graph(std::shared_ptr<const void> owner, std::span<const EdgeIndex> offsets,
        std::span<const VertexId> neighbors, std::span<const double> weights);

  // The same edges with other weights, one for each entry of neighbor_array(), or none for unit
  // weights; the rows are shared, not copied. Throws as the constructors do. O(n + m).
  Graph with_weights(std::vector<double> weights) const;

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

  // The same rows and weights, wherever they are held. O(n + m).
  friend bool operator==(const Graph& a, const Graph& b);

  Graph(const Graph&) = default;
  Graph& operator=(const Graph&) = default;
  // What is moved from is the graph with no vertices.
  Graph(Graph&& other) noexcept : Graph() { swap(other); }
  Graph& operator=(Graph&& other) noexcept {
    Graph(std::move(other)).swap(*this);
    return *this;
  }
  ~Graph() = default;

 private:
  friend class GraphBuilder;
  friend struct TrustedGraph;
  struct Trusted {};
  Graph(Trusted, std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
        std::vector<double> weights);
  Graph(Trusted, std::shared_ptr<const void> owner, std::span<const EdgeIndex> offsets,
        std::span<const VertexId> neighbors, std::span<const double> weights);

  void set_weights(std::vector<double> weights);

  // The rules of the class, as the constructors promise them.
  void check() const;

  void swap(Graph& other) noexcept {
    std::swap(offsets_, other.offsets_);
    std::swap(neighbors_, other.neighbors_);
    std::swap(weights_, other.weights_);
    owner_.swap(other.owner_);
    weights_owner_.swap(other.weights_owner_);
  }

  static constexpr std::array<EdgeIndex, 1> no_rows_{0};

  std::span<const EdgeIndex> offsets_{no_rows_};
  std::span<const VertexId> neighbors_;
  std::span<const double> weights_;
  std::shared_ptr<const void> owner_;  // of offsets and neighbors
  std::shared_ptr<const void> weights_owner_;
};

}  // namespace gssl
