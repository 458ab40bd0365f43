#pragma once
// p-Laplacian labels: between the harmonic answer (p = 2), the minimum cut (p → 1) and the
// smoothest extension (p = ∞).
//
//   gssl::PLaplacianLearner learner({.p = 3.0, .tolerance = 1e-6});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//   // fit.report.certificates: duality_gap and energy, one value for each class
//
// Variational form, 1 < p < ∞: u = argmin Σ w_uv |u_u − u_v|^p over the functions that agree with
// the labels. Each class is one problem with targets 1 and 0 (one against the rest; two classes are
// one problem, since 1 − u solves the other), a regression is one. Each class comes with a flow
// that proves its energy: `duality_gap` = (energy − bound)/energy, and converged means ≤ tolerance.
//
// Above p = 8 a small gap says little where the labeling is flat. Sweeps then put vertices at the
// p-mean of their neighbors, the condition of least energy at each vertex alone, which never raises
// the energy; `p_mean_error` is the largest distance left from there, over the range of the targets
// around. About the tolerance where the sweeps came to rest.
//
// p = ∞ and the game form have an equation instead of an energy (method in
// docs/p_laplacian.md):
//
//   variational, p = ∞:  max_y (u_y − u_x) + min_y (u_y − u_x) = 0 at every free vertex x: the
//   limit
//     of the above as p → ∞ (weights vanish from it, w^{1/p} → 1), the absolutely minimal Lipschitz
//     extension, whose sorted list of differences over edges is lexicographically least;
//   game, 2 ≤ p ≤ ∞:  (1/p) Σ_y w_xy (u_y − u_x)/d_x
//       + (1 − 2/p) (max_y s_xy (u_y − u_x) + min_y s_xy (u_y − u_x)) = 0,
//     s the weights divided by the largest one of the component.
//
// Their certificate is `error_bound`, per class: no score is further than that from the exact one,
// in units of the range of the targets, shown by a subsolution below and a supersolution above.
//
// Degenerate cases: components with no label are `unreached`; where all labels around have one
// value, so has u. Cost of the variational form: about 5 (p = 1.5, 3), 15 (p = 10) or 40 (p = 50)
// Laplacian solves of one pattern for each class.

#include <string>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {

enum class PLaplacianForm { variational, game };

struct PLaplacianOptions {
  double p = 3.0;  // (1, ∞]; game: [2, ∞]
  // Of the relative duality gap, or of the error bound for p = ∞ and the game form; (0, 1).
  double tolerance = 1e-6;
  PLaplacianForm form = PLaplacianForm::variational;
  SolverKind solver = SolverKind::automatic;
  // Laplacian solves (variational) or factored policies for each class; 0: chosen by the method; ≥
  // 0
  std::int64_t max_iterations = 0;

  void validate() const;  // throws ErrorCode::usage: option, value, rule; p = 1 names min-cut
};

// D. Zhou, B. Schölkopf, DAGM 2005, doi:10.1007/11550518_45 (variational);
// J. Calder, Nonlinearity 32 (2019) 301–330, doi:10.1088/1361-6544/aae949 (game);
// R. Kyng, A. Rao, S. Sachdeva, D. Spielman, COLT 2015, arXiv:1505.00290 (p = ∞).
class PLaplacianLearner final : public TransductiveLearner {
 public:
  explicit PLaplacianLearner(PLaplacianOptions options = {});  // throws what validate() does

  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const PLaplacianOptions& options() const { return options_; }

 private:
  PLaplacianOptions options_;
};

// "p-laplacian".
LearnerEntry p_laplacian_entry();

}  // namespace gssl
