#include "evaluate/component_spectrum.hpp"

#include <algorithm>
#include <limits>

namespace gssl::detail {

ComponentGraph component_graph(const Graph& graph, const Components& components,
                               std::span<const VertexId> chosen) {
  std::vector<bool> is_chosen(static_cast<std::size_t>(components.count), false);
  for (const VertexId k : chosen) is_chosen[static_cast<std::size_t>(k)] = true;
  ComponentGraph found;
  std::vector<VertexId> number(static_cast<std::size_t>(graph.vertex_count()), no_vertex);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto at = static_cast<std::size_t>(v);
    if (!is_chosen[static_cast<std::size_t>(components.of[at])]) continue;
    number[at] = static_cast<VertexId>(found.vertex_of.size());
    found.vertex_of.push_back(v);
  }
  std::vector<EdgeIndex> offsets(1, 0);
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  for (const VertexId v : found.vertex_of) {
    graph.visit_row(v, [&](VertexId u, double w) {
      neighbors.push_back(number[static_cast<std::size_t>(u)]);
      if (!graph.has_unit_weights()) weights.push_back(w);
    });
    offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
  }
  found.graph = Graph(std::move(offsets), std::move(neighbors), std::move(weights));
  return found;
}

ComponentSpectrum component_spectrum(const Graph& graph, const Components& components,
                                     std::vector<VertexId> chosen, std::int64_t rank,
                                     const RunContext& run) {
  ComponentGraph part = component_graph(graph, components, chosen);
  const std::int64_t n = std::max<std::int64_t>(part.graph.vertex_count(), 1);
  const std::int64_t wanted = std::min(std::min(rank, n) + std::ssize(chosen), n);
  ComponentSpectrum found{
      .components = std::move(chosen), .vertex_of = std::move(part.vertex_of), .spectrum = {}};
  found.spectrum = smallest_eigenpairs(
      part.graph, {.count = static_cast<int>(wanted), .kind = LaplacianKind::combinatorial}, run);
  return found;
}

}  // namespace gssl::detail
