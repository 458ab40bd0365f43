#include "evaluate/central_vertex.hpp"

#include "evaluate/component_spectrum.hpp"
#include "gssl/graph/induced_subgraph.hpp"
#include "support/many_right_hand_sides.hpp"

namespace gssl::detail {

bool potential_diagonal(const Graph& graph, const Components& components,
                        std::span<const VertexId> chosen, const SolverOptions& options,
                        const RunContext& run, Report& report, std::vector<double>& diagonal) {
  diagonal.assign(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  // Column j holds the j-th vertex of each component, since components do not influence each other:
  // as many columns as the largest has vertices.
  const std::vector<VertexId> vertex_of = vertices_of(components, chosen);
  std::vector<std::vector<VertexId>> rows_in_column;
  std::vector<std::size_t> seen(static_cast<std::size_t>(components.count), 0);
  for (std::size_t r = 0; r < vertex_of.size(); ++r) {
    const auto k = static_cast<std::size_t>(components.of[static_cast<std::size_t>(vertex_of[r])]);
    if (seen[k] == rows_in_column.size()) rows_in_column.emplace_back();
    rows_in_column[seen[k]++].push_back(static_cast<VertexId>(r));
  }
  const auto columns = static_cast<std::int64_t>(rows_in_column.size());
  ManyRightHandSides solves(GroundedLaplacian(induced_subgraph(graph, vertex_of), {}), options,
                            columns, run, report);
  return solves.each(
      "central vertices", columns, run,
      [&](std::int64_t j, std::int64_t c, Block& b) {
        for (const VertexId r : rows_in_column[static_cast<std::size_t>(j)]) b(r, c) = 1.0;
      },
      [&](std::int64_t first, std::int64_t width, const Block& x) {
        for (std::int64_t c = 0; c < width; ++c)
          for (const VertexId r : rows_in_column[static_cast<std::size_t>(first + c)])
            diagonal[static_cast<std::size_t>(vertex_of[static_cast<std::size_t>(r)])] = x(r, c);
      });
}

}  // namespace gssl::detail
