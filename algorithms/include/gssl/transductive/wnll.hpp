#pragma once
// Weighted nonlocal Laplacian: harmonic labels with every edge at a given vertex made heavier, so
// that few labels weigh as much as the many vertices without. Of all functions that agree with the
// given labels S among n vertices, the one of least
//
//   Σ_{u∉S} Σ_v w_uv (x_u − x_v)² + μ Σ_{u∈S} Σ_v w_uv (x_u − x_v)²,   μ = n/|S|,
//
// that is, harmonic labels under the weights w_uv (γ_u + γ_v)/2 with γ = μ on S and 1 elsewhere.
//
//   gssl::WnllLearner learner;
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Keeps the spikes of harmonic labels from forming at 10 and more labels per class; with one or two
// per class the weight is too small to, and poisson does better. Cost: as harmonic, and 16m bytes
// for the reweighted graph. Degenerate cases: n and |S| are those of the component; otherwise as
// harmonic, regression included.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

struct WnllOptions {
  double weight = 0.0;             // μ; 0: n/|S|. In [0, ∞)
  MassRule mass = MassRule::none;  // rescales scores, as in harmonic.hpp
  std::vector<double> priors = {};
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// Z. Shi, S. Osher, W. Zhu. Weighted nonlocal Laplacian on interpolation from sparse data. J. Sci.
// Comput. 73, 2017, doi:10.1007/s10915-017-0421-z.
class WnllLearner final : public TransductiveLearner {
 public:
  explicit WnllLearner(WnllOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if `mass` is set and the targets are real, or the
  // number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;

  const WnllOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores) const;

  WnllOptions options_;
};

// "wnll"
LearnerEntry wnll_entry();

}  // namespace gssl
