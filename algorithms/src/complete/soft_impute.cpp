#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "complete/biases.hpp"
#include "gssl/core/error.hpp"
#include "gssl/linalg/dense.hpp"

namespace gssl {
namespace {

// By rows, as cells are looked up.
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Directions kept beside those that the threshold leaves.
constexpr std::int64_t spare = 6;
// Steps before the second look at the duality gap, which costs several steps; the next ones come
// after a fifth more steps each.
constexpr std::int64_t first_look = 5;

Matrix matrix_of(const Block& a) {
  return Eigen::Map<const Matrix>(a.data(), a.rows(), a.columns());
}

Block block_of(const Matrix& a) {
  return Block(a.rows(), a.cols(), {a.data(), a.data() + a.size()});
}

Matrix orthonormal(const Matrix& a) { return matrix_of(orthonormal_columns(block_of(a))); }

// The problem ½Σ(a − Z)² + λ‖Z‖_* of some cells, and the matrix R of what is left, a − Z at the
// cells and 0 elsewhere.
class ThinProblem {
 public:
  explicit ThinProblem(const Cells& cells) : cells_(cells), left_(cells.value) {}

  // Z = left · diag(sigma) · rightᵀ.
  void set(const Matrix& left, const Eigen::VectorXd& sigma, const Matrix& right) {
    const Matrix scaled = left * sigma.asDiagonal();
    for (std::size_t i = 0; i < left_.size(); ++i)
      left_[i] = cells_.value[i] - scaled.row(cells_.row[i]).dot(right.row(cells_.column[i]));
  }

  // R x and Rᵀ x.
  Matrix times(const Matrix& x) const {
    Matrix y = Matrix::Zero(cells_.rows, x.cols());
    for (std::size_t i = 0; i < left_.size(); ++i)
      y.row(cells_.row[i]) += left_[i] * x.row(cells_.column[i]);
    return y;
  }
  Matrix transposed_times(const Matrix& x) const {
    Matrix y = Matrix::Zero(cells_.columns, x.cols());
    for (std::size_t i = 0; i < left_.size(); ++i)
      y.row(cells_.column[i]) += left_[i] * x.row(cells_.row[i]);
    return y;
  }

  double left_square() const {
    return std::inner_product(left_.begin(), left_.end(), left_.begin(), 0.0);
  }
  double left_times_cells() const {
    return std::inner_product(left_.begin(), left_.end(), cells_.value.begin(), 0.0);
  }

 private:
  const Cells& cells_;
  std::vector<double> left_;
};

// The largest singular value of R, by subspace iteration from the columns of `basis`, where the
// next one begins, until it changes by less than `settled`, relatively. Infinite, which bounds
// nothing, if the run was stopped.
double largest_singular_value(const ThinProblem& problem, Matrix& basis, double settled,
                              const RunContext& run) {
  double before = 0.0;
  for (int round = 0; round < 100; ++round) {
    if (run.should_stop()) return std::numeric_limits<double>::infinity();
    const Matrix image = problem.times(orthonormal(basis));
    basis = problem.transposed_times(orthonormal(image));
    // Of the thin factor: its columns are Rᵀ times an orthonormal basis.
    const Matrix gram = basis.transpose() * basis;
    const double now = std::sqrt(std::max(0.0, dense_eigen(block_of(gram)).values.back()));
    if (now - before <= settled * now) return now;
    before = now;
  }
  return before;
}

// Z, by its singular vectors and values, and directions to spare.
struct ThinMatrix {
  Matrix left, right;
  Eigen::VectorXd sigma;
};

class SoftImpute {
 public:
  SoftImpute(const Cells& cells, const SoftImputeOptions& options, const RunContext& run)
      : cells_(cells), options_(options), run_(run), problem_(cells) {
    Rng rng = run.rng();
    const std::int64_t width = std::min(spare + 1, std::min(cells.rows, cells.columns));
    z_.right = orthonormal(random(cells.columns, width, rng));
    z_.left = orthonormal(problem_.times(z_.right));
    z_.sigma = Eigen::VectorXd::Zero(width);
    dual_basis_ = z_.right;
    largest_ = largest_singular_value(problem_, dual_basis_, 1e-3, run);
  }

  double largest() const { return largest_; }

  // Minimizes for one λ from where it is.
  SolveReport solve(double lambda) {
    SolveReport report;
    report.outcome = Outcome::iteration_limit;
    gap = 1.0;  // nothing is known for this λ yet
    std::int64_t look = 0;
    for (; report.iterations < options_.steps; ++report.iterations) {
      if (const auto why = run_.stop()) {
        report.outcome = *why;
        break;
      }
      if (report.iterations >= look) {
        look += std::max(first_look, look / 5);
        if (measure(lambda) <= options_.tolerance) {
          report.outcome = Outcome::converged;
          break;
        }
      }
      step(lambda);
    }
    return report;
  }

  double objective = 0.0, gap = 1.0;
  const ThinMatrix& z() const { return z_; }
  std::int64_t rank() const { return static_cast<std::int64_t>((z_.sigma.array() > 0.0).count()); }

 private:
  static Matrix random(std::int64_t rows, std::int64_t columns, Rng& rng) {
    Matrix m(rows, columns);
    for (std::int64_t i = 0; i < m.size(); ++i) m.data()[i] = rng.normal();
    return m;
  }

  // The duality gap relative to the objective: R scaled into the ball of the dual norm, whose value
  // is ⟨Y, a⟩ − ½‖Y‖².
  double measure(double lambda) {
    problem_.set(z_.left, z_.sigma, z_.right);
    objective = 0.5 * problem_.left_square() + lambda * z_.sigma.sum();
    if (dual_basis_.cols() < z_.right.cols()) dual_basis_ = z_.right;
    const double largest =
        largest_singular_value(problem_, dual_basis_, 0.01 * options_.tolerance, run_);
    const double scale = largest > lambda ? lambda / largest : 1.0;
    const double dual =
        scale * problem_.left_times_cells() - 0.5 * scale * scale * problem_.left_square();
    gap = objective > 0.0 ? std::max(0.0, objective - dual) / objective : 0.0;
    return gap;
  }

  // (Z + R) x and its transpose.
  Matrix times(const Matrix& x) const {
    return z_.left * (z_.sigma.asDiagonal() * (z_.right.transpose() * x)) + problem_.times(x);
  }
  Matrix transposed_times(const Matrix& x) const {
    return z_.right * (z_.sigma.asDiagonal() * (z_.left.transpose() * x)) +
           problem_.transposed_times(x);
  }

  // One proximal step: the singular values of Z + R, lowered by λ.
  void step(double lambda) {
    problem_.set(z_.left, z_.sigma, z_.right);
    const Matrix left = orthonormal(times(z_.right));
    const Matrix image = transposed_times(left);
    const DenseEigen pairs = dense_eigen(block_of(image.transpose() * image));
    const Eigen::Map<const Eigen::VectorXd> squares(pairs.values.data(), image.cols());
    const Eigen::VectorXd sigma = squares.cwiseMax(0.0).cwiseSqrt().reverse();
    const Matrix turn = matrix_of(pairs.vectors).rowwise().reverse();
    z_.left = left * turn;
    // Columns of image·turn are σ times orthonormal ones; those of σ ≈ 0 are made so.
    z_.right = orthonormal(image * turn);
    for (std::int64_t k = 0; k < z_.right.cols(); ++k)
      if (z_.right.col(k).dot(image * turn.col(k)) < 0.0) z_.right.col(k) *= -1.0;
    z_.sigma = (sigma.array() - lambda).cwiseMax(0.0);
    widen();
  }

  // Adds directions where too few are to spare.
  void widen() {
    const std::int64_t most = std::min(cells_.rows, cells_.columns);
    const std::int64_t width = z_.sigma.size();
    if (rank() + spare / 2 < width || width == most) return;
    const std::int64_t wider = std::min(most, width + spare);
    Rng rng = run_.rng(static_cast<std::uint64_t>(width));
    Matrix right(z_.right.rows(), wider), left(z_.left.rows(), wider);
    right << z_.right, random(right.rows(), wider - width, rng);
    left << z_.left, random(left.rows(), wider - width, rng);
    const auto keep_signs = [&](const Matrix& a) {
      Matrix q = orthonormal(a);
      for (std::int64_t k = 0; k < width; ++k)
        if (q.col(k).dot(a.col(k)) < 0.0) q.col(k) *= -1.0;
      return q;
    };
    z_.right = keep_signs(right);
    z_.left = keep_signs(left);
    z_.sigma.conservativeResizeLike(Eigen::VectorXd::Zero(wider));
  }

  const Cells& cells_;
  const SoftImputeOptions& options_;
  const RunContext& run_;
  ThinProblem problem_;
  ThinMatrix z_;
  Matrix dual_basis_;  // of the largest singular values of R
  double largest_ = 0.0;
};

// U = left·√σ and V = right·√σ of the directions that are not 0.
void keep_factors(const ThinMatrix& z, std::int64_t rank, Completion& found) {
  found.u = Block(z.left.rows(), rank);
  found.v = Block(z.right.rows(), rank);
  for (std::int64_t k = 0; k < rank; ++k) {
    const double root = std::sqrt(z.sigma[k]);
    for (std::int64_t r = 0; r < found.u.rows(); ++r) found.u(r, k) = z.left(r, k) * root;
    for (std::int64_t c = 0; c < found.v.rows(); ++c) found.v(c, k) = z.right(c, k) * root;
  }
}

}  // namespace

Completion complete_by_soft_impute(const Cells& cells, const SoftImputeOptions& options,
                                   const RunContext& run) {
  options.validate();
  if (cells.count() == 0)
    throw Error(ErrorCode::bad_data, "soft-impute: no cells: give at least one");
  Completion found;
  const Cells left = detail::take_biases(cells, options.biases, options.bias_lambda, run, found);
  SoftImpute impute(left, options, run);
  std::vector<double> lambdas, objectives, gaps, ranks;
  SolveReport& solver = found.report.solver;
  solver.used = solver.requested = "soft-impute";
  const double first = std::isfinite(impute.largest())
                           ? std::max(options.lambda, 0.9 * impute.largest())
                           : options.lambda;
  for (std::int64_t i = 0; i < options.path && solver.outcome == Outcome::converged; ++i) {
    const double share =
        options.path == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(options.path - 1);
    const double lambda = first * std::pow(options.lambda / first, share);
    run.report_progress("soft-impute", share);
    const SolveReport step = impute.solve(lambda);
    solver.iterations += step.iterations;
    solver.outcome = step.outcome;
    lambdas.push_back(lambda);
    objectives.push_back(impute.objective);
    gaps.push_back(impute.gap);
    ranks.push_back(static_cast<double>(impute.rank()));
  }
  keep_factors(impute.z(), impute.rank(), found);
  solver.sentence = std::to_string(solver.iterations) + " proximal steps for " +
                    std::to_string(lambdas.size()) + " values of lambda";
  found.report.certificates.insert(found.report.certificates.end(),
                                   {{"lambda", std::move(lambdas)},
                                    {"objective", std::move(objectives)},
                                    {"duality_gap", std::move(gaps)},
                                    {"rank", std::move(ranks)}});
  return found;
}

}  // namespace gssl
