#include "batch/linear/left_out_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gssl::detail {

namespace {

// Share of the weight whose left-out values (target less residual) decide for another class.
double left_out_error(const Design& design, const Targets& targets, const Block& residual) {
  const std::vector<std::int32_t> learned = learned_classes(targets);
  double mistaken = 0.0;
  for (std::int64_t r = 0; r < residual.rows(); ++r) {
    const int truth = targets.class_of()[static_cast<std::size_t>(r)];
    int best = -1;
    double most = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < targets.class_count(); ++k) {
      const double value = (k == truth ? 1.0 : 0.0) - residual(r, k);
      if (learned[static_cast<std::size_t>(k)] != 0 && std::isfinite(value) && value > most) {
        most = value;
        best = k;
      }
    }
    if (best != truth) mistaken += design.weight(r);
  }
  return mistaken / design.weight_sum();
}

}  // namespace

Block left_out_residuals(const Design& design, const Matrix& residual,
                         const Eigen::VectorXd& leverage) {
  Block left_out(residual.rows(), residual.cols());
  for (std::int64_t r = 0; r < residual.rows(); ++r) {
    const double w = design.weight(r);
    const double kept = 1.0 - std::min(1.0, w) / w * leverage[r];
    for (std::int64_t k = 0; k < residual.cols(); ++k)
      left_out(r, k) = kept > 1e-12 ? residual(r, k) / (std::sqrt(w) * kept)
                                    : std::numeric_limits<double>::infinity();
  }
  return left_out;
}

std::vector<double> weighted_mean_squares(const Design& design, const Block& residual) {
  std::vector<double> mean(static_cast<std::size_t>(residual.columns()), 0.0);
  for (std::int64_t r = 0; r < residual.rows(); ++r)
    for (std::size_t k = 0; k < mean.size(); ++k) {
      const double e = residual(r, static_cast<std::int64_t>(k));
      mean[k] += design.weight(r) / design.weight_sum() * e * e;
    }
  return mean;
}

void certify_left_out(const Design& design, const Targets& targets, const Matrix& residual,
                      const Eigen::VectorXd& leverage, Report& report) {
  const Block left_out = left_out_residuals(design, residual, leverage);
  report.certificates.push_back({"leave_one_out_mse", weighted_mean_squares(design, left_out)});
  if (!targets.is_regression())
    report.certificates.push_back(
        {"leave_one_out_error", {left_out_error(design, targets, left_out)}});
  report.certificates.push_back({"degrees_of_freedom", {leverage.sum()}});
}

}  // namespace gssl::detail
