#pragma once
// All eigenpairs of a small dense symmetric matrix, the rotation nearest to a square one, and an
// orthonormal basis of a few columns.
// Eigen's dense decompositions take long to compile: whoever needs one comes here.
//
//   DenseEigen pairs = dense_eigen(a);      // a is m×m, its lower triangle is read
//   pairs.values[i];  pairs.vectors(r, i);  // ascending; columns are orthonormal
//
// O(m³) time, O(m²) memory. An empty matrix has no pairs; one with a value that is not finite
// breaks an assertion.

#include <vector>

#include "gssl/core/block.hpp"

namespace gssl {

struct DenseEigen {
  std::vector<double> values;
  Block vectors;
};

DenseEigen dense_eigen(const Block& a);

// The orthogonal factor UVᵀ of a = UΣVᵀ (m×m): of all orthogonal matrices the nearest to a in the
// Frobenius norm (polar decomposition; Higham, Functions of Matrices, 2008, chapter 8). Where a is
// singular one of those equally near.
Block nearest_rotation(const Block& a);

// Orthonormal columns that span those of a (m×k, m ≥ k) or more, by Householder reflections;
// O(mk²).
Block orthonormal_columns(const Block& a);

}  // namespace gssl
