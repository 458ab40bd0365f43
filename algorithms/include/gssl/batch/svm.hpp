#pragma once
// Support vector machine: the function f(x) = Σ α_i y_i K(x_i, x) + b of least
//
//   ½‖w‖² + Σ c_i max(0, 1 − y_i f(x_i)),   c_i = c · weight of the row · weight of its class
//
// by its dual (0 ≤ α_i ≤ c_i, Σ y_i α_i = 0). With c=inf no row may be within the margin (hard
// margin). Two classes: the margin f is the score of the second class in order, its negative that
// of the first. More: one machine for each pair of classes, each with a vote; on equal votes the
// first class. With one class in the data every row gets it.
//
//   gssl::SvmLearner svm({.kernel = "gaussian(beta=0.5)", .c = 10});
//   gssl::Trained trained = svm.fit(data, run);
//
// On a graph it takes kernels of graphs (kernel_method.hpp). `tolerance` is that of the optimality
// conditions, as in LIBSVM: 1e-3 gives scores to about that, 1e-8 to about that. From 3,000 rows
// on, and down to a tolerance of 1e-5, rows of the kernel are single precision.
//
// Certificates, one value for each pair: `objective` (of the dual, minimized: ½αᵀQα − Σα),
// `primal_objective`, `duality_gap` (their sum, ≥ 0 up to rounding: by how much the objective may
// be off), `kkt_violation` (≤ tolerance), `support_vectors`, `bound_vectors` (α_i = c_i),
// `leave_one_out_bound` (support vectors over rows: no less than the share of rows that would be
// misclassified if each were left out in turn). Cost: 2·n·columns for each row of the kernel that
// is needed, at least as many as there are support vectors; `memory` bounds those kept. Sources: B.
// Boser, I. Guyon, V. Vapnik 1992, doi:10.1145/130385.130401; C. Cortes, V. Vapnik 1995,
// doi:10.1007/BF00994018; and dual_solver.hpp.

#include <string>

#include "gssl/kernel/kernel_method.hpp"

namespace gssl {

enum class ClassWeight { none, balanced };  // balanced: rows / (classes · rows of the class)

struct SvmOptions {
  std::string kernel = "auto";  // see kernel_method.hpp
  double c = 1.0;               // > 0; infinite: hard margin
  double tolerance = 1e-3;      // of the optimality conditions; (0, 1)
  ClassWeight class_weight = ClassWeight::none;
  std::int64_t memory = 2000;  // megabytes for rows of the kernel; ≥ 1
  std::int64_t max_steps = 0;  // pairs of α changed; 0: the larger of 10^7 and 100 rows

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class SvmLearner final : public KernelMethod {
 public:
  explicit SvmLearner(SvmOptions options = {});

 private:
  // Throws ErrorCode::bad_data where c is infinite and no margin separates two classes.
  Expansion expand(const Gram& gram, const Targets& targets, std::span<const double> weights,
                   const RunContext& run, Report& report) const override;

  SvmOptions options_;
};

LearnerEntry svm_entry();

}  // namespace gssl
