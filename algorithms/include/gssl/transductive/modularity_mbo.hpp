#pragma once
// Modularity MBO: the partition of large modularity that respects the given labels. With k_v the
// weighted degree, 2m = Σ k_v and resolution γ, modularity falls short of its bound by
//
//   Σ_classes u_kᵀ M u_k / (2m),   M = L + (γ/m) k kᵀ,
//
// balanced total variation: few edges cut, classes of like volume. From the cells around the
// labels, repeat until nothing changes:
//
//   diffuse    (I + τ/d̄ M + τλ J) Ψ = X + τλ J Y,  J = diag(given)
//   threshold  every vertex to the class of its largest Ψ
//
// The matrix is symmetric and its inverse positive definite, so that E = −½⟨X, AX⟩ − ⟨X, q⟩ never
// rises. The balance comes from k kᵀ alone: sizes need not be known, and classes of unlike size are
// pushed together. The source takes 5K eigenvectors of M for the diffusion; here it is one implicit
// step, a grounded Laplacian plus a matrix of rank one for each component (Sherman–Morrison).
//
//   gssl::ModularityMboLearner learner({.resolution = 0.5});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Labels are soft. Scores are two thirds the partition, one third what diffuses to the vertex.
// Certificate: `energy`. Cost of a step: K columns of one prepared system. Degenerate cases: as
// poisson_mbo.hpp. Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

struct ModularityMboOptions {
  double resolution = 0.5;         // γ; [0, ∞)
  double time = 10.0;              // τ; (0, ∞)
  double fidelity = 10.0;          // λ; (0, ∞)
  std::int64_t steps = 300;        // limit; ≥ 1
  MassRule mass = MassRule::none;  // rescales scores, as in harmonic.hpp
  std::vector<double> priors = {};
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // of the linear solver; 0: chosen by it; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// H. Hu, T. Laurent, M. A. Porter, A. L. Bertozzi. A method based on total variation for network
// modularity optimization using the MBO scheme. SIAM J. Appl. Math. 73(6), 2013,
// doi:10.1137/130917387; labels and M: Z. M. Boyd, E. Bae, X.-C. Tai, A. L. Bertozzi. Simplified
// energy landscape for modularity using total variation. SIAM J. Appl. Math. 78(5), 2018,
// doi:10.1137/17M1138972.
class ModularityMboLearner final : public TransductiveLearner {
 public:
  explicit ModularityMboLearner(ModularityMboOptions options = {});

  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const ModularityMboOptions& options() const { return options_; }

 private:
  ModularityMboOptions options_;
};

// "modularity-mbo"
LearnerEntry modularity_mbo_entry();

}  // namespace gssl
