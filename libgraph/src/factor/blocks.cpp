#include "blocks.hpp"

#include <algorithm>
#include <vector>

#include "dense_products.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

// Columns done one by one between two products of whole blocks, and columns of a product that one
// thread takes.
constexpr std::int64_t panel_width = 32;
constexpr std::int64_t tile_width = 64;

std::int64_t whole_vectors(std::int64_t row) { return row / 8 * 8; }

}  // namespace

void eliminate_block(const BlockShape& shape, double* front, double* panel, double* resistance,
                     int threads, const RunContext& run) {
  const std::int64_t columns = shape.columns, side = shape.side, stride = shape.stride;
  for (std::int64_t begin = 0; begin < columns; begin += panel_width) {
    if (begin > 0 && run.should_stop()) return;
    const std::int64_t end = std::min(columns, begin + panel_width);
    for (std::int64_t c = begin; c < end; ++c) {
      const std::int64_t below = side - c - 1;
      const double* w = front + c * stride + c + 1;
      double* p = panel + c * stride + c + 1;
      resistance[c] = below == 0 ? 0.0 : 1.0 / sum(below, w);
      for (std::int64_t i = 0; i < below; ++i) p[i] = w[i] * resistance[c];
      for (std::int64_t j = c + 1; j < end; ++j)
        add_multiple(side - j, w[j - c - 1], p + (j - c - 1), front + j * stride + j);
    }
    parallel_blocks(
        side - end, threads,
        [&](std::int64_t first, std::int64_t last) {
          if (begin > 0 && run.should_stop()) return;
          const std::int64_t top = whole_vectors(end + first);
          multiply_add(stride - top, last - first, end - begin, panel + begin * stride + top,
                       stride, front + begin * stride + end + first, stride, 1,
                       front + (end + first) * stride + top, stride);
        },
        tile_width);
  }
}

void extend_resistances(const BlockShape& shape, const double* panel, const double* resistance,
                        double* r, double* offset, int threads, const RunContext& run) {
  const std::int64_t columns = shape.columns, side = shape.side, stride = shape.stride;
  std::vector<double> y;
  for (std::int64_t end = columns, begin; end > 0; end = begin) {
    if (end < columns && run.should_stop()) return;
    begin = (end - 1) / panel_width * panel_width;
    y.assign(static_cast<std::size_t>(stride * (end - begin)), 0.0);
    const std::int64_t top = whole_vectors(end);
    parallel_blocks((stride - top) / 8, threads,
                    [&](std::int64_t first, std::int64_t last) {
                      const std::int64_t row = top + 8 * first;
                      multiply_add(8 * (last - first), end - begin, side - end,
                                   r + end * stride + row, stride, panel + begin * stride + end, 1,
                                   stride, y.data() + row, stride);
                    },
                    tile_width / 8);
    for (std::int64_t c = end - 1; c >= begin; --c) {
      const double* p = panel + c * stride;
      double* sums = y.data() + (c - begin) * stride;
      for (std::int64_t j = c + 1; j < end; ++j)
        sums[j] += dot(side - end, p + end, r + j * stride + end);
      for (std::int64_t j = c + 1; j < end; ++j)
        add_multiple(side - c - 1, p[j], r + j * stride + c + 1, sums + c + 1);
      offset[c] = resistance[c] - 0.5 * dot(side - c - 1, p + c + 1, sums + c + 1);
      for (std::int64_t i = c + 1; i < side; ++i) {
        r[c * stride + i] = sums[i] + offset[c];
        r[i * stride + c] = r[c * stride + i];
      }
    }
  }
}

}  // namespace gssl::solve
