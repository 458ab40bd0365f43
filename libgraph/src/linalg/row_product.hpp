#pragma once
// Σ weight·x over the entries of a row, for `Width` adjacent columns of x: what every product with
// a sparse matrix is made of. Entries are summed in parts, since the rounding of one sum over a row
// of 10⁵ entries would be 10⁵ times that of an addition, and a residual of 1e-8 then out of reach.
// One column has four sums at a time, or each addition would wait for the one before.

#include <algorithm>
#include <cstdint>

#include "gssl/core/types.hpp"

namespace gssl {

// A fixed width lets the compiler unroll and vectorize the inner loops; unit weights are never
// loaded.
template <int Width, bool Unit, class Weight = double>
class RowProduct {
 public:
  // Rows of x are `stride` apart; `entries` are in the whole matrix.
  RowProduct(const VertexId* column, const Weight* weight, EdgeIndex entries, const double* x,
             std::int64_t stride)
      : column_(column), weight_(weight), last_(entries - 1), x_(x), stride_(stride) {}

  // Adds the entries [begin, end) to sum[Width].
  void add(EdgeIndex begin, EdgeIndex end, double* sum) const {
    for (; end - begin > part; begin += part) {
      double own[Width] = {};
      add_part(begin, begin + part, own);
      for (int k = 0; k < Width; ++k) sum[k] += own[k];
    }
    add_part(begin, end, sum);
  }

 private:
  static constexpr EdgeIndex part = 256;
  // Shorter ones overlap each other.
  static constexpr EdgeIndex long_row = 16;
  // Entries whose rows are fetched early.
  static constexpr EdgeIndex ahead = 32;

  const double* row(EdgeIndex e) const { return x_ + std::int64_t{column_[e]} * stride_; }
  double weight(EdgeIndex e) const { return Unit ? 1.0 : static_cast<double>(weight_[e]); }

  void add_part(EdgeIndex begin, EdgeIndex end, double* sum) const {
    if constexpr (Width == 1) {
      if (end - begin >= long_row) {
        double other[3] = {};
        for (; begin + 4 <= end; begin += 4) {
          sum[0] += weight(begin) * *row(begin);
          for (int k = 0; k < 3; ++k) other[k] += weight(begin + k + 1) * *row(begin + k + 1);
        }
        sum[0] = (sum[0] + other[0]) + (other[1] + other[2]);
      }
      for (; begin < end; ++begin) sum[0] += weight(begin) * *row(begin);
      return;
    }
    for (; begin < end; ++begin) {
      const double* soon = row(std::min(begin + ahead, last_));
      __builtin_prefetch(soon);
      if constexpr (Width > 4) __builtin_prefetch(soon + Width - 1);
      const double w = weight(begin);
      const double* values = row(begin);
      for (int k = 0; k < Width; ++k) sum[k] += w * values[k];
    }
  }

  const VertexId* column_;
  const Weight* weight_;
  EdgeIndex last_;
  const double* x_;
  std::int64_t stride_;
};

}  // namespace gssl
