#pragma once
// Eigen's dense matrices as the batch learners use them: on one thread, called from our own
// parallel loops, because Eigen's own threads cut a product differently for each number of them and
// so give other last bits. Include this before any header of Eigen.

#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE
#endif

#include <Eigen/Core>

#include "gssl/core/block.hpp"

namespace gssl::detail {

using Matrix = Eigen::MatrixXd;
using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Matrix matrix_of(const Block& block) {
  return Eigen::Map<const RowMatrix>(block.data(), block.rows(), block.columns());
}

template <class Derived>
Block block_of(const Eigen::MatrixBase<Derived>& matrix) {
  Block block(matrix.rows(), matrix.cols());
  Eigen::Map<RowMatrix>(block.data(), matrix.rows(), matrix.cols()) = matrix;
  return block;
}

}  // namespace gssl::detail
