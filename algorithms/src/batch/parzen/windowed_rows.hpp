#pragma once
// The rows that windows stand around, and differences of two of them. Internal: not installed.

#include <cstdint>
#include <limits>
#include <vector>

#include "batch/linear/design.hpp"
#include "batch/linear/training_rows.hpp"
#include "gssl/data/dataset.hpp"

namespace gssl::detail {

struct WindowedRows {
  Points points;
  std::vector<std::int32_t> class_of;
  std::vector<double> weights;       // of each row
  std::vector<double> class_weight;  // of each class, 0: no row
};

// Rows of weight 0 are left out. Throws ErrorCode::usage for a regression.
WindowedRows windowed(const Dataset& data);

TrainingRows all_rows(const Points& points, bool sparse);

// Calls body(a_c − b_c) for the columns that either holds, until it returns false.
template <class Body>
void visit_differences(const VectorView& a, const VectorView& b, Body&& body) {
  const auto value = [](const VectorView& list, std::int64_t e) {
    return list.values == nullptr ? 1.0 : list.values[e];
  };
  std::int64_t i = 0;
  std::int64_t j = 0;
  while (i < a.size || j < b.size) {
    const auto none = std::numeric_limits<std::int64_t>::max();
    const std::int64_t at_a = i >= a.size ? none : a.ids == nullptr ? i : a.ids[i];
    const std::int64_t at_b = j >= b.size ? none : b.ids == nullptr ? j : b.ids[j];
    double difference = 0.0;
    if (at_a <= at_b) difference += value(a, i++);
    if (at_b <= at_a) difference -= value(b, j++);
    if (!body(difference)) return;
  }
}

}  // namespace gssl::detail
