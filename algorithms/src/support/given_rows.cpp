#include "given_rows.hpp"

#include <algorithm>
#include <span>

namespace gssl::detail {

void set_given_rows(Block& scores, const LabeledSet& labeled) {
  const Block targets = labeled.target_block();
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const std::span<const double> target = targets.row(static_cast<std::int64_t>(i));
    const std::span<double> row = scores.row(labeled.vertices()[i]);
    if (!std::ranges::equal(row, target)) std::ranges::copy(target, row.begin());
  }
}

}  // namespace gssl::detail
