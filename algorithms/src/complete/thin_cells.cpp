#include "complete/thin_cells.hpp"

#include <utility>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "online/lanes.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t lines_at_once = 64;  // rows, or columns, of one block of work

// By four partial sums, which vectors of four hold.
inline double inner_product_of(const double* a, const double* b, std::int64_t width) {
  double sums[4] = {0.0, 0.0, 0.0, 0.0};
  std::int64_t k = 0;
  for (; k + 4 <= width; k += 4)
    for (int lane = 0; lane < 4; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (; k < width; ++k) sums[0] += a[k] * b[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

GSSL_CLONES void leave_line(const std::int32_t* other, const double* value, std::int64_t count,
                            const double* left, const double* right, std::int64_t width,
                            double* out) {
  for (std::int64_t i = 0; i < count; ++i)
    out[i] = value[i] - inner_product_of(left, right + other[i] * width, width);
}

// Some columns of Σ e x_other over the cells of a line, in registers.
template <int lanes>
inline void sum_columns(const std::int32_t* other, const double* e, std::int64_t count,
                        const double* x, std::int64_t width, double* y) {
  double sums[lanes] = {};
  for (std::int64_t i = 0; i < count; ++i) {
    const double* from = x + other[i] * width;
    for (int lane = 0; lane < lanes; ++lane) sums[lane] += e[i] * from[lane];
  }
  for (int lane = 0; lane < lanes; ++lane) y[lane] = sums[lane];
}

GSSL_CLONES void sum_line(const std::int32_t* other, const double* e, std::int64_t count,
                          const double* x, std::int64_t width, double* y) {
  std::int64_t k = 0;
  for (; k + 8 <= width; k += 8) sum_columns<8>(other, e, count, x + k, width, y + k);
  for (; k + 4 <= width; k += 4) sum_columns<4>(other, e, count, x + k, width, y + k);
  for (; k < width; ++k) sum_columns<1>(other, e, count, x + k, width, y + k);
}

}  // namespace

ThinCells::ThinCells(const Cells& cells, const RunContext& run)
    : rows_(cells.rows), columns_(cells.columns), threads_(run.thread_count()) {
  CellIndex rows = by_row(cells);
  CellIndex columns = by_column(cells);
  const std::size_t count = cells.value.size();
  std::vector<std::int64_t> place_by_row(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t cell = index(rows.order[i]);
    place_by_row[cell] = static_cast<std::int64_t>(i);
    column_of_.push_back(cells.column[cell]);
    value_.push_back(cells.value[cell]);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t cell = index(columns.order[i]);
    row_of_.push_back(cells.row[cell]);
    place_.push_back(place_by_row[cell]);
  }
  row_offset_ = std::move(rows.offset);
  column_offset_ = std::move(columns.offset);
}

std::vector<double> ThinCells::leave(const ThinBlock& left, const ThinBlock& right) const {
  std::vector<double> out(value_.size());
  parallel_blocks(
      rows_, threads_,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
          const std::int64_t first = row_offset_[index(r)];
          leave_line(column_of_.data() + first, value_.data() + first,
                     row_offset_[index(r + 1)] - first, left.data() + r * left.cols(), right.data(),
                     left.cols(), out.data() + first);
        }
      },
      lines_at_once);
  return out;
}

ThinBlock ThinCells::times(const std::vector<double>& e, const ThinBlock& x) const {
  ThinBlock y = ThinBlock::Zero(rows_, x.cols());
  parallel_blocks(
      rows_, threads_,
      [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
          const std::int64_t first = row_offset_[index(r)];
          sum_line(column_of_.data() + first, e.data() + first, row_offset_[index(r + 1)] - first,
                   x.data(), x.cols(), y.data() + r * y.cols());
        }
      },
      lines_at_once);
  return y;
}

ThinBlock ThinCells::transposed_times(const std::vector<double>& e, const ThinBlock& x) const {
  ThinBlock y = ThinBlock::Zero(columns_, x.cols());
  parallel_blocks(
      columns_, threads_,
      [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> here;
        for (std::int64_t c = begin; c < end; ++c) {
          const std::int64_t first = column_offset_[index(c)], last = column_offset_[index(c + 1)];
          here.clear();
          for (std::int64_t i = first; i < last; ++i) here.push_back(e[index(place_[index(i)])]);
          sum_line(row_of_.data() + first, here.data(), last - first, x.data(), x.cols(),
                   y.data() + c * y.cols());
        }
      },
      lines_at_once);
  return y;
}

}  // namespace gssl::detail
