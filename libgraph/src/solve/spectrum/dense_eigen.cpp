#include "dense_eigen.hpp"

#include <Eigen/Eigenvalues>

#include "gssl/core/error.hpp"

namespace gssl::solve {

DenseEigen dense_eigen(const Block& a) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::MatrixXd matrix = Eigen::Map<const RowMajor>(a.data(), a.rows(), a.columns());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  GSSL_ASSERT(solver.info() == Eigen::Success);
  DenseEigen pairs{{solver.eigenvalues().data(), solver.eigenvalues().data() + a.rows()},
                   Block(a.rows(), a.columns())};
  Eigen::Map<RowMajor>(pairs.vectors.data(), a.rows(), a.columns()) = solver.eigenvectors();
  return pairs;
}

}  // namespace gssl::solve
