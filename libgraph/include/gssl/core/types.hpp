#pragma once
// The two index types of the house.
//
// A graph has fewer than 2^31 vertices and any number of edges, so a vertex fits 32 bits and an
// offset into the adjacency arrays needs 64.

#include <cstdint>

namespace gssl {

using VertexId = std::int32_t;
using EdgeIndex = std::int64_t;

inline constexpr VertexId no_vertex = -1;

struct VertexPair {
  VertexId u = 0;
  VertexId v = 0;
  friend bool operator==(const VertexPair&, const VertexPair&) = default;
};

}  // namespace gssl
