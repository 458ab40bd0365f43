#pragma once
// p-eikonal labels: the class whose labels a front reaches first, where the front moves as
//
//   Σ_v w_uv max(x_u − x_v, 0)^p = f_u off the labels of the class,   x = 0 on them.
//
// One x for each class; scores are (1/x_k)/Σ 1/x_j. Large p is close to shortest paths over edges
// of length w^(−1/p) (nearest-label); p = 1, the default, averages over all ways into a vertex and
// so feels density, which shortest paths do not. f_u = (d̄/d_u)^a with d̄ the mean degree slows the
// front where vertices are weakly tied.
//
//   gssl::PEikonalLearner learner({.p = 1.0});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Solved exactly by a fast march: the value of a vertex depends on smaller ones alone. O(K Δ m log
// n) time for greatest degree Δ at worst, K(n + m) usually; classes run in parallel. Certificate
// `residual`: largest |left side / f − 1| of a class. Degenerate cases: components with no label
// are `unreached`; a class with no label in a component scores 0 there. Classes only.

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

struct PEikonalOptions {
  double p = 1.0;        // [1, 100]
  double density = 0.0;  // a; [0, ∞)

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// J. Calder, M. Ettehad. Hamilton–Jacobi equations on graphs with applications to semi-supervised
// learning and data depth. JMLR 23(318), 2022, doi:10.48550/arXiv.2202.08789.
class PEikonalLearner final : public TransductiveLearner {
 public:
  explicit PEikonalLearner(PEikonalOptions options = {});

  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const PEikonalOptions& options() const { return options_; }

 private:
  PEikonalOptions options_;
};

// "p-eikonal"
LearnerEntry p_eikonal_entry();

}  // namespace gssl
