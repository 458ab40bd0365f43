#include "evaluate/central_vertex.hpp"

#include "solve/column_solves.hpp"

namespace gssl::detail {

namespace {

// The graph of some components, which no edge leaves; vertex_of gives their vertices, ascending.
Graph graph_of(const Graph& graph, const std::vector<VertexId>& vertex_of) {
  std::vector<VertexId> number(static_cast<std::size_t>(graph.vertex_count()), no_vertex);
  for (std::size_t i = 0; i < vertex_of.size(); ++i)
    number[static_cast<std::size_t>(vertex_of[i])] = static_cast<VertexId>(i);
  std::vector<EdgeIndex> offsets(1, 0);
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  for (const VertexId v : vertex_of) {
    graph.visit_row(v, [&](VertexId u, double w) {
      neighbors.push_back(number[static_cast<std::size_t>(u)]);
      weights.push_back(w);
    });
    offsets.push_back(static_cast<EdgeIndex>(neighbors.size()));
  }
  return Graph(std::move(offsets), std::move(neighbors), std::move(weights));
}

}  // namespace

bool potential_diagonal(const Graph& graph, const Components& components,
                        std::span<const VertexId> chosen, const SolverOptions& options,
                        const RunContext& run, Report& report, std::vector<double>& diagonal) {
  diagonal.assign(static_cast<std::size_t>(graph.vertex_count()), 0.0);
  // place[k]: where component k is among the chosen. Column j holds the j-th vertex of each of
  // them, since components do not influence each other: as many columns as the largest has
  // vertices.
  std::vector<bool> is_chosen(static_cast<std::size_t>(components.count), false);
  for (const VertexId k : chosen) is_chosen[static_cast<std::size_t>(k)] = true;
  std::vector<VertexId> vertex_of;
  std::vector<std::vector<VertexId>> rows_in_column;
  std::vector<std::size_t> seen(is_chosen.size(), 0);
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto k = static_cast<std::size_t>(components.of[static_cast<std::size_t>(v)]);
    if (!is_chosen[k]) continue;
    if (seen[k] == rows_in_column.size()) rows_in_column.emplace_back();
    rows_in_column[seen[k]++].push_back(static_cast<VertexId>(vertex_of.size()));
    vertex_of.push_back(v);
  }
  const auto columns = static_cast<std::int64_t>(rows_in_column.size());
  ColumnSolves solves(GroundedLaplacian(graph_of(graph, vertex_of), {}), options, columns, run,
                      report);
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
