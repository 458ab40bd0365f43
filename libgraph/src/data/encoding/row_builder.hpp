#pragma once
// Rows that are built cell by cell, dense or sparse. Internal: not installed.
//
//   RowBuilder rows(n, columns, sparse);
//   rows.put(r, c, 1.5);                      // columns ascending within a row
//   rows.end_row();
//   Points points = std::move(rows).points();

#include <cstdint>
#include <utility>
#include <vector>

#include "gssl/data/points.hpp"

namespace gssl::detail {

class RowBuilder {
 public:
  RowBuilder(std::int64_t rows, std::int64_t columns, bool sparse)
      : rows_(rows), columns_(columns), sparse_(sparse) {
    if (!sparse) values_.assign(static_cast<std::size_t>(rows * columns), 0.0);
  }

  void put(std::int64_t row, std::int64_t column, double value) {
    if (!sparse_) {
      values_[static_cast<std::size_t>(row * columns_ + column)] = value;
    } else if (value != 0.0) {
      values_.push_back(value);
      ids_.push_back(static_cast<std::int32_t>(column));
    }
  }
  void end_row() { offsets_.push_back(static_cast<std::int64_t>(values_.size())); }

  Points points() && {
    return sparse_ ? Points::sparse(rows_, columns_, std::move(offsets_), std::move(ids_),
                                    std::move(values_))
                   : Points::dense(rows_, columns_, std::move(values_));
  }

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  bool sparse_;
  std::vector<double> values_;
  std::vector<std::int32_t> ids_;
  std::vector<std::int64_t> offsets_ = {0};
};

}  // namespace gssl::detail
