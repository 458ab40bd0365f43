#pragma once
// Properly weighted Laplacian: harmonic labels under weights that grow towards the given labels so
// fast that the labels hold however few they are:
//
//   w_uv (γ_u + γ_v)/2,   γ_v = min(1 + (r/ρ_v)^α, ζ),
//
// with ρ_v the distance of v to the nearest label. The paper measures ρ in the space of the points;
// a learner on a graph has edges alone, so ρ is the length of the shortest path here (the number of
// edges, or Σ 1/w), and r is a share of the largest ρ of the component, which makes it free of
// units. The paper asks for α > d − 2 where the points fill d dimensions.
//
//   gssl::ProperlyWeightedLearner learner({.alpha = 4.0});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Cost: shortest paths, O(m log n), then as harmonic, and 16m bytes for the reweighted graph.
// Degenerate cases: as harmonic, regression included.

#include <vector>

#include "gssl/graph/shortest_paths.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

struct ProperlyWeightedOptions {
  double alpha = 2.0;    // growth towards a label; (0, ∞)
  double radius = 0.25;  // r as a share of the largest ρ in the component; (0, ∞)
  double ceiling = 1e7;  // ζ; (1, ∞)
  EdgeLength length = EdgeLength::unit;
  MassRule mass = MassRule::none;  // rescales scores, as in harmonic.hpp
  std::vector<double> priors = {};
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// J. Calder, D. Slepčev. Properly-weighted graph Laplacian for semi-supervised learning. Appl.
// Math. Optim. 82, 2020, doi:10.1007/s00245-019-09637-3.
class ProperlyWeightedLearner final : public TransductiveLearner {
 public:
  explicit ProperlyWeightedLearner(ProperlyWeightedOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if `mass` is set and the targets are real, or the
  // number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;

  const ProperlyWeightedOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores) const;

  ProperlyWeightedOptions options_;
};

// "properly-weighted"
LearnerEntry properly_weighted_entry();

}  // namespace gssl
