#pragma once
// A dense block of columns, row-major: row v holds the c values of vertex v side by side, so that
// one pass over a sparse matrix serves all columns at once.
//
//   gssl::Block x(n, c);        // zeros
//   x(v, k) = 1.0;
//   std::span<double> row = x.row(v);
//   gssl::Block y(n, c, std::move(list));                  // takes the list, copies nothing
//   std::vector<double> back = std::move(y).release();     // and gives it back

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace gssl {

namespace detail {
// rows·columns. Throws ErrorCode::usage where a block cannot have that shape.
std::size_t block_length(std::int64_t rows, std::int64_t columns);
// The same; throws also unless `given` is that many.
std::size_t block_length(std::int64_t rows, std::int64_t columns, std::size_t given);
}  // namespace detail

class Block {
 public:
  Block() = default;
  // Throws ErrorCode::usage unless rows and columns are >= 0 and 8·rows·columns bytes can be named.
  Block(std::int64_t rows, std::int64_t columns, double value = 0.0)
      : rows_(rows), columns_(columns), values_(detail::block_length(rows, columns), value) {}
  // Row r, column c is values[r·columns + c]. Throws as above, and unless there are rows·columns.
  Block(std::int64_t rows, std::int64_t columns, std::vector<double> values)
      : rows_(rows), columns_(columns), values_(std::move(values)) {
    detail::block_length(rows, columns, values_.size());
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  double& operator()(std::int64_t r, std::int64_t c) { return values_[index(r, c)]; }
  double operator()(std::int64_t r, std::int64_t c) const { return values_[index(r, c)]; }

  std::span<double> row(std::int64_t r) {
    return {values_.data() + r * columns_, static_cast<std::size_t>(columns_)};
  }
  std::span<const double> row(std::int64_t r) const {
    return {values_.data() + r * columns_, static_cast<std::size_t>(columns_)};
  }

  double* data() { return values_.data(); }
  const double* data() const { return values_.data(); }
  std::span<const double> values() const { return values_; }

  // The values, row by row; the block is then empty.
  std::vector<double> release() && {
    rows_ = columns_ = 0;
    return std::exchange(values_, {});
  }

  friend bool operator==(const Block&, const Block&) = default;

 private:
  std::size_t index(std::int64_t r, std::int64_t c) const {
    return static_cast<std::size_t>(r * columns_ + c);
  }

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::vector<double> values_;
};

}  // namespace gssl
