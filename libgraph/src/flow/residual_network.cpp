#include "residual_network.hpp"

#include "gssl/core/error.hpp"

namespace gssl::detail {

ResidualNetwork::ResidualNetwork(const Graph& graph_in)
    : graph(&graph_in),
      offsets(graph_in.offset_array().data()),
      head(graph_in.neighbor_array().data()),
      mirror(graph_in.neighbor_array().size()) {
  // Rows are ascending, so the mirrors of row v are met in order when u walks upward.
  std::vector<Arc> cursor(static_cast<std::size_t>(vertex_count()));
  for (VertexId v = 0; v < vertex_count(); ++v) cursor[static_cast<std::size_t>(v)] = row_begin(v);
  for (VertexId u = 0; u < vertex_count(); ++u)
    for (Arc e = row_begin(u); e < row_end(u); ++e)
      mirror[e] = cursor[static_cast<std::size_t>(head[e])]++;
}

void ResidualNetwork::clear(std::span<const double> capacity_in) {
  if (!capacity_in.empty()) {
    weights = capacity_in.data();
  } else {
    weights = graph->has_unit_weights() ? nullptr : graph->weight_array().data();
  }
  flow.assign(mirror.size(), 0.0);
  terminal.assign(static_cast<std::size_t>(vertex_count()), 0.0);
  direct = 0.0;
}

void throw_flow_stopped() {
  throw Error(ErrorCode::cancelled, "maximum flow: stopped before the flow was largest");
}

}  // namespace gssl::detail
