#include "gssl/linalg/dense.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

// A symmetric tridiagonal matrix T = QᵀAQ.
struct Tridiagonal {
  Eigen::VectorXd diagonal;
  Eigen::VectorXd below;
  Eigen::MatrixXd q;
};

// Column k below the diagonal of `a`, whose lower triangle is read, is reflected to a multiple of
// the first unit vector by I − tau u uᵀ; u takes its place.
std::optional<Tridiagonal> tridiagonal_of(Eigen::MatrixXd a, const std::function<bool()>& stop) {
  const Eigen::Index n = a.rows();
  Tridiagonal t{Eigen::VectorXd(n), Eigen::VectorXd::Zero(n), Eigen::MatrixXd::Identity(n, n)};
  Eigen::VectorXd taus = Eigen::VectorXd::Zero(n);
  for (Eigen::Index k = 0; k + 1 < n; ++k) {
    if (stop()) return std::nullopt;
    const Eigen::Index left = n - k - 1;
    auto u = a.col(k).tail(left);
    u.makeHouseholderInPlace(taus[k], t.below[k]);
    u[0] = 1.0;
    auto rest = a.bottomRightCorner(left, left);
    Eigen::VectorXd w = taus[k] * (rest.selfadjointView<Eigen::Lower>() * u);
    w -= 0.5 * taus[k] * w.dot(u) * u;
    rest.selfadjointView<Eigen::Lower>().rankUpdate(u, w, -1.0);
  }
  t.diagonal = a.diagonal();
  for (Eigen::Index k = n - 2; k >= 0; --k) {
    if (stop()) return std::nullopt;
    const Eigen::Index left = n - k - 1;
    const auto u = a.col(k).tail(left);
    auto rest = t.q.bottomRightCorner(left, left);
    const Eigen::RowVectorXd w = taus[k] * (u.transpose() * rest);
    rest.noalias() -= u * w;
  }
  return t;
}

// One implicit QR step on rows first … last of T, which have no zero below the diagonal.
void qr_step(Tridiagonal& t, Eigen::Index first, Eigen::Index last) {
  Eigen::VectorXd& d = t.diagonal;
  Eigen::VectorXd& e = t.below;
  // Wilkinson's shift: of the eigenvalues of the last two rows the nearer to the last entry.
  const double half = 0.5 * (d[last - 1] - d[last]), end = e[last - 1];
  double x = d[first] - d[last] + end * (end / (half + std::copysign(std::hypot(half, end), half)));
  double bulge = e[first];
  for (Eigen::Index k = first; k < last; ++k) {
    Eigen::JacobiRotation<double> turn;
    turn.makeGivens(x, bulge);
    const double c = turn.c(), s = turn.s();
    if (k > first) e[k - 1] = c * x - s * bulge;
    const double upper = d[k], lower = d[k + 1], side = e[k];
    d[k] = c * (c * upper - s * side) - s * (c * side - s * lower);
    d[k + 1] = s * (s * upper + c * side) + c * (s * side + c * lower);
    e[k] = s * (c * upper - s * side) + c * (c * side - s * lower);
    if (k + 1 < last) {
      x = e[k];
      bulge = -s * e[k + 1];
      e[k + 1] *= c;
    }
    t.q.applyOnTheRight(k, k + 1, turn);
  }
}

}  // namespace

DenseEigen dense_eigen(const Block& a) {
  if (a.rows() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix_of(a));
  GSSL_ASSERT(solver.info() == Eigen::Success);
  return {{solver.eigenvalues().data(), solver.eigenvalues().data() + a.rows()},
          block_of(solver.eigenvectors())};
}

std::optional<DenseEigen> dense_eigen(const Block& a, const std::function<bool()>& stop) {
  std::optional<Tridiagonal> t = tridiagonal_of(matrix_of(a), stop);
  if (!t) return std::nullopt;
  constexpr Eigen::Index most_steps = 30;  // for each pair; two or three are enough
  const Eigen::Index n = a.rows();
  const auto negligible = [&](Eigen::Index k) {
    return std::abs(t->below[k]) <=
           std::numeric_limits<double>::epsilon() *
                   (std::abs(t->diagonal[k]) + std::abs(t->diagonal[k + 1])) +
               std::numeric_limits<double>::min();
  };
  Eigen::Index steps = 0;
  for (Eigen::Index last = n - 1; last > 0;) {
    if (negligible(last - 1)) {
      --last;
      continue;
    }
    Eigen::Index first = last - 1;
    while (first > 0 && !negligible(first - 1)) --first;
    if (stop()) return std::nullopt;
    ++steps;
    GSSL_ASSERT(steps <= most_steps * n);
    qr_step(*t, first, last);
  }
  std::vector<Eigen::Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::ranges::sort(order, {}, [&](Eigen::Index j) { return t->diagonal[j]; });
  DenseEigen found{.values = {}, .vectors = Block(n, n)};
  for (std::int64_t j = 0; j < n; ++j) {
    const Eigen::Index from = order[static_cast<std::size_t>(j)];
    found.values.push_back(t->diagonal[from]);
    for (std::int64_t r = 0; r < n; ++r) found.vectors(r, j) = t->q(r, from);
  }
  return found;
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
