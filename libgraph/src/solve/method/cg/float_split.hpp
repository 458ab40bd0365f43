#pragma once
// The matrix of a SweptSystem in floats, for columns that go sixteen side by side: a row of them is
// a cache line, so that they take hardly longer than five in doubles, which wait for as many lines.
// The steps of conjugate gradients on Ã are fused into three passes.
//
//   FloatSplit split(swept);
//   FloatColumns columns(split.size());
//   split.move(alpha, beta, columns);              // x += αp, p = Pr + βp, and half a product
//   const LaneSums pq = split.multiply(columns);   // q = Ãp
//   const FloatSplit::Norms norms = split.reduce(alpha, columns);  // r −= αq
//
// One thread. The swept system must outlive it. Everything is in units of 2^exponent(), so that the
// pivots lie around 1. 4 bytes for each edge with a weight, none for others, 12 for each row.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "swept_cg.hpp"

namespace gssl::solve {

// Columns side by side.
inline constexpr int float_lanes = 16;

using LaneFactors = std::array<float, float_lanes>;
using LaneSums = std::array<double, float_lanes>;

// Blocks of conjugate gradients, row-major, of float_lanes columns, all 0 at first.
class FloatColumns {
 public:
  explicit FloatColumns(VertexId rows);

  float* x() { return part(0); }
  float* r() { return part(1); }
  float* p() { return part(2); }
  float* q() { return part(3); }
  float* t() { return part(4); }  // scratch, like q between two steps
  // The space of q and t as a row-major block of doubles.
  double* doubles() { return reinterpret_cast<double*>(q()); }
  // x, r and p.
  std::span<float> kept() { return {values_.data(), 3 * length_}; }
  std::span<const float> kept() const { return {values_.data(), 3 * length_}; }

 private:
  static constexpr std::size_t blocks = 5;
  float* part(std::size_t which) { return values_.data() + which * length_; }
  std::size_t length_;
  HugeArray<float> values_;
};

struct FloatSplitRows;
struct FloatKernels;

class FloatSplit {
 public:
  explicit FloatSplit(const SweptSystem& split);

  // Whether floats have room for the pivots.
  static bool fits(const SweptSystem& split);

  VertexId size() const { return split_.size(); }
  VertexId vertex(VertexId row) const { return split_.vertex(row); }
  int exponent() const { return exponent_; }

  // x += αp, then p = Pr + βp, and t = (P − Wᵀ)⁻¹p.
  void move(const LaneFactors& alpha, const LaneFactors& beta, FloatColumns& columns) const;
  // q = Ãp after move(); returns pᵀq.
  LaneSums multiply(FloatColumns& columns) const;
  struct Norms {
    LaneSums rr, rz;  // rᵀr and rᵀPr
  };
  // r −= αq.
  Norms reduce(const LaneFactors& alpha, FloatColumns& columns) const;
  // x = (P − W)⁻¹x and x = (P − Wᵀ)⁻¹x, in place.
  void forward(float* x) const;
  void backward(float* x) const;

 private:
  FloatSplitRows rows() const;

  const SweptSystem& split_;
  int exponent_ = 0;
  std::vector<VertexId> colors_;  // first row of each, and the end
  std::vector<float> pivot_, inverse_, excess_;
  HugeArray<float> weight_;  // empty: all 1
  const FloatKernels& kernels_;
};

}  // namespace gssl::solve
