#include "given_rows.hpp"

#include <algorithm>

namespace gssl::detail {

void set_given_rows(Block& scores, const LabeledSet& labeled) {
  const Block targets = labeled.target_block();
  for (std::size_t i = 0; i < labeled.size(); ++i)
    std::ranges::copy(targets.row(static_cast<std::int64_t>(i)),
                      scores.row(labeled.vertices()[i]).begin());
}

}  // namespace gssl::detail
