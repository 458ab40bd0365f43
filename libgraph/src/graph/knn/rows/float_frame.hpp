#pragma once
// Rows as floats, with a bound on what that costs.
//
// A search in floats must never lose a neighbor that the double keys would keep. The frame moves
// the rows to their middle and scales them by a power of two, so that every float coordinate is
// within 2⁻²⁴ of the true one, relative to itself. Row i as a whole is then off by at most
// error_of(i) in the norm, and the float distance of rows i and j exceeds
//   reach(key) + error_of(i) + error_of(j)
// only if their key exceeds `key`; reach leaves room for the rounding of d additions too.
//
// The middle is a median, so a few far outliers do not cost the other rows their digits. Rows 2⁴⁸
// times as far out as is typical have an infinite error: a search has to compute their keys.

#include <vector>

#include "row_space.hpp"

namespace gssl::knn {

inline constexpr int lanes = 32;  // points in a leaf or panel

class FloatFrame {
 public:
  explicit FloatFrame(const RowSpace& rows);
  // Of rows that are themselves off by some 2⁻²⁴ times `error` of their length from where they
  // should be. They stay where they are, but for the scale.
  FloatFrame(const RowSpace& rows, double error);

  // Coordinates of row i, `stride` apart.
  void coordinates(const RowSpace& rows, VertexId i, float* out, std::int64_t stride) const;
  // Of a row with these coordinates.
  float error_of(const float* coordinates, std::int64_t stride) const;
  // What a row with these coordinates adds to a bound of DistanceKernels::panel_hits, and the factor
  // of the product or sum in it: ‖x − y‖² ≥ N(x) + N(y) − 2 x·y, N(x) = ‖x‖²(1 − slack).
  float norm_of(const float* coordinates, std::int64_t stride) const;
  float factor() const { return norm_ == Norm::l2 ? -2.0F : static_cast<float>(1.0 - slack_); }
  // The float distance of rows that are `key` apart, rounded up.
  float reach(double key) const;

  std::int64_t columns() const { return static_cast<std::int64_t>(middle_.size()); }
  Norm norm() const { return norm_; }
  double slack() const { return slack_; }  // relative, of a sum of d terms in float

 private:
  FloatFrame(const RowSpace& rows, double error, bool to_middle);

  Norm norm_;
  double error_;  // of a row, in 2⁻²⁴ of its length
  std::vector<double> middle_;
  double scale_ = 1.0;
  double slack_ = 0.0;
};

}  // namespace gssl::knn
