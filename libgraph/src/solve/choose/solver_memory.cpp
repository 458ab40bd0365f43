#include "gssl/solve/solver_memory.hpp"

#include <algorithm>

#include "gssl/solve/cost_model.hpp"
#include "solve/order/hubs.hpp"
#include "solve/reduce/exact_elimination.hpp"

namespace gssl {
namespace {

// Bytes for each vertex, and for each edge.
struct PerSize {
  double vertex;
  double edge;

  double of(double rows, double edges) const { return vertex * rows + edge * edges; }
};

// Offsets, and neighbors of both ends.
constexpr PerSize arrays{8.0, 8.0};
constexpr double weights = 16.0;
// Ground, diagonal and components of a system.
constexpr double system_vertex = 20.0;
// The steps of an elimination: pivots and factors of each vertex that left.
constexpr double step = 37.0;
// The network while vertices leave it, with the edges that are made on the way.
constexpr PerSize network{30.0, 24.0};
// Sweeps color by color, on graphs of more neighbors than multigrid is for; with weights that are
// not all one in doubles, and for many columns also in floats.
constexpr PerSize swept{48.0, 4.0};
constexpr double swept_weights = 12.0;
// With the weights of its finest level in floats where they are not all one.
constexpr PerSize multigrid{34.0, 20.0};
constexpr double multigrid_weights = 8.0;
// Denser graphs fill in more.
constexpr PerSize sampled{40.0, 25.0};
constexpr PerSize sampled_dense{40.0, 55.0};
// The graph once more, with a ground vertex, and what orders it: 120 a row on a grid. Up to so many
// rows and edges, which is about two seconds.
constexpr PerSize proving{40.0, 45.0};
constexpr double most_proven = 4e6;
// The diagonal, in doubles.
constexpr double plain_vertex = 8.0;
// b scaled, x and r; b in order and folded. Of what is left: x, r, p, q of conjugate gradients, and
// in floats what a preconditioner sees.
constexpr double least_column = 14.0;
constexpr double least_kept_column = 36.0;
constexpr double most_column = 18.0;
constexpr double most_kept_column = 46.0;
constexpr double slack = 1.2;
constexpr double sure = 0.9;
// Of a multigrid, or of what stands in for it, where automatic is expected to need one.
constexpr double likely = 0.7;
// On a grid every vertex that stays has eight neighbors.
constexpr double most_kept_degree = 8.0;
constexpr VertexId few_neighbors = 2;

bool is_sparse(const NetworkSize& size) {
  return 2.0 * size.kept_edges <= cost_model().most_multigrid_degree * size.kept_rows;
}

}  // namespace

NetworkSize::NetworkSize(double row_count, double edge_count, bool unit)
    : rows(row_count),
      edges(edge_count),
      unit_weights(unit),
      kept_rows(row_count),
      kept_edges(edge_count) {}

// Vertices of at most two neighbors all leave; of those of up to four, every second.
NetworkSize::NetworkSize(const Graph& graph)
    : NetworkSize(graph.vertex_count(), static_cast<double>(graph.edge_count()),
                  graph.has_unit_weights()) {
  hubs = solve::has_hubs(graph);
  if (!solve::elimination_pays(graph)) return;
  double few = 0.0, some = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    if (graph.degree(v) <= few_neighbors)
      few += 1.0;
    else if (graph.degree(v) <= solve::most_neighbors)
      some += 1.0;
  }
  kept_rows = rows - few - 0.5 * some;
  kept_edges = std::min(edges, 0.5 * most_kept_degree * kept_rows);
}

MemoryRange SolverMemory::bytes(double columns) const {
  const MemoryRange all = prepared + columns * column;
  return {all.low, std::max(all.high, setup)};
}

double graph_bytes(const NetworkSize& size) {
  return arrays.of(size.rows, size.edges) + (size.unit_weights ? 0.0 : weights * size.edges);
}

double system_bytes(const NetworkSize& size) {
  return graph_bytes(size) + system_vertex * size.rows;
}

double multigrid_bytes(const NetworkSize& size) {
  return multigrid.of(size.kept_rows, size.kept_edges) +
         (size.unit_weights ? 0.0 : multigrid_weights * size.kept_edges);
}

double approximate_factor_bytes(const NetworkSize& size) {
  return (is_sparse(size) ? sampled : sampled_dense).of(size.kept_rows, size.kept_edges);
}

double proving_bytes(const NetworkSize& size) {
  return size.rows + size.edges <= most_proven ? proving.of(size.rows, size.edges) : 0.0;
}

SolverMemory solver_memory(const NetworkSize& size, SolverKind kind, bool eliminate) {
  if (!eliminate && size.kept_rows < size.rows) {
    NetworkSize whole(size.rows, size.edges, size.unit_weights);
    whole.hubs = size.hubs;
    return solver_memory(whole, kind, false);
  }
  const double rows = size.rows, kept = size.kept_rows;
  const MemoryRange column{sure * (least_column * rows + least_kept_column * kept),
                           most_column * rows + most_kept_column * kept};
  const double plain = plain_vertex * kept;
  if (!eliminate && kind == SolverKind::conjugate_gradient)
    return {0.0, {sure * plain, slack * plain}, column};
  double reduced = 0.0, leaving = 0.0;
  if (kept < rows) {
    reduced = step * (rows - kept) + (arrays.vertex + system_vertex) * kept +
              (arrays.edge + weights) * size.kept_edges;
    leaving = network.of(rows, size.edges);
  }
  const bool sparse = is_sparse(size);
  const bool levels = kind == SolverKind::multigrid || (kind == SolverKind::automatic && sparse);
  const bool unit = size.unit_weights && kept == rows;
  const double sweeps = levels && !eliminate ? 0.0
                                             : swept.of(kept, size.kept_edges) +
                                                   (unit ? 0.0 : swept_weights * size.kept_edges);
  double other = levels ? multigrid_bytes(size) : 0.0;
  // `automatic` sweeps where there are hubs, and does without a factor where memory is short for an
  // elimination.
  const bool factors = kind == SolverKind::automatic ? eliminate && !size.hubs
                                                     : kind != SolverKind::multigrid &&
                                                           kind != SolverKind::conjugate_gradient;
  if (factors) other = std::max(other, approximate_factor_bytes(size));
  const double certain =
      kind == SolverKind::automatic && sparse ? likely * multigrid_bytes(size) : 0.0;
  // Where there are hubs, no order has near neighbors.
  const double ordered = size.hubs ? 0.0 : graph_bytes(size);
  return {slack * (ordered + reduced + std::max(leaving, sweeps + other)),
          {sure * (reduced + plain + certain), slack * (reduced + plain + std::max(sweeps, other))},
          column};
}

RunContext with_taken(const RunContext& run, double bytes) {
  RunContext rest = run;
  if (run.memory_limit == 0) return rest;
  const double left = static_cast<double>(run.memory_limit) - bytes;
  rest.memory_limit = left > 1.0 ? static_cast<std::size_t>(left) : 1;
  return rest;
}

}  // namespace gssl
