#include "evaluate/component_spectrum.hpp"

#include <algorithm>

#include "gssl/core/index.hpp"
#include "gssl/graph/induced_subgraph.hpp"

namespace gssl::detail {

std::vector<VertexId> vertices_of(const Components& components, std::span<const VertexId> chosen) {
  std::vector<bool> is_chosen(index(components.count), false);
  for (const VertexId k : chosen) is_chosen[index(k)] = true;
  std::vector<VertexId> vertices;
  for (std::size_t v = 0; v < components.of.size(); ++v)
    if (is_chosen[index(components.of[v])]) vertices.push_back(static_cast<VertexId>(v));
  return vertices;
}

ComponentSpectrum component_spectrum(const Graph& graph, const Components& components,
                                     std::vector<VertexId> chosen, std::int64_t rank,
                                     const RunContext& run) {
  std::vector<VertexId> vertices = vertices_of(components, chosen);
  const Graph part = induced_subgraph(graph, vertices);
  const std::int64_t n = std::max<std::int64_t>(part.vertex_count(), 1);
  const std::int64_t wanted = std::min(std::min(rank, n) + std::ssize(chosen), n);
  ComponentSpectrum found{
      .components = std::move(chosen), .vertex_of = std::move(vertices), .spectrum = {}};
  found.spectrum = smallest_eigenpairs(
      part, {.count = static_cast<int>(wanted), .kind = LaplacianKind::combinatorial}, run);
  return found;
}

}  // namespace gssl::detail
