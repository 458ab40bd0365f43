#pragma once
// The stump (a tree of one cut, a class on each side) of least weighted error, in one pass down
// every sorted column: with signed weights s = ±w the error of a cut is ½(1 − |2 S_left − S|) for
// weights of sum 1, so the cut sought has the largest edge |2 S_left − S|.
//
//   detail::SortedColumns sorted(points, run);
//   detail::StumpSearch search(data, sorted);
//   detail::Stump stump = search.best(signed_weights, run);     // again in every round
//
// The search keeps its own lists, 4 bytes a value held: the row, and whether the next has its value.
//
// One class for all rows, of edge |S|, is a stump too. Equal edges (within 1e-12) go to the lower
// column, then to the lower threshold. O(values held).

#include <cstdint>
#include <span>
#include <vector>

#include "batch/tree/sorted_columns.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/dataset.hpp"

namespace gssl::detail {

struct Stump {
  std::int32_t column = -1;  // −1: one class for all rows, which errs less than any cut
  double threshold = 0.0;
  bool second_left = false;  // class 1 is said of rows with x ≤ threshold
  double edge = 0.0;         // |2 S_left − S|
};

class StumpSearch {
 public:
  // Rows of weight 0 are left out. The points must outlive it; `sorted` need not.
  StumpSearch(const Dataset& data, const SortedColumns& sorted);

  // `signed_weights`: by row, positive for class 1, absolute values of sum 1.
  Stump best(std::span<const double> signed_weights, const RunContext& run) const;

 private:
  std::span<const std::uint32_t> column(std::int64_t c) const {
    const auto i = static_cast<std::size_t>(c);
    return std::span(entries_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

  const Points& points_;
  std::size_t rows_ = 0;  // of positive weight
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> entries_;  // row, and its top bit: the next entry has the same value
  std::vector<std::size_t> zeros_at_;   // of each column: where rows that it does not hold stand
};

}  // namespace gssl::detail
