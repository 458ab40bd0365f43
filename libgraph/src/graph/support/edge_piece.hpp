#pragma once
// Edges in the order in which they came: what a builder keeps until it knows how many there are,
// piece after piece, each twice as large as the one before up to 262,144 edges. A piece whose
// weights are all 1 stores none.

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/memory/release_pages.hpp"
#include "gssl/core/huge_array.hpp"
#include "gssl/core/types.hpp"

namespace gssl::detail {

struct EdgePiece {
  static constexpr std::size_t least_capacity = std::size_t{1} << 10;
  static constexpr std::size_t most_capacity = std::size_t{1} << 18;  // a huge page
  struct Pair {
    VertexId u, v;
  };

  explicit EdgePiece(std::size_t capacity) : pairs(capacity) {}

  HugeArray<Pair> pairs;
  HugeArray<double> weights;
  std::size_t size = 0;

  std::size_t room() const { return pairs.size() - size; }

  void add(VertexId u, VertexId v, double weight) {
    if (weight != 1.0 && weights.empty()) {
      weights = HugeArray<double>(pairs.size());
      std::fill_n(weights.data(), size, 1.0);
    }
    if (!weights.empty()) weights[size] = weight;
    pairs[size++] = {u, v};
  }

  // free() may keep the pages.
  void release() {
    release_pages(pairs.data(), pairs.data() + pairs.size());
    pairs = {};
    if (!weights.empty()) release_pages(weights.data(), weights.data() + weights.size());
    weights = {};
  }
};

// The piece that has room for the next edge.
template <class Piece>
Piece& piece_with_room(std::vector<Piece>& pieces,
                       std::size_t most_capacity = EdgePiece::most_capacity) {
  if (pieces.empty())
    pieces.emplace_back(std::min(EdgePiece::least_capacity, most_capacity));
  else if (pieces.back().room() == 0)
    pieces.emplace_back(std::min(2 * pieces.back().size, most_capacity));
  return pieces.back();
}

}  // namespace gssl::detail
