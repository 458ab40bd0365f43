#pragma once
// Centered similarities: harmonic labels go flat in high dimension because all similarities are
// nearly equal; taking their mean away leaves what tells vertices apart. Per component with
// P = I − 11ᵀ/n and Ŵ = P W P,
//
//   f_u = (αI − Ŵ_uu)⁻¹ Ŵ_uℓ f_ℓ,   f_ℓ = (I − 11ᵀ/ℓ) Y,
//
// with α a little above the largest |eigenvalue| of Ŵ: the closer, the further labels reach.
//
//   gssl::CenteredKernelLearner learner({.alpha = 1.05});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// The matrix is no grounded Laplacian (its diagonal may be smaller than its row), so conjugate
// gradients run on it directly, without forming it: below (α+1)/(α−1) in condition number. ‖Ŵ‖
// comes from Lanczos steps. Scores are the shares of the classes in the positive part of a row;
// given vertices keep their labels. O(K(n + m)) for each step. Degenerate cases: means are those of
// the component; components with no label are `unreached`. Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

struct CenteredKernelOptions {
  double alpha = 1.05;             // in units of ‖Ŵ‖₂; (1, ∞)
  MassRule mass = MassRule::none;  // rescales scores, as in harmonic.hpp
  std::vector<double> priors = {};
  double tolerance = 1e-10;         // relative residual in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: 10 n + 1000; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// X. Mai, R. Couillet. Random matrix-inspired improved semi-supervised learning on graphs. ICML
// 2018 workshop; Consistent semi-supervised graph regularization for high dimensional data. JMLR
// 22(94), 2021, doi:10.48550/arXiv.2006.07575.
class CenteredKernelLearner final : public TransductiveLearner {
 public:
  explicit CenteredKernelLearner(CenteredKernelOptions options = {});

  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const CenteredKernelOptions& options() const { return options_; }

 private:
  CenteredKernelOptions options_;
};

// "centered-kernel"
LearnerEntry centered_kernel_entry();

}  // namespace gssl
