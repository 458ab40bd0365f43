#pragma once
// The lower triangle of a square matrix by rows, in stripes: all rows of a stripe are as long as
// its last one, so that tiles of a stripe have one distance from row to row. Half of the matrix's
// memory, on huge pages, with no value yet. Internal: not installed.
//
//   LowerRows<float> k(n);
//   k.row(r)[c] = …;                                // c ≤ r
//   k.row(r + 1) == k.row(r) + k.stride(r);         // within a stripe

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/core/index.hpp"

namespace gssl::detail {

template <class Real>
class LowerRows {
 public:
  static constexpr std::int64_t height = 384;  // of a stripe

  explicit LowerRows(std::int64_t n = 0) : n_(n) {
    std::int64_t size = 0;
    for (std::int64_t first = 0; first < n; first += height) {
      begin_.push_back(size);
      size += std::min(height, n - first) * stride(first);
    }
    values_ = HugeArray<Real>(index(size));
  }

  std::int64_t size() const { return n_; }
  std::int64_t stride(std::int64_t r) const {
    // A line of the cache more, so that rows do not share their place in it.
    constexpr auto line = static_cast<std::int64_t>(64 / sizeof(Real));
    return (std::min(n_, (r / height + 1) * height) / line + 2) * line;
  }
  Real* row(std::int64_t r) {
    return values_.data() + begin_[index(r / height)] + r % height * stride(r);
  }
  const Real* row(std::int64_t r) const { return const_cast<LowerRows*>(this)->row(r); }

 private:
  std::int64_t n_;
  std::vector<std::int64_t> begin_;  // of each stripe
  HugeArray<Real> values_;
};

}  // namespace gssl::detail
