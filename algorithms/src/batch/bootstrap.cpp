#include "batch/bootstrap.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gssl::detail {

Bootstrap::Bootstrap(const Dataset& data, double share)
    : rows_(static_cast<std::size_t>(data.points.rows())) {
  double copies = static_cast<double>(rows_);
  if (!data.weights.empty()) {
    sums_.resize(rows_);
    std::partial_sum(data.weights.begin(), data.weights.end(), sums_.begin());
    const bool whole =
        std::ranges::all_of(data.weights, [](double w) { return w == std::floor(w); });
    copies = whole && sums_.back() < 0x1p31 ? sums_.back()
                                            : static_cast<double>(std::ranges::count_if(
                                                  data.weights, [](double w) { return w > 0.0; }));
  }
  draws_ = std::max<std::int64_t>(1, std::llround(share * copies));
}

std::vector<double> Bootstrap::draw(Rng& rng) const {
  std::vector<double> counts(rows_, 0.0);
  const double total = sums_.empty() ? 0.0 : sums_.back();
  const bool whole = total == std::floor(total) && total < 0x1p53;
  for (std::int64_t i = 0; i < draws_; ++i) {
    if (sums_.empty()) {
      ++counts[rng.below(rows_)];
      continue;
    }
    // A whole number below a whole total picks the copy that `below` picks where rows are copied.
    const double place = whole ? static_cast<double>(rng.below(static_cast<std::uint64_t>(total)))
                               : rng.uniform() * total;
    const auto row = std::ranges::upper_bound(sums_, place) - sums_.begin();
    ++counts[std::min(static_cast<std::size_t>(row), rows_ - 1)];
  }
  return counts;
}

}  // namespace gssl::detail
