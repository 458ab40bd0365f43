#pragma once
// Internal: not installed.

#include <algorithm>
#include <cstdint>

#include "gssl/core/block.hpp"
#include "gssl/core/index.hpp"

namespace gssl::detail {

// A copy of the first `count` columns.
inline Block first_columns(const Block& block, std::int64_t count) {
  Block some(block.rows(), count);
  for (std::int64_t r = 0; r < some.rows(); ++r)
    std::ranges::copy(block.row(r).first(index(count)), some.row(r).begin());
  return some;
}

}  // namespace gssl::detail
