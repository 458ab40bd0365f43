#pragma once
// Weights that are equal in both directions but for rounding, as those of kernel matrices are: what
// stands on either side of the diagonal was computed anew there.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl::python {

struct OwnRows {
  std::vector<EdgeIndex> offsets;
  std::vector<VertexId> neighbors;
  std::vector<double> weights;
  std::int64_t loops = 0;  // left out
};

// Rows of the entries of a square matrix that are not 0, without its diagonal: as many bytes as the graph
// will have.
OwnRows rows_of_matrix(std::span<const double> values, VertexId rows);

// Gives both entries of each edge their mean, where these are rows of a graph but for rounding: no pair
// differs by more than 1e-12 of the largest weight. Says how many did; nothing of other rows, whose
// weights are then of no use. O(m) time, O(n) memory.
std::optional<std::int64_t> take_means(std::span<const EdgeIndex> offsets,
                                       std::span<const VertexId> neighbors,
                                       std::span<double> weights);

}  // namespace gssl::python
