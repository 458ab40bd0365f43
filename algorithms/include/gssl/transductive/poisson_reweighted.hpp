#pragma once
// Poisson reweighted Laplace learning: harmonic labels under weights that a Poisson problem grows
// around the given labels S. Per component of n vertices,
//
//   L g = Σ_{s∈S} a_s (δ_s − 1/n),   γ = g − min g + ε·(max g − min g),   w'_uv = γ_u γ_v w_uv,
//
// then (L' + τ) x_u = 0 off S and x = y on S. a_s = 1, or 1 over the labels of its class, scaled. g is high at labels and falls off as the potential of
// a source does, whatever the dimension of the data. τ > 0 makes scores decay with the distance to
// the labels, so that their size tells explored from unexplored (for active learning); then rows do
// not sum to one.
//
//   gssl::PoissonReweightedLearner learner;
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Cost: one column of the singular system, then as harmonic, and 16m bytes for the reweighted
// graph. Degenerate cases: as harmonic, regression included. Certificate `reweighting_residual`:
// relative residual of the first solve.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

// What is of the same strength as a source of the weights: each label, or each class of a component,
// whose labels share its strength. A class with many more labels than the others takes nearly all of
// the graph with `labels`. No difference for real targets.
enum class PoissonSources { labels, classes };

struct PoissonReweightedOptions {
  double floor = 1e-5;  // ε; (0, 1)
  double tau = 0.0;     // τ as a share of the mean degree under w' of the component; [0, ∞)
  PoissonSources sources = PoissonSources::labels;
  MassRule mass = MassRule::none;  // rescales scores, as in harmonic.hpp
  std::vector<double> priors = {};
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// K. Miller, J. Calder. Poisson reweighted Laplacian uncertainty sampling for graph-based active
// learning. SIAM J. Math. Data Sci. 5(4), 2023, doi:10.1137/22M1531981.
class PoissonReweightedLearner final : public TransductiveLearner {
 public:
  explicit PoissonReweightedLearner(PoissonReweightedOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if `mass` is set and the targets are real, or the
  // number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;

  const PoissonReweightedOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores) const;

  PoissonReweightedOptions options_;
};

// "poisson-reweighted"
LearnerEntry poisson_reweighted_entry();

}  // namespace gssl
