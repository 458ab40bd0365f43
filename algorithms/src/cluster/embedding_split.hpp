#pragma once
// From rows of eigenvectors to clusters. Internal: not installed.

#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

// Cluster-QR of n×k rows, k ≥ 1: a cluster in [0, k) for each.
std::vector<int> cluster_qr(const Block& rows);

// 1 where `value` is larger than the threshold, else 0.
std::vector<int> split_at(std::span<const double> value, double threshold);

// The middle of the largest gap between sorted values that leaves at least a tenth of them on
// either side.
double gap_threshold(std::span<const double> value);

// The threshold of least cut·(1/|A| + 1/|B|), where |·| adds `measure` up. value[i], measure[i]
// belong to vertices[i]; edges to other vertices do not count. O(m + n log n).
double sweep_threshold(const Graph& graph, std::span<const VertexId> vertices,
                       std::span<const double> value, std::span<const double> measure);

}  // namespace gssl::detail
