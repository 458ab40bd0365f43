#pragma once
// Support vector regression: the function f(x) = Σ β_i K(x_i, x) + b of least
//
//   ½‖w‖² + Σ c_i max(0, |z_i − f(x_i)| − epsilon),   c_i = c · weight of the row
//
// so that rows within epsilon of the function cost nothing and do not enter it. The dual has two
// variables a row, over the same rows of the kernel; otherwise as svm (svm.hpp), certificates too.
//
//   gssl::SvrLearner svr({.kernel = "gaussian(beta=0.5)", .c = 10, .epsilon = 0.1});
//   gssl::Trained trained = svr.fit(data, run);
//
// Source: A. Smola, B. Schölkopf 2004, doi:10.1023/B:STCO.0000035301.49549.88.

#include <string>

#include "gssl/kernel/kernel_method.hpp"

namespace gssl {

struct SvrOptions {
  std::string kernel = "auto";  // see kernel_method.hpp
  double c = 1.0;               // > 0, finite
  double epsilon = 0.1;         // ≥ 0, in units of the targets
  double tolerance = 1e-3;      // of the optimality conditions, in units of the targets; (0, 1)
  std::int64_t memory = 2000;   // megabytes for rows of the kernel; ≥ 1
  std::int64_t max_steps = 0;   // pairs changed; 0: the larger of 10^7 and 200 rows

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class SvrLearner final : public KernelMethod {
 public:
  explicit SvrLearner(SvrOptions options = {});

 private:
  Expansion expand(const Gram& gram, const Targets& targets, std::span<const double> weights,
                   const RunContext& run, Report& report) const override;

  SvrOptions options_;
};

LearnerEntry svr_entry();

}  // namespace gssl
