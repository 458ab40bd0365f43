#pragma once
// Edges in the order in which they came, up to 65,536 of them: what a builder keeps until it knows
// how many there are. A piece whose weights are all 1 stores none.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

#include "core/memory/release_pages.hpp"
#include "gssl/core/types.hpp"

namespace gssl::detail {

struct EdgePiece {
  static constexpr std::size_t capacity = std::size_t{1} << 16;
  using Pair = std::pair<VertexId, VertexId>;

  std::unique_ptr<Pair[]> pairs = std::make_unique_for_overwrite<Pair[]>(capacity);
  std::unique_ptr<double[]> weights;
  std::size_t size = 0;

  void add(VertexId u, VertexId v, double weight) {
    if (weight != 1.0 && !weights) {
      weights = std::make_unique_for_overwrite<double[]>(capacity);
      std::fill_n(weights.get(), size, 1.0);
    }
    if (weights) weights[size] = weight;
    pairs[size++] = {u, v};
  }

  // free() may keep the pages.
  void release() {
    release_pages(pairs.get(), pairs.get() + capacity);
    pairs.reset();
    if (weights) release_pages(weights.get(), weights.get() + capacity);
    weights.reset();
  }
};

}  // namespace gssl::detail
