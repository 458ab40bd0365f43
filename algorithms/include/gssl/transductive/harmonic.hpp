#pragma once
// Harmonic labels: of all functions that agree with the given labels, the one of least energy
// uᵀLu = Σ w_uv (x_u − x_v)². Every other vertex is the weighted mean of its neighbors; its score
// for a class is the chance that a random walk from it meets a label of that class first.
//
//   gssl::HarmonicLearner learner({.mass = gssl::MassRule::cmn});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//   fit.scores.values(v, k);   // class k of vertex v; rows sum to one
//
// Hard labels solve L_uu X = W_uℓ Y on the free vertices; soft ones (L + c·diag(labeled)) X = c·Y
// on all. K classes cost K−1 columns, since scores sum to one; real targets are one column
// (regression). Cost: that of the solver (see linear_solver.hpp) plus O(K(n + m)).
//
// Degenerate cases: components with no label are `unreached`; one class gives it score 1 everywhere
// reached; all vertices given means no solve. Scores of an iterative solver that was stopped early
// are clamped to the range of the targets, where the exact ones lie.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/learn/top_classes.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"
#include "gssl/transductive/shared_graph.hpp"

namespace gssl {

struct HarmonicOptions {
  // c of the penalty Σ_ℓ c (u_i − y_i)² + uᵀLu; 0: labels are hard, u_i = y_i. In [0, ∞).
  // With c > 0 a given vertex gets the score that was solved for, its decision may differ from its
  // label (which marks a suspect), and mass rescaling still leaves its row alone.
  double soft = 0.0;
  // How scores are rescaled to class proportions q. With mass_c = Σ F(v,c) over inferred vertices,
  // each inferred F(v,c) becomes F(v,c)·q_c/mass_c and the row is then divided by its sum. The mass
  // is a sum over the whole graph, so this couples components.
  MassRule mass = MassRule::none;
  std::vector<double> priors =
      {};  // one finite q_c ≥ 0 per class, not all 0; set exactly for `priors`
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// X. Zhu, Z. Ghahramani, J. Lafferty, ICML 2003; soft labels: M. Belkin, I. Matveeva, P. Niyogi,
// COLT 2004, doi:10.1007/978-3-540-27819-1_43.
class HarmonicLearner final : public TransductiveLearner,
                              public TopClassLearner,
                              public SharingLearner {
 public:
  explicit HarmonicLearner(HarmonicOptions options = {});  // throws what validate() does

  // Beyond the contract: throws ErrorCode::usage if `mass` is set and the targets are real, or the
  // number of priors is not the number of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;
  Fit fit_top(const Graph& graph, const LabeledSet& labeled, int count, TopClasses& best,
              const RunContext& run) const override;
  std::optional<Fit> fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                            const RunContext& run) const override;

  const HarmonicOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores, int top, TopClasses* best) const;

  HarmonicOptions options_;
};

// "harmonic". priors are written with ';': priors=0.2;0.8.
LearnerEntry harmonic_entry();

}  // namespace gssl
