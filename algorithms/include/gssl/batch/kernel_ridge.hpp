#pragma once
// Kernel ridge regression: the function f(x) = Σ c_i K(x_i, x) + b of least
//
//   Σ w_i (y_i − f(x_i))² + lambda ‖f‖²,   that is   (K + lambda W⁻¹) c + b·1 = y,  Σ c_i = 0
//
// for real targets, or for classes as one column of 0 and 1 each (least squares on the classes; the
// largest decides). `bias=false` leaves b out. Linear kernel: ridge regression.
//
//   gssl::KernelRidgeLearner ridge({.kernel = "gaussian(beta=0.5)", .lambda = 0.1});
//   gssl::Trained trained = ridge.fit(data, run);
//
// A Cholesky factor of the whole matrix: n³/3 operations, 4n² bytes. From 2,000 rows on the factor
// is single precision (2n² bytes) and the answer is refined with entries in double precision,
// computed anew in each step, to a relative residual of 1e-12; where that does not come near, the
// factor is made again in double. The same bytes at any thread count.
//
// `leave_one_out=true` adds, at three times the cost, what refits without each row in turn would
// give: residuals c_i / (G⁻¹)_ii. Certificates: `relative_residual`; `training_error` and with it
// `leave_one_out_error`: the mean square, or the share of rows of another class. On a graph it
// takes kernels of graphs (kernel_method.hpp). Sources: C. Saunders, A. Gammerman, V. Vovk 1998
// (ICML, 515–521); R. Rifkin, R. Lippert 2007, MIT-CSAIL-TR-2007-025 (leave-one-out).

#include <string>

#include "gssl/kernel/kernel_method.hpp"

namespace gssl {

struct KernelRidgeOptions {
  std::string kernel = "auto";  // see kernel_method.hpp
  double lambda = 1.0;          // ≥ 0
  bool bias = true;             // a constant that is not penalized
  bool leave_one_out = false;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class KernelRidgeLearner final : public KernelMethod {
 public:
  explicit KernelRidgeLearner(KernelRidgeOptions options = {});

 private:
  // Throws ErrorCode::bad_data where K + lambda W⁻¹ is singular.
  Expansion expand(const Gram& gram, const Targets& targets, std::span<const double> weights,
                   const RunContext& run, Report& report) const override;

  KernelRidgeOptions options_;
};

LearnerEntry kernel_ridge_entry();

}  // namespace gssl
