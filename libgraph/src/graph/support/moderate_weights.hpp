#pragma once
// Weights near the ends of the doubles, moved to where their sums and squares are doubles, too.
//
//   const ModerateWeights moderate = moderate_weights(graph);
//   const Graph& g = moderate.graph ? *moderate.graph : graph;   // w = w_g · 2^exponent
//
// All weights are multiplied by one power of two, and no digit is lost: the random walk and the
// normalized Laplacians of the two graphs are the same, and the combinatorial one is
// L = 2^exponent · L_g. Most graphs need nothing of the kind and are not copied. O(n + m).

#include <optional>

#include "gssl/graph/graph.hpp"

namespace gssl {

struct ModerateWeights {
  std::optional<Graph> graph;  // none: the weights are moderate as they are
  int exponent = 0;            // even, so that roots of degrees scale by a power of two as well
};

// `who` starts the message. Throws ErrorCode::bad_data where the weights span more than about 420
// decades, so that no power of two brings all of them there.
ModerateWeights moderate_weights(const Graph& graph, const char* who);

}  // namespace gssl
