#include "given_rows.hpp"

#include <algorithm>
#include <span>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::detail {

void set_given_rows(Block& scores, const LabeledSet& labeled, int threads) {
  const Block targets = labeled.target_block();
  parallel_blocks(targets.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const std::span<const double> target = targets.row(i);
      const std::span<double> row = scores.row(labeled.vertices()[index(i)]);
      if (!std::ranges::equal(row, target)) std::ranges::copy(target, row.begin());
    }
  });
}

}  // namespace gssl::detail
