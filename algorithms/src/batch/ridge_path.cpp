// X̃ = UΣV': everything about every λ is in the eigenvalues σ², in Z = UΣ (n×m) and in U'Ỹ. Of the
// Gram matrix with d rows Z = X̃V; of that with n rows Z = UΣ and V'v = Σ⁻¹U'X̃v.

#include <algorithm>
#include <cmath>
#include <limits>

#include "batch/linear/left_out_rows.hpp"
#include "gssl/batch/ridge.hpp"
#include "gssl/core/dense.hpp"
#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {

using detail::Design;
using detail::Matrix;

struct RidgePath::State {
  State(const Dataset& data, Bias bias, Dataset storage = {})
      : design(detail::with_weight(data, storage), bias) {}

  Design design;
  bool primal = true;
  Eigen::VectorXd eigenvalues;  // σ² ≥ 0, ascending
  Matrix vectors;               // V (d×d) or U (n×n)
  Matrix shares;                // squares of U: n×m; columns of σ = 0 count for nothing
  Matrix projections;           // Z (n×m) where primal, else U
  Matrix target_parts;          // Z'Ỹ where primal, else U'Ỹ

  void check(double lambda) const {
    if (!(lambda > 0.0) || !std::isfinite(lambda))
      throw Error(ErrorCode::usage,
                  "ridge path: lambda " + to_text(lambda) + ": must be a finite number > 0");
  }

  // v where primal, c = (X̃X̃' + λI)⁻¹Ỹ where not.
  Matrix solution(double lambda) const {
    return vectors * (target_parts.array().colwise() / (eigenvalues.array() + lambda)).matrix();
  }

  Matrix residual(double lambda) const {
    if (!primal) return lambda * solution(lambda);
    return design.targets() -
           projections * (target_parts.array().colwise() / (eigenvalues.array() + lambda)).matrix();
  }

  Eigen::VectorXd leverage(double lambda) const {
    const Eigen::VectorXd factor = eigenvalues.array() / (eigenvalues.array() + lambda);
    Eigen::VectorXd h = shares * factor;
    if (design.bias() == Bias::free)
      for (std::int64_t r = 0; r < design.rows(); ++r)
        h[r] += design.weight(r) / design.weight_sum();
    return h;
  }
};

namespace {

constexpr std::int64_t most_unknowns = 6000;

}  // namespace

RidgePath::RidgePath(const Dataset& data, Bias bias, const RunContext& run)
    : state_(std::make_unique<State>(data, bias)) {
  State& s = *state_;
  s.primal = s.design.columns() <= s.design.rows();
  const std::int64_t m = std::min(s.design.columns(), s.design.rows());
  if (m > most_unknowns)
    throw Error(ErrorCode::usage,
                "ridge path: " + std::to_string(m) + " rows and columns: at most " +
                    std::to_string(most_unknowns) + " of one of them; give one lambda");
  const Matrix gram = s.primal ? s.design.column_gram(run) : s.design.row_gram(run);
  run.report_progress("eigenvalues");
  const DenseEigen pairs = dense_eigen(detail::block_of(gram));
  s.eigenvalues = Eigen::Map<const Eigen::VectorXd>(pairs.values.data(), m).cwiseMax(0.0);
  s.vectors = detail::matrix_of(pairs.vectors);
  if (s.primal) {
    s.projections = s.design.times(s.vectors, run.thread_count());
    s.target_parts = s.projections.transpose() * s.design.targets();
    // Below this an eigenvalue is rounding, and its direction holds nothing of the rows.
    const double least = 1e-15 * static_cast<double>(m) * (m > 0 ? s.eigenvalues[m - 1] : 0.0);
    s.shares = s.projections.array().square().rowwise() /
               (s.eigenvalues.array() > least)
                   .select(s.eigenvalues.array(), std::numeric_limits<double>::infinity())
                   .transpose();
  } else {
    s.target_parts = s.vectors.transpose() * s.design.targets();
    s.shares = s.vectors.array().square();
  }
}

RidgePath::~RidgePath() = default;
RidgePath::RidgePath(RidgePath&&) noexcept = default;
RidgePath& RidgePath::operator=(RidgePath&&) noexcept = default;

LinearFit RidgePath::at(double lambda) const {
  state_->check(lambda);
  const Matrix solution = state_->solution(lambda);
  return state_->design.finish(state_->primal ? solution
                                              : state_->design.transposed_times(solution, 1));
}

Block RidgePath::leave_one_out(double lambda) const {
  state_->check(lambda);
  return detail::left_out_residuals(state_->design, state_->residual(lambda),
                                    state_->leverage(lambda));
}

double RidgePath::leave_one_out_mean_square(double lambda) const {
  double sum = 0.0;
  const auto squares = detail::weighted_mean_squares(state_->design, leave_one_out(lambda));
  for (const double square : squares) sum += square;
  return sum / static_cast<double>(squares.size());
}

double RidgePath::degrees_of_freedom(double lambda) const {
  state_->check(lambda);
  return state_->leverage(lambda).sum();
}

std::vector<double> RidgePath::grid() const {
  const std::int64_t m = state_->eigenvalues.size();
  const double largest = m > 0 ? state_->eigenvalues[m - 1] : 0.0;
  std::vector<double> grid;
  for (int i = 0; i <= 60; ++i)
    grid.push_back((largest > 0.0 ? largest : 1.0) * std::pow(10.0, -i / 6.0));
  return grid;
}

double RidgePath::best() const {
  double best = 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (const double lambda : grid()) {
    const double square = leave_one_out_mean_square(lambda);
    if (best == 0.0 || square < least) {
      least = square;
      best = lambda;
    }
  }
  return best;
}

}  // namespace gssl
