#pragma once
// A number of a vertex, row or column as an index of a std::vector.

#include <cstddef>
#include <cstdint>

namespace gssl {

// Precondition: i ≥ 0.
constexpr std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

}  // namespace gssl
