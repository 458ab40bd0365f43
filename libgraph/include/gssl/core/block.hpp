#pragma once
// A dense block of columns, row-major: row v holds the c values of vertex v side by side, so that
// one pass over a sparse matrix serves all columns at once.
//
//   gssl::Block x(n, c);        // zeros
//   x(v, k) = 1.0;
//   std::span<double> row = x.row(v);
//   gssl::Block y(n, c, std::move(list));                        // takes the list
//   gssl::Block z = gssl::Block::view(n, c, std::span(mine));    // reads and writes mine
//
// A copy has values of its own, a copy of a view as well, and so has a view that another block was
// assigned to. A block that was moved from is empty.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "gssl/core/huge_array.hpp"

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
      : rows_(rows),
        columns_(columns),
        own_(detail::block_length(rows, columns), value),
        values_(own_.data()) {}
  // Row r, column c is values[r·columns + c]; none is copied. Throws as above, and unless there are
  // rows·columns.
  Block(std::int64_t rows, std::int64_t columns, std::vector<double> values);
  // Values of the caller's, which stay where they are while this block or one moved from it is in
  // use. `owner`, where given, is held as long and frees them. Throws as above.
  static Block view(std::int64_t rows, std::int64_t columns, std::span<double> values,
                    std::shared_ptr<void> owner = {});

  Block(const Block& other)
      : rows_(other.rows_),
        columns_(other.columns_),
        own_(other.values_, other.values_ + other.length()),
        values_(own_.data()) {}
  Block(Block&& other) noexcept { swap(other); }
  // In the memory at hand, where it suffices.
  Block& operator=(const Block& other) {
    if (this == &other) return *this;
    own_.assign(other.values_, other.values_ + other.length());
    owner_.reset();
    rows_ = other.rows_;
    columns_ = other.columns_;
    values_ = own_.data();
    return *this;
  }
  Block& operator=(Block&& other) noexcept {
    Block taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~Block() = default;

  // Copies the values that an owner holds, such as those of a file whose pages are copied as they are
  // written to: all at once is faster than page by page. A view without an owner stays one.
  void own_values() {
    if (owner_ != nullptr) *this = Block(*this);
  }

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

  double& operator()(std::int64_t r, std::int64_t c) { return values_[index(r, c)]; }
  double operator()(std::int64_t r, std::int64_t c) const { return values_[index(r, c)]; }

  std::span<double> row(std::int64_t r) {
    return {values_ + r * columns_, static_cast<std::size_t>(columns_)};
  }
  std::span<const double> row(std::int64_t r) const {
    return {values_ + r * columns_, static_cast<std::size_t>(columns_)};
  }

  double* data() { return values_; }
  const double* data() const { return values_; }
  std::span<const double> values() const { return {values_, length()}; }

  friend bool operator==(const Block& a, const Block& b) {
    return a.rows_ == b.rows_ && a.columns_ == b.columns_ &&
           std::equal(a.values_, a.values_ + a.length(), b.values_);
  }

 private:
  std::size_t index(std::int64_t r, std::int64_t c) const {
    return static_cast<std::size_t>(r * columns_ + c);
  }
  std::size_t length() const { return static_cast<std::size_t>(rows_ * columns_); }
  void swap(Block& other) noexcept {
    std::swap(rows_, other.rows_);
    std::swap(columns_, other.columns_);
    own_.swap(other.own_);
    owner_.swap(other.owner_);
    std::swap(values_, other.values_);
  }

  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  // Its own values; or none where values_ are the caller's, or of a list that owner_ holds.
  std::vector<double, HugeAllocator<double>> own_;
  std::shared_ptr<void> owner_;
  double* values_ = nullptr;
};

}  // namespace gssl
