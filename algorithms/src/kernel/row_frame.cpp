#include "kernel/row_frame.hpp"

#include <algorithm>
#include <cstddef>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "kernel/row_products.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t narrow_columns = 512;   // columns that are always held dense
constexpr std::int64_t lean = 16;              // sparse where at most every 16th cell is held
constexpr std::int64_t scattered = 1LL << 16;  // columns up to which rows are spread out
constexpr std::int64_t side_by_side = 8;

template <class Entries>
auto merged_product(const Entries& a, const Entries& b) {
  decltype(a[0].value + b[0].value) sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].column == b[j].column)
      sum += a[i++].value * b[j++].value;
    else
      a[i].column < b[j].column ? ++i : ++j;
  }
  return sum;
}

}  // namespace

bool held_sparse(const Points& points) {
  return points.is_sparse() && points.columns() > narrow_columns &&
         static_cast<std::int64_t>(points.column_ids().size()) <=
             points.rows() * (points.columns() / lean);
}

template <class Real>
RowFrame<Real>::RowFrame(const Points& points, std::span<const double> shift, bool sparse,
                         int threads)
    : count_(points.rows()), columns_(points.columns()), sparse_(sparse) {
  if (sparse_) {
    offsets_.assign(points.offsets().begin(), points.offsets().end());
    entries_.reserve(points.column_ids().size());
    for (VertexId r = 0; r < points.rows(); ++r)
      points.visit_row(r, [&](std::int64_t c, double x) {
        entries_.push_back({static_cast<std::int32_t>(c), static_cast<Real>(x)});
      });
  } else {
    values_.assign(index(count_ * columns_), Real{0});
    parallel_blocks(count_, threads, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t r = begin; r < end; ++r) {
        Real* row = values_.data() + r * columns_;
        for (std::size_t c = 0; c < shift.size(); ++c) row[c] = static_cast<Real>(-shift[c]);
        points.visit_row(static_cast<VertexId>(r), [&](std::int64_t c, double x) {
          row[c] = static_cast<Real>(shift.empty() ? x : x - shift[index(c)]);
        });
      }
    });
  }
  measure(threads);
}

template <class Real>
void RowFrame<Real>::measure(int threads) {
  squares_.assign(index(count_), Real{0});
  parallel_blocks(count_, threads, [&](std::int64_t begin, std::int64_t end) {
    Real square[side_by_side * side_by_side];
    for (std::int64_t r = begin; r < end; r += side_by_side) {
      const std::int64_t rows = std::min(side_by_side, end - r);
      products(r, rows, *this, r, rows, square, side_by_side);
      for (std::int64_t i = 0; i < rows; ++i) squares_[index(r + i)] = square[i * side_by_side + i];
    }
  });
}

template <class Real>
RowFrame<Real> RowFrame<Real>::gather(std::span<const std::int32_t> rows) const {
  RowFrame some;
  some.count_ = std::ssize(rows);
  some.columns_ = columns_;
  some.sparse_ = sparse_;
  if (sparse_) some.offsets_.push_back(0);
  for (const std::int32_t r : rows) {
    some.squares_.push_back(squares_[index(r)]);
    if (sparse_) {
      const auto row = entries(r);
      some.entries_.insert(some.entries_.end(), row.begin(), row.end());
      some.offsets_.push_back(std::ssize(some.entries_));
    } else {
      const Real* row = values_.data() + r * columns_;
      some.values_.insert(some.values_.end(), row, row + columns_);
    }
  }
  return some;
}

template <class Real>
auto RowFrame<Real>::entries(std::int64_t row) const -> std::span<const Entry> {
  return std::span(entries_).subspan(index(offsets_[index(row)]),
                                     index(offsets_[index(row) + 1] - offsets_[index(row)]));
}

template <class Real>
void RowFrame<Real>::products(std::int64_t first, std::int64_t rows, const RowFrame& other,
                              std::int64_t other_first, std::int64_t other_rows, Real* out,
                              std::int64_t stride) const {
  if (sparse_) return sparse_products(first, rows, other, other_first, other_rows, out, stride);
  const Rows<Real> a{values_.data(), count_, columns_};
  const Rows<Real> b{other.values_.data(), other.count_, columns_};
  multiply_rows(a.from(first, rows), b.from(other_first, other_rows), columns_, out, stride,
                Into::set);
}

// Eight rows are spread out side by side, so that an entry of the other rows serves all of them.
// Both ways add the products that are not of a zero in the order of the columns: the same bytes.
template <class Real>
void RowFrame<Real>::sparse_products(std::int64_t first, std::int64_t rows, const RowFrame& other,
                                     std::int64_t other_first, std::int64_t other_rows, Real* out,
                                     std::int64_t stride) const {
  if (columns_ > scattered || rows == 1) {
    for (std::int64_t i = 0; i < rows; ++i)
      for (std::int64_t j = 0; j < other_rows; ++j)
        out[i * stride + j] = merged_product(entries(first + i), other.entries(other_first + j));
    return;
  }
  std::vector<Real> spread(index(columns_ * side_by_side), Real{0});
  for (std::int64_t g = 0; g < rows; g += side_by_side) {
    const std::int64_t wide = std::min(side_by_side, rows - g);
    const auto write = [&](bool clear) {
      for (std::int64_t i = 0; i < wide; ++i)
        for (const Entry& e : entries(first + g + i))
          spread[index(e.column * side_by_side + i)] = clear ? Real{0} : e.value;
    };
    write(false);
    for (std::int64_t j = 0; j < other_rows; ++j) {
      Real sum[side_by_side] = {};
      for (const Entry& e : other.entries(other_first + j)) {
        const Real* lanes = spread.data() + e.column * side_by_side;
        for (std::int64_t i = 0; i < side_by_side; ++i) sum[i] += lanes[i] * e.value;
      }
      for (std::int64_t i = 0; i < wide; ++i) out[(g + i) * stride + j] = sum[i];
    }
    write(true);
  }
}

template class RowFrame<float>;
template class RowFrame<double>;

}  // namespace gssl::detail
