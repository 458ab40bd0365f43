#pragma once
// Edges of several layers on their way to one graph whose weights are the sums over layers. An edge
// that one layer gives in both directions is one edge, and so are two layers' edges of opposite
// directions, though these are both to count: within each layer the heavier direction of a pair is
// turned to lead from the smaller vertex to the larger, so that a builder's larger of the two sums
// over directions is the sum of the larger over layers. Where OppositeArcs::mean is to be taken of
// sums, both directions of a layer are halved and lead upward: the sum of the means over layers.
//
//   LayeredEdges edges;
//   edges.add(u, v, weight, layers.last());
//   edges.hand_over(builder, options);       // in the order of vertices, then of layers

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

#include "gssl/core/types.hpp"
#include "gssl/graph/graph_builder.hpp"

namespace gssl::detail {

class LayeredEdges {
 public:
  void add(VertexId u, VertexId v, double weight, std::int32_t layer) {
    edges_.push_back({std::min(u, v), std::max(u, v), layer, u > v, weight});
  }

  template <class Builder>
  void hand_over(Builder& builder, const GraphBuilderOptions& options) {
    const bool means =
        options.opposite == OppositeArcs::mean && options.duplicates == DuplicatePolicy::sum;
    std::ranges::stable_sort(edges_, {},
                             [](const Edge& e) { return std::tuple(e.low, e.high, e.layer); });
    for (std::size_t begin = 0, end = 0; begin < edges_.size(); begin = end) {
      double up = 0.0, down = 0.0;
      for (; end < edges_.size() && edges_[end].alike(edges_[begin]); ++end)
        (edges_[end].is_down ? down : up) += edges_[end].weight;
      const double share = means && down > 0.0 && up > 0.0 ? 0.5 : 1.0;
      for (std::size_t i = begin; i < end; ++i) {
        const Edge& edge = edges_[i];
        if (means || edge.is_down == (down > up))
          builder.add(edge.low, edge.high, share * edge.weight);
        else
          builder.add(edge.high, edge.low, edge.weight);
      }
    }
    edges_ = {};
  }

 private:
  struct Edge {
    VertexId low, high;
    std::int32_t layer;
    bool is_down;  // given from `high` to `low`
    double weight;
    bool alike(const Edge& other) const {
      return low == other.low && high == other.high && layer == other.layer;
    }
  };
  std::vector<Edge> edges_;
};

}  // namespace gssl::detail
