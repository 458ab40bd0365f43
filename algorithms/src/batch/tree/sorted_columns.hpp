#pragma once
// Every column of a table in ascending order, made once and shared by all trees that are grown from
// it. What matters to a tree is order alone, so a value is kept as its dense rank in its column.
//
//   detail::SortedColumns sorted(points, run);
//   sorted.column(3);   // {rank, row} of column 3, ranks ascending, rows ascending within a rank
//
// A column of sparse points holds no row whose value is 0; zero_rank says where they would stand.
// O(nd) time for dense points, 8 bytes a value held.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"

namespace gssl::detail {

struct RankedRow {
  std::uint32_t rank;
  std::uint32_t row;
};

class SortedColumns {
 public:
  // Throws ErrorCode::cancelled or ErrorCode::time_limit if it is stopped.
  SortedColumns(const Points& points, const RunContext& run);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return static_cast<std::int64_t>(zero_rank_.size()); }
  bool is_sparse() const { return sparse_; }
  std::span<const RankedRow> column(std::int64_t c) const {
    const auto i = static_cast<std::size_t>(c);
    return std::span(entries_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }
  // The rank of 0 in a column of sparse points: that of no row held.
  std::uint32_t zero_rank(std::int64_t c) const { return zero_rank_[static_cast<std::size_t>(c)]; }

 private:
  std::int64_t rows_ = 0;
  bool sparse_ = false;
  std::vector<std::size_t> offsets_;
  std::vector<RankedRow> entries_;
  std::vector<std::uint32_t> zero_rank_;
};

}  // namespace gssl::detail
