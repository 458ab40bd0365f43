#pragma once
// The stump (a tree of one cut, a class on each side) of least weighted error, in one pass down
// every sorted column: with signed weights s = ±w the error of a cut is ½(1 − |2 S_left − S|) for
// weights of sum 1, so the cut sought has the largest edge |2 S_left − S|.
//
//   detail::SortedColumns sorted(points, run);
//   detail::Stump stump = detail::best_stump(points, sorted, signed_weights, run);
//
// One class for all rows, of edge |S|, is a stump too. Equal edges (within 1e-12) go to the lower
// column, then to the lower threshold. O(values held).

#include <cstdint>
#include <span>

#include "batch/tree/sorted_columns.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::detail {

struct Stump {
  std::int32_t column = -1;  // −1: one class for all rows, which errs less than any cut
  double threshold = 0.0;
  bool second_left = false;  // class 1 is said of rows with x ≤ threshold
  double edge = 0.0;         // |2 S_left − S|
};

// `signed_weights`: by row, positive for class 1, absolute values of sum 1.
Stump best_stump(const Points& points, const SortedColumns& sorted,
                 std::span<const double> signed_weights, const RunContext& run);

}  // namespace gssl::detail
