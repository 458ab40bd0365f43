#include "hubs.hpp"

#include "gssl/solve/cost_model.hpp"

namespace gssl::solve {

bool has_hubs(const Graph& graph) {
  const CostModel& cost = cost_model();
  const auto rows = static_cast<double>(graph.vertex_count());
  const double entries = 2.0 * static_cast<double>(graph.edge_count());
  if (entries <= cost.least_swept_degree * rows) return false;
  double squares = 0.0;
  for (VertexId v = 0; v < graph.vertex_count(); ++v) {
    const auto degree = static_cast<double>(graph.degree(v));
    squares += degree * degree;
  }
  return squares * rows / (entries * entries) >= cost.hub_share;
}

}  // namespace gssl::solve
