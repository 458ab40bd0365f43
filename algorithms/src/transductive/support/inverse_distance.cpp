#include "inverse_distance.hpp"

#include <algorithm>
#include <limits>

namespace gssl::detail {

// Written with ratios to the least distance, which never overflow.
void inverse_distance_shares(std::span<double> row) {
  const double least = *std::ranges::min_element(row);
  if (least == std::numeric_limits<double>::infinity())
    return;  // unreached: finish_fit makes it zero
  double sum = 0.0;
  for (double& value : row) {
    value = value == least ? 1.0 : least / value;
    sum += value;
  }
  for (double& value : row) value /= sum;
}

}  // namespace gssl::detail
