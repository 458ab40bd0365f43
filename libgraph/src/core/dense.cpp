#include "gssl/core/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <string>

#include "gssl/core/error.hpp"

namespace gssl {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::MatrixXd matrix_of(const Block& a) {
  return Eigen::Map<const RowMajor>(a.data(), a.rows(), a.columns());
}

Block block_of(const Eigen::MatrixXd& a) {
  Block block(a.rows(), a.cols());
  Eigen::Map<RowMajor>(block.data(), a.rows(), a.cols()) = a;
  return block;
}

}  // namespace

DenseEigen dense_eigen(const Block& a) {
  if (a.rows() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix_of(a));
  if (solver.info() != Eigen::Success)
    throw Error(ErrorCode::bad_data, "eigenpairs of a matrix of " + std::to_string(a.rows()) +
                                         " rows: its numbers are not finite or too far apart: "
                                         "scale what it was made of towards 1");
  return {{solver.eigenvalues().data(), solver.eigenvalues().data() + a.rows()},
          block_of(solver.eigenvectors())};
}

Block nearest_rotation(const Block& a) {
  if (a.rows() == 0) return {};
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix_of(a),
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  return block_of(svd.matrixU() * svd.matrixV().transpose());
}

Block orthonormal_columns(const Block& a) {
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(matrix_of(a));
  return block_of(qr.householderQ() * Eigen::MatrixXd::Identity(a.rows(), a.columns()));
}

}  // namespace gssl
