#pragma once
// The path-tree kernel of times 0 … T−1: near times are alike, and a sequence that seldom changes
// has a small norm. The times are the leaves of a complete binary tree with N = 2^(⌈log₂T⌉+1) − 1
// vertices and unit edges, L its Laplacian, R the largest L⁺_vv:
//
//   P(s, t) = L⁺_st + R = 2R − bit_width(s xor t)
//
//   gssl::PathTreeKernel p(800);
//   p(3, 4);          // O(1): no matrix
//   p.largest();      // P(t, t), the same for all t, ≤ 2⌈log₂T⌉
//
// For f of 0 and 1 with k changes, ‖f‖²·P(t, t) ≤ k⌈log₂T⌉² + 2 (M. Herbster, G. Lever, M. Pontil,
// NIPS 2008; M. Herbster, S. Pasteris, L. Tse, NeurIPS 2020). T = 1: P = 1.

#include <cstdint>

namespace gssl {

class PathTreeKernel {
 public:
  // Throws ErrorCode::usage unless 1 ≤ horizon ≤ 2^40. O(log T).
  explicit PathTreeKernel(std::int64_t horizon);

  // Throws ErrorCode::bad_data unless both are times.
  double operator()(std::int64_t s, std::int64_t t) const;
  double largest() const { return largest_; }
  std::int64_t horizon() const { return horizon_; }

 private:
  std::int64_t horizon_;
  double largest_;
};

}  // namespace gssl
