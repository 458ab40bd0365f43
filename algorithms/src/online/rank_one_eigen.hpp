#pragma once
// The eigenpairs of a symmetric matrix that changes by ρzzᵀ, without starting anew. Internal: not
// installed.
//
//   RankOneEigen pairs;                  // 0×0
//   pairs.pad();                         // one more row and column of zeros
//   pairs.add(0.5, z);                   // A + 0.5 z zᵀ
//   pairs.values();  pairs.vectors();    // ascending; columns
//
// In the basis of the old vectors the change is D + ρuuᵀ, whose values are the roots of
// 1 + ρ Σ u_j²/(d_j − λ) = 0, one between each two of D. The vectors are those of a û that has
// these roots exactly, so that they are orthogonal whatever the roots' rounding (M. Gu, S.
// Eisenstat 1994, doi:10.1137/S089547989223924X). Directions that u does not touch keep their pair.
// O(r²) and one product of r×r matrices. Every 256 changes, the pairs of A itself are computed.

#include <span>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/data/record.hpp"

namespace gssl::detail {

class RankOneEigen {
 public:
  RankOneEigen() = default;
  explicit RankOneEigen(const Record& record);
  void save(Record& record) const;

  std::int64_t size() const { return a_.rows(); }
  const Block& matrix() const { return a_; }
  const std::vector<double>& values() const { return values_; }
  const Block& vectors() const { return vectors_; }

  void pad();
  void add(double rho, std::span<const double> z);
  // max|AQ − QΛ|.
  double residual() const;

 private:
  void change_pairs(double rho, std::span<const double> z);

  Block a_;
  std::vector<double> values_;
  Block vectors_;
  std::int64_t changes_ = 0;  // since the pairs of A itself were computed
};

// The roots of 1 + ρ Σ u_j²/(d_j − λ) for d ascending and apart, u_j ≠ 0, ρ > 0: root i lies above
// d_i. As d[origin[i]] + offset[i], which keeps its distance to the poles on both sides.
struct SecularRoots {
  std::vector<std::size_t> origin;
  std::vector<double> offset;
};
SecularRoots secular_roots(std::span<const double> d, std::span<const double> u, double rho);

}  // namespace gssl::detail
