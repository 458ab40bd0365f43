#pragma once
// Numbers of vertices that the head of a file declares. Memory follows them, so that they are
// believed only as far as the bytes of the file carry them.

#include <cstdint>
#include <limits>
#include <string>

#include "gssl/core/types.hpp"

namespace gssl::detail {

// Most files have some bytes for each vertex; isolated ones may have none.
inline constexpr std::uint64_t vertices_per_byte = 16;
inline constexpr std::uint64_t vertices_always = std::uint64_t{1} << 20;

// "" if `count` vertices may be in a file of so many bytes, else why not.
inline std::string declared_too_many(std::uint64_t count, std::size_t bytes) {
  if (count > static_cast<std::uint64_t>(std::numeric_limits<VertexId>::max()))
    return std::to_string(count) + " vertices; at most 2^31 - 1 are taken";
  if (count <= vertices_always || count / vertices_per_byte <= bytes) return {};
  return std::to_string(count) + " vertices in a file of " + std::to_string(bytes) +
         " bytes; the file is cut short or its head is wrong";
}

}  // namespace gssl::detail
