#pragma once
// All eigenpairs of a small dense symmetric matrix. The one place where a spectrum meets Eigen.
//
//   DenseEigen pairs = dense_eigen(a);      // a is m×m, its lower triangle is read
//   pairs.values[i];  pairs.vectors(r, i);  // ascending; columns are orthonormal

#include <vector>

#include "gssl/core/block.hpp"

namespace gssl::solve {

struct DenseEigen {
  std::vector<double> values;
  Block vectors;
};

DenseEigen dense_eigen(const Block& a);

}  // namespace gssl::solve
