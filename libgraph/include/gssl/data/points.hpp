#pragma once
// Feature vectors: n rows of d numbers, dense (row-major) or sparse (compressed rows), kept as
// float or double just as they came. Valid by construction: every value is finite, sparse columns
// ascend within a row. Immutable, shareable between threads.
//
//   gssl::Points plane = gssl::Points::dense(3, 2, std::vector<float>{0, 0, 1, 0, 0, 1});
//   plane.value(1, 0);   // 1
//   gssl::Points words = gssl::Points::sparse(2, 9, {0, 1, 3}, {4, 0, 8},
//                                             std::vector<double>{1, .5, 2});
//
//   std::vector<float> mine = …;                       // stays where it is
//   gssl::Points seen = gssl::Points::dense_view(n, d, std::span<const float>(mine));
//
// Memory: the values (4 or 8 bytes each), and for sparse rows 4 bytes per value and 8 per row. A
// view takes none, nor does a copy of it.

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl {

class Points {
 public:
  using Values = std::variant<std::vector<float>, std::vector<double>>;

  // No rows, no columns.
  Points() = default;

  // Row r, column c is values[r·columns + c]. Throws ErrorCode::bad_data if there are not
  // rows·columns values, rows is not in [0, 2^31 − 1], columns is negative, or a value is not
  // finite (the message names its row and column, from 0). O(nd).
  static Points dense(std::int64_t rows, std::int64_t columns, Values values);

  // The same values where they are, without a copy; they must not change while these points or a
  // copy of them are in use. `owner`, where given, is held as long as any of these is, and frees
  // the memory when the last is gone; without one the caller sees to it that they last. Throws as
  // above.
  static Points dense_view(std::int64_t rows, std::int64_t columns, std::span<const float> values,
                           std::shared_ptr<const void> owner = {});
  static Points dense_view(std::int64_t rows, std::int64_t columns, std::span<const double> values,
                           std::shared_ptr<const void> owner = {});

  // Row r holds values[e] in column column_ids[e] for offsets[r] ≤ e < offsets[r+1]; what is not
  // held is 0. Throws as above, and on offsets that do not run from 0 up to the number of values or
  // on columns out of range or not ascending within a row. O(rows + values).
  static Points sparse(std::int64_t rows, std::int64_t columns, std::vector<std::int64_t> offsets,
                       std::vector<std::int32_t> column_ids, Values values);

  VertexId rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  bool is_sparse() const { return !offsets_.empty(); }
  bool is_float() const { return values_.index() % 2 == 0; }

  // O(1) dense, O(log row length) sparse.
  double value(VertexId row, std::int64_t column) const;

  // Calls body(column, value) for what row `row` holds, columns ascending: every column when dense.
  template <class Body>
  void visit_row(VertexId row, Body&& body) const {
    const auto visit = [&](const auto values) {
      if (is_sparse()) {
        const auto end = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(row) + 1]);
        for (auto e = static_cast<std::size_t>(offsets_[static_cast<std::size_t>(row)]); e < end;
             ++e)
          body(static_cast<std::int64_t>(column_ids_[e]), static_cast<double>(values[e]));
      } else {
        const auto* first = values.data() + row * columns_;
        for (std::int64_t c = 0; c < columns_; ++c) body(c, static_cast<double>(first[c]));
      }
    };
    is_float() ? visit(floats()) : visit(doubles());
  }

  // The values as stored; the span of the other type is empty.
  std::span<const float> floats() const;
  std::span<const double> doubles() const;
  // Of sparse rows; empty when dense.
  std::span<const std::int64_t> offsets() const { return offsets_; }
  std::span<const std::int32_t> column_ids() const { return column_ids_; }

 private:
  // Own values or a view of those of others; floats at even places.
  using Storage = std::variant<std::vector<float>, std::vector<double>, std::span<const float>,
                               std::span<const double>>;

  static Points make_dense(std::int64_t rows, std::int64_t columns, Storage values);

  VertexId rows_ = 0;
  std::int64_t columns_ = 0;
  Storage values_;
  std::shared_ptr<const void> owner_;  // of a view's values
  std::vector<std::int64_t> offsets_;
  std::vector<std::int32_t> column_ids_;
};

// The same rows held sparse, without zeros if they were dense. O(nd) or O(values).
Points as_sparse(const Points& points);

// Some rows, in that order, repetitions kept, stored as they were. Throws ErrorCode::bad_data on a
// row out of range. O(rows·columns) or O(values).
Points select(const Points& points, std::span<const std::int32_t> rows);

}  // namespace gssl
