#include "batch/linear/square_solvers.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "gssl/core/parallel.hpp"

namespace gssl::detail {

namespace {

constexpr std::int64_t panel = 192;

// Diagonal of (LLᵀ)⁻¹: squares of the columns of L⁻¹.
Eigen::VectorXd inverse_diagonal(const Matrix& factor, const RunContext& run) {
  const std::int64_t m = factor.rows();
  Eigen::VectorXd diagonal(m);
  parallel_blocks(
      m, run.thread_count(),
      [&](std::int64_t begin, std::int64_t end) {
        run.throw_if_stopped("ridge", "before the leave-one-out residuals were known");
        const std::int64_t below = m - begin;
        Matrix columns = Matrix::Zero(below, end - begin);
        columns.topRows(end - begin).setIdentity();
        factor.bottomRightCorner(below, below).triangularView<Eigen::Lower>().solveInPlace(columns);
        diagonal.segment(begin, end - begin) = columns.colwise().squaredNorm().transpose();
      },
      64);
  return diagonal;
}

void add_bias_share(const Design& design, Eigen::VectorXd& leverage) {
  if (design.bias() != Bias::free) return;
  for (std::int64_t r = 0; r < design.rows(); ++r)
    leverage[r] += design.weight(r) / design.weight_sum();
}

SolveReport direct_report(const Design& design, const Matrix& v, double lambda, int threads,
                          const char* used) {
  SolveReport report;
  report.relative_residual = relative_gradient(design, v, lambda, threads);
  report.used = used;
  return report;
}

// Rank-one updates lose digits where λ is far below the rounding of the Gram matrix: there
// Cholesky may pass and the answer still be noise.
bool drowned(const Matrix& gram, double lambda) {
  const double scale = gram.diagonal().maxCoeff();
  return lambda < 1e-13 * scale * static_cast<double>(gram.rows());
}

}  // namespace

bool cholesky(Matrix& a, const RunContext& run) {
  const std::int64_t m = a.rows();
  for (std::int64_t k = 0; k < m; k += panel) {
    run.throw_if_stopped("ridge", "before its system was factored");
    run.report_progress("factoring", static_cast<double>(k) / static_cast<double>(m));
    const std::int64_t width = std::min(panel, m - k);
    const Eigen::LLT<Matrix> corner(a.block(k, k, width, width));
    if (corner.info() != Eigen::Success) return false;
    const Matrix lower = corner.matrixL();
    a.block(k, k, width, width) = lower;
    const std::int64_t after = k + width;
    parallel_blocks(
        m - after, run.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          auto rows = a.block(after + begin, k, end - begin, width);
          lower.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(rows);
        },
        panel);
    parallel_blocks(
        m - after, run.thread_count(),
        [&](std::int64_t begin, std::int64_t end) {
          a.block(after + begin, after, end - begin, end).noalias() -=
              a.block(after + begin, k, end - begin, width) *
              a.block(after, k, end, width).transpose();
        },
        panel);
  }
  a.triangularView<Eigen::StrictlyUpper>().setZero();
  return a.allFinite();
}

Matrix solve_factored(const Matrix& factor, Matrix b) {
  factor.triangularView<Eigen::Lower>().solveInPlace(b);
  factor.triangularView<Eigen::Lower>().transpose().solveInPlace(b);
  return b;
}

std::optional<Matrix> factored_gram(Matrix gram, double lambda, const RunContext& run) {
  if (drowned(gram, lambda)) return std::nullopt;
  gram.diagonal().array() += lambda;
  if (!cholesky(gram, run)) return std::nullopt;
  return gram;
}

double relative_gradient(const Design& design, const Matrix& v, double lambda, int threads) {
  const Matrix start = design.transposed_times(design.targets(), threads);
  const Matrix residual = design.targets() - design.times(v, threads);
  const Matrix gradient = design.transposed_times(residual, threads) - lambda * v;
  double worst = 0.0;
  for (std::int64_t k = 0; k < v.cols(); ++k) {
    const double size = gradient.col(k).norm();
    if (size > 0.0) worst = std::max(worst, size / start.col(k).norm());
  }
  return std::isfinite(worst) ? worst : 1.0;
}

std::optional<SquareSolution> solve_primal(const Design& design, double lambda,
                                           const RunContext& run) {
  const std::optional<Matrix> gram = factored_gram(design.column_gram(run), lambda, run);
  if (!gram) return std::nullopt;
  const Matrix& factor = *gram;
  SquareSolution solution;
  const int threads = run.thread_count();
  solution.v = solve_factored(factor, design.transposed_times(design.targets(), threads));
  solution.leverage.resize(design.rows());
  parallel_blocks(
      design.rows(), threads,
      [&](std::int64_t begin, std::int64_t end) {
        run.throw_if_stopped("ridge", "before the leave-one-out residuals were known");
        Matrix rows = design.row_block(begin, end).transpose();
        factor.triangularView<Eigen::Lower>().solveInPlace(rows);
        solution.leverage.segment(begin, end - begin) = rows.colwise().squaredNorm().transpose();
      },
      256);
  add_bias_share(design, solution.leverage);
  solution.report = direct_report(design, solution.v, lambda, threads, "primal");
  return solution;
}

std::optional<SquareSolution> solve_dual(const Design& design, double lambda,
                                         const RunContext& run) {
  const std::optional<Matrix> gram = factored_gram(design.row_gram(run), lambda, run);
  if (!gram) return std::nullopt;
  const Matrix& factor = *gram;
  SquareSolution solution;
  const int threads = run.thread_count();
  solution.v = design.transposed_times(solve_factored(factor, design.targets()), threads);
  solution.leverage = (1.0 - lambda * inverse_diagonal(factor, run).array()).cwiseMax(0.0);
  add_bias_share(design, solution.leverage);
  solution.report = direct_report(design, solution.v, lambda, threads, "dual");
  return solution;
}

SquareSolution solve_iteratively(const Design& design, double lambda, double tolerance,
                                 std::int64_t steps, const RunContext& run) {
  const int threads = run.thread_count();
  SquareSolution solution;
  Matrix& v = solution.v;
  v = Matrix::Zero(design.columns(), design.targets().cols());
  Matrix residual = design.targets();
  Matrix gradient = design.transposed_times(residual, threads);
  const Eigen::ArrayXd start = gradient.colwise().squaredNorm().transpose();
  Eigen::ArrayXd size = start;
  Matrix direction = gradient;
  SolveReport& report = solution.report;
  report.outcome = Outcome::iteration_limit;
  report.used = "iterative";
  for (; report.iterations < steps; ++report.iterations) {
    if ((size <= tolerance * tolerance * start).all()) {
      report.outcome = Outcome::converged;
      break;
    }
    if (const auto why = run.stop()) {
      report.outcome = *why;
      break;
    }
    const Matrix image = design.times(direction, threads);
    for (std::int64_t k = 0; k < v.cols(); ++k) {
      const double curvature = image.col(k).squaredNorm() + lambda * direction.col(k).squaredNorm();
      const double step = curvature > 0.0 ? size[k] / curvature : 0.0;
      v.col(k) += step * direction.col(k);
      residual.col(k) -= step * image.col(k);
    }
    gradient = design.transposed_times(residual, threads) - lambda * v;
    for (std::int64_t k = 0; k < v.cols(); ++k) {
      const double next = gradient.col(k).squaredNorm();
      direction.col(k) =
          gradient.col(k) + (size[k] > 0.0 ? next / size[k] : 0.0) * direction.col(k);
      size[k] = next;
    }
    run.report_progress("conjugate gradients");
  }
  report.relative_residual = relative_gradient(design, v, lambda, threads);
  return solution;
}

}  // namespace gssl::detail
