#pragma once
// What every part of an encoding needs of the rows of a table. Internal: not installed.

#include <span>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl::detail {

[[noreturn]] inline void refuse_table(const std::string& what, Remedies remedies = {}) {
  throw Error(ErrorCode::bad_data, what, remedies);
}

// Of a row; none given: 1 each.
inline double weight_of(std::span<const double> weights, std::size_t row) {
  return weights.empty() ? 1.0 : weights[row];
}

}  // namespace gssl::detail
