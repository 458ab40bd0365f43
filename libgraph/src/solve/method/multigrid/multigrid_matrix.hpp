#pragma once
// The systems of a multigrid hierarchy while it is built: L(w) + diag(ground) in compressed rows
// without the diagonal. On coarse levels a weight may be negative, and the "graph" is a way to
// write the matrix. The ground is kept apart, in double: as part of the diagonal it would drown in
// the rounding of the weights.

#include <span>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl::solve {

// Row i is [offset[i], offset[i+1]).
struct FloatRows {
  std::vector<EdgeIndex> offset;
  std::vector<VertexId> column;
  std::vector<float> value;

  EdgeIndex begin(std::int64_t row) const { return offset[static_cast<std::size_t>(row)]; }
  EdgeIndex end(std::int64_t row) const { return offset[static_cast<std::size_t>(row) + 1]; }
};

struct MultigridMatrix {
  VertexId size = 0;
  std::span<const EdgeIndex> offset;  // of `rows`, or of the graph on the finest level
  std::span<const VertexId> column;
  FloatRows rows;  // its values are the weights; none when all are 1
  // Of the vectors below, or of the system on the finest level.
  std::span<const double> ground;
  std::span<const double> diagonal;  // weights of the row + ground
  std::vector<double> own_ground;
  std::vector<double> own_diagonal;

  EdgeIndex begin(std::int64_t v) const { return offset[static_cast<std::size_t>(v)]; }
  EdgeIndex end(std::int64_t v) const { return offset[static_cast<std::size_t>(v) + 1]; }
  EdgeIndex entries() const { return offset.back(); }
  VertexId neighbor(EdgeIndex e) const { return column[static_cast<std::size_t>(e)]; }
  double weight(EdgeIndex e) const {
    return rows.value.empty() ? 1.0 : rows.value[static_cast<std::size_t>(e)];
  }
};

}  // namespace gssl::solve
