#pragma once
// Places of the vertices of a graph in the plane, by two eigenvectors of each component and a little
// repulsion, so that vertices do not lie upon each other.
//
//   std::vector<Place> places = spectral_layout(graph, run);   // in the unit square

#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::tool {

struct Place {
  double x = 0.5, y = 0.5;
};

// Components stand side by side in shelves, larger ones first, each in a square of its share of the
// area. Two eigenvectors of each component, and O(n) for each of thirty rounds.
std::vector<Place> spectral_layout(const Graph& graph, const RunContext& run);

}  // namespace gssl::tool
