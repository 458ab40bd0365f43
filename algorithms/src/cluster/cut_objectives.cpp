#include "gssl/cluster/cut_objectives.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "gssl/core/error.hpp"

namespace gssl {

CutObjectives cut_objectives(const Graph& graph, std::span<const int> cluster_of, int count) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  if (cluster_of.size() != n)
    throw Error(ErrorCode::bad_data, "partition: " + std::to_string(cluster_of.size()) +
                                         " clusters for " + std::to_string(n) +
                                         " vertices: must be one for each");
  for (std::size_t v = 0; v < n; ++v)
    if (cluster_of[v] < 0 || cluster_of[v] >= count)
      throw Error(ErrorCode::bad_data, "partition: cluster " + std::to_string(cluster_of[v]) +
                                           " of vertex " + std::to_string(v) + ": must be in [0, " +
                                           std::to_string(count) + ")");
  const auto k = static_cast<std::size_t>(count);
  std::vector<double> size(k, 0.0), volume(k, 0.0), leaving(k, 0.0);
  for (VertexId u = 0; u < graph.vertex_count(); ++u) {
    const int own = cluster_of[static_cast<std::size_t>(u)];
    const auto at = static_cast<std::size_t>(own);
    size[at] += 1.0;
    graph.visit_row(u, [&](VertexId v, double w) {
      volume[at] += w;
      if (cluster_of[static_cast<std::size_t>(v)] != own) leaving[at] += w;
    });
  }
  double total = 0.0;  // twice the weight of all edges
  for (const double v : volume) total += v;
  if (!std::isfinite(total))
    throw Error(
        ErrorCode::bad_data,
        "cut objectives: the weighted degrees add up to more than a double holds: scale the "
        "weights down");
  CutObjectives found;
  for (std::size_t i = 0; i < k; ++i) {
    found.cut += leaving[i] / 2.0;
    if (size[i] > 0.0) found.ratio_cut += leaving[i] / size[i];
    if (volume[i] == 0.0) continue;
    found.ncut += leaving[i] / volume[i];
    const double share = volume[i] / total;
    found.modularity += (volume[i] - leaving[i]) / total - share * share;
    const double smaller = std::min(volume[i], total - volume[i]);
    if (smaller > 0.0) found.conductance = std::max(found.conductance, leaving[i] / smaller);
  }
  return found;
}

}  // namespace gssl
