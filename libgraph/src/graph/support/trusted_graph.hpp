#pragma once
// Rows that libgraph made itself, from a valid graph, become a graph without being checked again.

#include <utility>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl {

struct TrustedGraph {
  static Graph make(std::vector<EdgeIndex> offsets, std::vector<VertexId> neighbors,
                    std::vector<double> weights) {
    return {Graph::Trusted{}, std::move(offsets), std::move(neighbors), std::move(weights)};
  }
};

}  // namespace gssl
