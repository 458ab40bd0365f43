#pragma once
// A graph of rows that are known to be valid: made from a valid graph, or read from a file of ours
// whose checksums were compared. Nothing is checked, O(1); who calls it vouches for every rule that
// graph.hpp states. Anybody else takes the constructors of Graph.

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

struct TrustedGraph {
  static Graph make(std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
                    std::vector<double> weights) {
    return {Graph::Trusted{}, std::move(offsets), std::move(neighbors), std::move(weights)};
  }

  // Of arrays that `owner` holds and that never change.
  static Graph make(std::shared_ptr<const void> owner, std::span<const EdgeIndex> offsets,
                    std::span<const VertexId> neighbors, std::span<const double> weights) {
    return {Graph::Trusted{}, std::move(owner), offsets, neighbors, weights};
  }

  // The rows of `graph`, shared, with other weights.
  static Graph with_weights(Graph graph, std::vector<double> weights) {
    graph.set_weights(std::move(weights));
    return graph;
  }
};

}  // namespace gssl
