#pragma once
// Sets that merge (Tarjan 1975, doi:10.1145/321879.321884): union by size, paths halved.

#include <numeric>
#include <utility>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/core/types.hpp"

namespace gssl {

class DisjointSets {
 public:
  explicit DisjointSets(VertexId count)
      : parent_(static_cast<std::size_t>(count)),
        size_(static_cast<std::size_t>(count), 1),
        sets_(count) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  VertexId find(VertexId v) {
    while (parent_[index(v)] != v) v = parent_[index(v)] = parent_[index(parent_[index(v)])];
    return v;
  }

  // False if they were in one set already.
  bool unite(VertexId a, VertexId b) {
    a = find(a);
    b = find(b);
    if (a == b) return false;
    if (size_[index(a)] < size_[index(b)]) std::swap(a, b);
    parent_[index(b)] = a;
    size_[index(a)] += size_[index(b)];
    --sets_;
    return true;
  }

  VertexId sets() const { return sets_; }
  VertexId size(VertexId representative) const { return size_[index(representative)]; }

 private:
  std::vector<VertexId> parent_;
  std::vector<VertexId> size_;
  VertexId sets_;
};

}  // namespace gssl
