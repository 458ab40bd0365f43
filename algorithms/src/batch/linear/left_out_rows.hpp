#pragma once
// Residuals of rows that were left out, from the residuals and leverages of all rows.

#include "batch/linear/design.hpp"
#include "gssl/core/report.hpp"

namespace gssl::detail {

// y_i − ŷ_i of the model without one copy of row i (without the row, where its weight is below 1):
// e_i/(1 − s_i h_i/w_i) with s_i = min(1, w_i). `residual` is Ỹ − X̃v. Infinite where the
// denominator is 0 but for rounding.
Block left_out_residuals(const Design& design, const Matrix& residual,
                         const Eigen::VectorXd& leverage);

// Weighted mean square of each column.
std::vector<double> weighted_mean_squares(const Design& design, const Block& residual);

// "leave_one_out_mse", for classes "leave_one_out_error", and "degrees_of_freedom".
void certify_left_out(const Design& design, const Targets& targets, const Matrix& residual,
                      const Eigen::VectorXd& leverage, Report& report);

}  // namespace gssl::detail
