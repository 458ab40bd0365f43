#pragma once
// Some rows of a table as dense doubles side by side, for what looks at them many times.

#include <algorithm>
#include <vector>

#include "gssl/data/points.hpp"

namespace gssl::detail {

class RowBuffer {
 public:
  // Rows [begin, end).
  RowBuffer(const Points& points, std::int64_t begin, std::int64_t end)
      : begin_(begin),
        columns_(static_cast<std::size_t>(points.columns())),
        values_(static_cast<std::size_t>(end - begin) * columns_, 0.0) {
    for (std::int64_t r = begin; r < end; ++r) {
      double* const row = values_.data() + static_cast<std::size_t>(r - begin) * columns_;
      points.visit_row(static_cast<VertexId>(r), [&](std::int64_t c, double x) { row[c] = x; });
    }
  }

  const double* row(std::int64_t r) const {
    return values_.data() + static_cast<std::size_t>(r - begin_) * columns_;
  }

  // About a megabyte, and at most 256.
  static std::int64_t rows_at_once(const Points& points) {
    constexpr std::int64_t values = std::int64_t{1} << 17;
    return std::clamp<std::int64_t>(values / std::max<std::int64_t>(1, points.columns()), 1, 256);
  }

 private:
  std::int64_t begin_;
  std::size_t columns_;
  std::vector<double> values_;
};

}  // namespace gssl::detail
