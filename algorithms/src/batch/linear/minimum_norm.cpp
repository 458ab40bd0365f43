#include "batch/linear/minimum_norm.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

void stop_decomposition(const RunContext& run) {
  run.throw_if_stopped("least squares", "before its rows were decomposed");
}

// The upper trapezoid R of [A B] = QR.
Matrix upper_part(const Matrix& a) {
  const Eigen::HouseholderQR<Matrix> qr(a);
  const std::int64_t height = std::min(a.rows(), a.cols());
  return qr.matrixQR().topRows(height).triangularView<Eigen::Upper>();
}

Matrix stacked(const std::vector<Matrix>& parts) {
  std::int64_t rows = 0;
  for (const Matrix& part : parts) rows += part.rows();
  Matrix all(rows, parts.front().cols());
  std::int64_t at = 0;
  for (const Matrix& part : parts) {
    all.middleRows(at, part.rows()) = part;
    at += part.rows();
  }
  return all;
}

// R of [X̃ Ỹ; √λ I 0], from panels whose borders depend on n and d alone.
Matrix triangle(const Design& design, double lambda, const RunContext& run) {
  const std::int64_t width = design.columns() + design.targets().cols();
  const std::int64_t height = std::max<std::int64_t>(1024, 4 * width);
  std::vector<Matrix> parts(static_cast<std::size_t>(block_count(design.rows(), height)));
  parallel_blocks(
      design.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_decomposition(run);
        Matrix rows(end - begin, width);
        rows << design.row_block(begin, end), design.targets().middleRows(begin, end - begin);
        parts[static_cast<std::size_t>(begin / height)] = upper_part(rows);
      },
      height);
  if (lambda > 0.0) {
    Matrix penalty = Matrix::Zero(design.columns(), width);
    penalty.diagonal().setConstant(std::sqrt(lambda));
    parts.push_back(std::move(penalty));
  }
  // Joined a few at a time, so that no more than some panels are held twice.
  while (parts.size() > 1) {
    std::vector<Matrix> joined;
    for (std::size_t i = 0; i < parts.size(); i += 4) {
      stop_decomposition(run);
      const auto last = std::min(parts.size(), i + 4);
      joined.push_back(upper_part(
          stacked({parts.begin() + std::ptrdiff_t(i), parts.begin() + std::ptrdiff_t(last)})));
    }
    parts = std::move(joined);
  }
  return parts.front();
}

Eigen::CompleteOrthogonalDecomposition<Matrix> decomposed(const Matrix& a, const Design& design) {
  Eigen::CompleteOrthogonalDecomposition<Matrix> whole(a.rows(), a.cols());
  whole.setThreshold(std::numeric_limits<double>::epsilon() *
                     static_cast<double>(std::max(design.rows(), design.columns())));
  whole.compute(a);
  return whole;
}

void solve_tall(const Design& design, double lambda, const RunContext& run,
                SquareSolution& solution) {
  const Matrix all = triangle(design, lambda, run);
  const std::int64_t d = design.columns();
  const std::int64_t height = std::min(all.rows(), d);
  const auto whole = decomposed(all.topLeftCorner(height, d), design);
  solution.v = whole.solve(all.topRightCorner(height, all.cols() - d));
  solution.rank = whole.rank();
  const Matrix inverse = whole.pseudoInverse();
  solution.leverage.resize(design.rows());
  parallel_blocks(
      design.rows(), run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        stop_decomposition(run);
        solution.leverage.segment(begin, end - begin) =
            (design.row_block(begin, end) * inverse).rowwise().squaredNorm();
      },
      256);
  if (design.bias() == Bias::free)
    for (std::int64_t r = 0; r < design.rows(); ++r)
      solution.leverage[r] += design.weight(r) / design.weight_sum();
}

// X̃ᵀ = QR: v = Qz with the z of least norm in Rᵀz = Ỹ. Of ridge: (v, u) of least norm in
// X̃v + √λ u = Ỹ.
void solve_wide(const Design& design, double lambda, const RunContext& run,
                SquareSolution& solution) {
  stop_decomposition(run);
  const std::int64_t n = design.rows();
  const std::int64_t d = design.columns();
  const std::int64_t extra = lambda > 0.0 ? n : 0;
  Matrix transposed = Matrix::Zero(d + extra, n);
  transposed.topRows(d) = design.row_block(0, n).transpose();
  if (extra > 0) transposed.bottomRows(n).diagonal().setConstant(std::sqrt(lambda));
  const Eigen::HouseholderQR<Matrix> qr(transposed);
  stop_decomposition(run);
  const Matrix lower = Matrix(qr.matrixQR().topRows(n).triangularView<Eigen::Upper>()).transpose();
  const auto whole = decomposed(lower, design);
  solution.rank = whole.rank();
  Matrix v = Matrix::Zero(d + extra, design.targets().cols());
  v.topRows(n) = whole.solve(design.targets());
  v.applyOnTheLeft(qr.householderQ());
  solution.v = v.topRows(d);
}

}  // namespace

SquareSolution minimum_norm(const Design& design, double lambda, const RunContext& run) {
  SquareSolution solution;
  if (design.rows() >= design.columns()) {
    solve_tall(design, lambda, run, solution);
  } else {
    solve_wide(design, lambda, run, solution);
  }
  solution.report.used = "orthogonal";
  solution.report.relative_residual =
      relative_gradient(design, solution.v, lambda, run.thread_count());
  return solution;
}

}  // namespace gssl::detail
