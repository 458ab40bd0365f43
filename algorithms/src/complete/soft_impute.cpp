// Eigen's products on several threads add in another order for another number of threads.
#define EIGEN_DONT_PARALLELIZE

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "complete/biases.hpp"
#include "complete/thin_cells.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/stopwatch.hpp"

namespace gssl {
namespace {

using detail::ThinBlock;
using detail::ThinCells;

// Directions kept beside those that the threshold leaves.
constexpr std::int64_t spare = 6;
// Steps between looks at the duality gap.
constexpr std::int64_t steps_between_looks = 5;

ThinBlock matrix_of(const Block& a) {
  return Eigen::Map<const ThinBlock>(a.data(), a.rows(), a.columns());
}

Block block_of(const ThinBlock& a) {
  return Block(a.rows(), a.cols(), {a.data(), a.data() + a.size()});
}

// An orthonormal basis of the columns, each as near to its own as those before allow: by the
// Cholesky factor of the products of scaled columns, twice, or by reflections where columns depend
// on each other.
ThinBlock orthonormal(ThinBlock a) {
  const ThinBlock given = a;
  for (int round = 0; round < 2; ++round) {
    for (std::int64_t k = 0; k < a.cols(); ++k) {
      const double norm = a.col(k).norm();
      if (norm > 0.0) a.col(k) /= norm;
    }
    const Eigen::MatrixXd gram = a.transpose() * a;
    const Eigen::LLT<Eigen::MatrixXd> factor(gram);
    constexpr double least_pivot = 1e-5;
    if (factor.info() != Eigen::Success || factor.matrixLLT().diagonal().minCoeff() < least_pivot) {
      ThinBlock q = matrix_of(orthonormal_columns(block_of(given)));
      for (std::int64_t k = 0; k < q.cols(); ++k)
        if (q.col(k).dot(given.col(k)) < 0.0) q.col(k) *= -1.0;
      return q;
    }
    factor.matrixL().transpose().solveInPlace<Eigen::OnTheRight>(a);
  }
  return a;
}

// The largest singular value of E, by subspace iteration from the columns of `basis`, where the
// next one begins, until it changes by less than `settled`, relatively. Infinite, which bounds
// nothing, if the run was stopped.
double largest_singular_value(const ThinCells& cells, const std::vector<double>& e,
                              ThinBlock& basis, double settled, const RunContext& run) {
  double before = 0.0;
  for (int round = 0; round < 100; ++round) {
    if (run.should_stop()) return std::numeric_limits<double>::infinity();
    const ThinBlock image = cells.times(e, orthonormal(basis));
    basis = cells.transposed_times(e, orthonormal(image));
    // Of the thin factor: its columns are Eᵀ times an orthonormal basis.
    const ThinBlock gram = basis.transpose() * basis;
    const double now = std::sqrt(std::max(0.0, dense_eigen(block_of(gram)).values.back()));
    if (now - before <= settled * now) return now;
    before = now;
  }
  return before;
}

// Z = left · diag(sigma) · rightᵀ, by its singular vectors and values, and directions to spare.
struct ThinMatrix {
  ThinBlock left, right;
  Eigen::VectorXd sigma;

  ThinBlock scaled() const { return left * sigma.asDiagonal(); }
  std::int64_t rank() const { return static_cast<std::int64_t>((sigma.array() > 0.0).count()); }
};

double product_of(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// Proximal steps of length 1 from points that lead on from the last two (A. Beck, M. Teboulle 2009,
// doi:10.1137/080716542), begun anew where the objective rises (B. O'Donoghue, E. Candès 2015,
// doi:10.1007/s10208-013-9150-3).
class SoftImpute {
 public:
  SoftImpute(const Cells& cells, const SoftImputeOptions& options, const RunContext& run)
      : options_(options), run_(run), cells_(cells, run) {
    Rng rng = run.rng();
    const std::int64_t width = std::min(spare + 1, std::min(cells.rows, cells.columns));
    left_over_ = cells_.values();
    z_.right = orthonormal(random(cells.columns, width, rng));
    z_.left = orthonormal(cells_.times(left_over_, z_.right));
    z_.sigma = Eigen::VectorXd::Zero(width);
    dual_basis_ = z_.right;
    largest_ = largest_singular_value(cells_, left_over_, dual_basis_, 1e-3, run);
    before_ = z_;
    left_before_ = left_over_;
  }

  double largest() const { return largest_; }

  // Minimizes for one λ from where it is.
  Ending solve(double lambda) {
    Ending report;
    report.outcome = Outcome::iteration_limit;
    gap = 1.0;  // nothing is known for this λ yet
    momentum_ = 1.0;
    double last = std::numeric_limits<double>::infinity();
    for (; report.iterations < options_.steps; ++report.iterations) {
      if (const auto why = run_.stop()) {
        report.outcome = *why;
        break;
      }
      left_over_ = cells_.leave(z_.scaled(), z_.right);
      objective = 0.5 * product_of(left_over_, left_over_) + lambda * z_.sigma.sum();
      if (report.iterations % steps_between_looks == 0 && measure(lambda) <= options_.tolerance) {
        report.outcome = Outcome::converged;
        break;
      }
      if (objective > last) momentum_ = 1.0;
      last = objective;
      step(lambda);
    }
    if (report.outcome == Outcome::iteration_limit) {
      left_over_ = cells_.leave(z_.scaled(), z_.right);
      objective = 0.5 * product_of(left_over_, left_over_) + lambda * z_.sigma.sum();
      gap = whole_gap(lambda);
    }
    return report;
  }

  double objective = 0.0, gap = 1.0;
  const ThinMatrix& z() const { return z_; }
  std::int64_t rank() const { return z_.rank(); }

 private:
  static ThinBlock random(std::int64_t rows, std::int64_t columns, Rng& rng) {
    ThinBlock m(rows, columns);
    for (std::int64_t i = 0; i < m.size(); ++i) m.data()[i] = rng.normal();
    return m;
  }

  // The duality gap relative to the objective: E scaled into the ball of the dual norm, whose value
  // is ⟨Y, a⟩ − ½‖Y‖². Where the products of the basis alone say that it is above the tolerance,
  // the largest singular value is not searched for, and the gap is not known.
  double measure(double lambda) {
    const ThinBlock image = cells_.times(left_over_, z_.right);
    const ThinBlock gram = image.transpose() * image;
    const double least = std::sqrt(std::max(0.0, dense_eigen(block_of(gram)).values.back()));
    if (gap_for(least, lambda) > options_.tolerance) return gap = 1.0;
    return gap = whole_gap(lambda);
  }

  double whole_gap(double lambda) {
    if (dual_basis_.cols() < z_.right.cols()) dual_basis_ = z_.right;
    const double largest =
        largest_singular_value(cells_, left_over_, dual_basis_, 0.01 * options_.tolerance, run_);
    return gap_for(largest, lambda);
  }

  double gap_for(double largest, double lambda) const {
    const double scale = largest > lambda ? lambda / largest : 1.0;
    const double dual = scale * product_of(left_over_, cells_.values()) -
                        0.5 * scale * scale * product_of(left_over_, left_over_);
    return objective > 0.0 ? std::max(0.0, objective - dual) / objective : 0.0;
  }

  // One proximal step from Y = Z + β(Z − the Z before): the singular values of Y + E_Y, lowered by
  // λ.
  void step(double lambda) {
    const double next = 0.5 * (1.0 + std::sqrt(1.0 + 4.0 * momentum_ * momentum_));
    const double beta = (momentum_ - 1.0) / next;
    momentum_ = next;
    std::vector<double> e = left_over_;
    for (std::size_t i = 0; i < e.size(); ++i) e[i] += beta * (left_over_[i] - left_before_[i]);
    const auto times = [&](const ThinMatrix& z, const ThinBlock& x) -> ThinBlock {
      return z.left * (z.sigma.asDiagonal() * (z.right.transpose() * x));
    };
    const auto turned = [&](const ThinMatrix& z, const ThinBlock& x) -> ThinBlock {
      return z.right * (z.sigma.asDiagonal() * (z.left.transpose() * x));
    };
    ThinBlock left = cells_.times(e, z_.right) + (1.0 + beta) * times(z_, z_.right);
    if (beta != 0.0) left -= beta * times(before_, z_.right);
    left = orthonormal(std::move(left));
    ThinBlock image = cells_.transposed_times(e, left) + (1.0 + beta) * turned(z_, left);
    if (beta != 0.0) image -= beta * turned(before_, left);
    const ThinBlock gram = image.transpose() * image;
    const DenseEigen pairs = dense_eigen(block_of(gram));
    const Eigen::Map<const Eigen::VectorXd> squares(pairs.values.data(), image.cols());
    const Eigen::VectorXd sigma = squares.cwiseMax(0.0).cwiseSqrt().reverse();
    const ThinBlock turn = matrix_of(pairs.vectors).rowwise().reverse();
    before_ = std::move(z_);
    left_before_ = std::move(left_over_);
    z_.left = left * turn;
    // Columns of image·turn are σ times orthonormal ones; those of σ ≈ 0 are made so.
    z_.right = orthonormal(image * turn);
    z_.sigma = (sigma.array() - lambda).cwiseMax(0.0);
    widen();
  }

  // Adds directions where too few are to spare.
  void widen() {
    const std::int64_t most = std::min(cells_.rows(), cells_.columns());
    const std::int64_t width = z_.sigma.size();
    if (rank() + spare / 2 < width || width == most) return;
    const std::int64_t wider = std::min(most, width + std::max(spare, width / 4));
    Rng rng = run_.rng(static_cast<std::uint64_t>(width));
    ThinBlock right(z_.right.rows(), wider), left(z_.left.rows(), wider);
    right << z_.right, random(right.rows(), wider - width, rng);
    left << z_.left, random(left.rows(), wider - width, rng);
    z_.right = orthonormal(std::move(right));
    z_.left = orthonormal(std::move(left));
    z_.sigma.conservativeResizeLike(Eigen::VectorXd::Zero(wider));
  }

  const SoftImputeOptions& options_;
  const RunContext& run_;
  ThinCells cells_;
  ThinMatrix z_, before_;
  std::vector<double> left_over_, left_before_;  // a − Z at the cells
  double momentum_ = 1.0;
  ThinBlock dual_basis_;  // of the largest singular values of E
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
                                   const RunContext& run, const Cells* held_out) {
  options.validate();
  if (cells.count() == 0)
    throw Error(ErrorCode::bad_data, "soft-impute: no cells: give at least one");
  Completion found;
  const Cells left = detail::take_biases(cells, options.biases, options.bias_lambda, run, found);
  SoftImpute impute(left, options, run);
  std::vector<double> lambdas, objectives, gaps, ranks;
  Ending& ending = found.report;
  ending.used = ending.requested = "soft-impute";
  const double first = std::isfinite(impute.largest())
                           ? std::max(options.lambda, 0.9 * impute.largest())
                           : options.lambda;
  for (std::int64_t i = 0; i < options.path && ending.outcome == Outcome::converged; ++i) {
    const double share =
        options.path == 1 ? 1.0 : static_cast<double>(i) / static_cast<double>(options.path - 1);
    const double lambda = first * std::pow(options.lambda / first, share);
    run.report_progress("soft-impute", share);
    const Stopwatch watch;
    const Ending step = impute.solve(lambda);
    ending.iterations += step.iterations;
    ending.outcome = step.outcome;
    lambdas.push_back(lambda);
    objectives.push_back(impute.objective);
    gaps.push_back(impute.gap);
    ranks.push_back(static_cast<double>(impute.rank()));
    found.path.push_back({.lambda = lambda,
                          .rank = impute.rank(),
                          .objective = impute.objective,
                          .duality_gap = impute.gap,
                          .seconds = watch.seconds()});
    if (held_out != nullptr) {
      keep_factors(impute.z(), impute.rank(), found);
      found.path.back().held_out_error = root_mean_square_error(found, *held_out);
    }
  }
  keep_factors(impute.z(), impute.rank(), found);
  ending.sentence = std::to_string(ending.iterations) + " proximal steps for " +
                    std::to_string(lambdas.size()) + " values of lambda";
  found.report.certificates.insert(found.report.certificates.end(),
                                   {{"lambda", std::move(lambdas)},
                                    {"objective", std::move(objectives)},
                                    {"duality_gap", std::move(gaps)},
                                    {"rank", std::move(ranks)}});
  return found;
}

}  // namespace gssl
