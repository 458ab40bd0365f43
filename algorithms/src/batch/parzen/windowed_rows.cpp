#include "batch/parzen/windowed_rows.hpp"

#include <numeric>

#include "gssl/learn/inductive.hpp"

namespace gssl::detail {

WindowedRows windowed(const Dataset& data) {
  check_targets("parzen", data, true, false);
  Dataset storage;
  const Dataset& kept = with_weight(data, storage);
  WindowedRows rows;
  rows.points = kept.points;
  rows.class_of.assign(kept.targets.class_of().begin(), kept.targets.class_of().end());
  rows.class_weight.assign(static_cast<std::size_t>(kept.targets.class_count()), 0.0);
  for (std::size_t r = 0; r < rows.class_of.size(); ++r) {
    rows.weights.push_back(kept.weight(static_cast<std::int64_t>(r)));
    rows.class_weight[static_cast<std::size_t>(rows.class_of[r])] += rows.weights.back();
  }
  return rows;
}

TrainingRows all_rows(const Points& points, bool sparse) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), 0);
  return {sparse && !points.is_sparse() ? as_sparse(points) : points, order};
}

}  // namespace gssl::detail
