#include "residual_network.hpp"

#include <algorithm>
#include <numeric>

#include "gssl/core/error.hpp"

namespace gssl::detail {

ResidualNetwork::ResidualNetwork(const Graph& graph_in)
    : graph(&graph_in),
      offsets(graph_in.offset_array().data()),
      head(graph_in.neighbor_array().data()),
      weights(graph_in.has_unit_weights() ? nullptr : graph_in.weight_array().data()),
      mirror(graph_in.neighbor_array().size()) {
  // Rows are ascending, so the mirrors of row v are met in order when u walks upward.
  std::vector<Arc> cursor(static_cast<std::size_t>(vertex_count()));
  for (VertexId v = 0; v < vertex_count(); ++v) cursor[static_cast<std::size_t>(v)] = row_begin(v);
  for (VertexId u = 0; u < vertex_count(); ++u)
    for (Arc e = row_begin(u); e < row_end(u); ++e)
      mirror[e] = cursor[static_cast<std::size_t>(head[e])]++;
  capacity_sum = weights == nullptr ? static_cast<double>(mirror.size())
                                    : std::accumulate(weights, weights + mirror.size(), 0.0);
  clear();
}

void ResidualNetwork::clear() {
  flow.assign(mirror.size(), 0.0);
  terminal.assign(static_cast<std::size_t>(vertex_count()), 0.0);
  surplus = terminal;
  direct = 0.0;
}

void ResidualNetwork::set_capacity(Arc e, double value) {
  if (own_weights.empty()) {
    if (weights == nullptr) {
      own_weights.assign(mirror.size(), 1.0);
    } else {
      own_weights.assign(weights, weights + mirror.size());
    }
    weights = own_weights.data();
  }
  const Arc back = mirror[e];
  capacity_sum += 2.0 * (value - own_weights[e]);
  own_weights[e] = own_weights[back] = value;
  const double kept = std::clamp(flow[e], -value, value);
  const double change = flow[e] - kept;
  flow[e] = kept;
  flow[back] = -kept;
  surplus[static_cast<std::size_t>(head[back])] += change;
  surplus[static_cast<std::size_t>(head[e])] -= change;
}

void check_flow_may_go_on(const RunContext& run) {
  run.throw_if_stopped("maximum flow", "before the flow was largest");
}

}  // namespace gssl::detail
