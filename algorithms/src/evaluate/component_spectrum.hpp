#pragma once
// Some components of a graph on their own, and their eigenpairs. Internal: not installed.

#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/linalg/spectrum.hpp"

namespace gssl::detail {

// Those of the chosen components, ascending. O(n).
std::vector<VertexId> vertices_of(const Components& components, std::span<const VertexId> chosen);

struct ComponentSpectrum {
  std::vector<VertexId> components;  // as chosen
  std::vector<VertexId> vertex_of;   // row of the vectors → vertex of the whole graph
  Spectrum spectrum;                 // of the combinatorial Laplacian
};

// The null pair of each component and `rank` more. The null ones tell only how the components
// differ, so that they do not count: many small components would leave no other pair.
ComponentSpectrum component_spectrum(const Graph& graph, const Components& components,
                                     std::vector<VertexId> chosen, std::int64_t rank,
                                     const RunContext& run);

}  // namespace gssl::detail
