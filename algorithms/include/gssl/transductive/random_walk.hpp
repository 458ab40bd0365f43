#pragma once
// Lazy random walks: a class scores by how often a walk that stops with chance 1 − α at every step
// visits its labels. With P = D⁻¹W and one-hot Y,
//
//   symmetric   (I − αD^-½WD^-½)⁻¹ Y    normalized commute times; the usual "random walk" of tables
//   commute     (D − αW)⁻¹ Y            commute times; also the PageRank of the labels, (I −
//   αPᵀ)⁻¹Y forward     (I − αP)⁻¹ Y            visits of the walk from the vertex
//
// and scores are the shares of the classes in a row, so that a factor per vertex does not matter.
// All three are (D − αW) Z = D^q Y with q = ½, 0, 1: how much a label of high degree counts.
// local-global with the same α and `symmetric` decide alike; its scores are not shares.
//
//   gssl::RandomWalkLearner learner({.alpha = 0.95});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Labels are soft. Cost: K columns of L + (1−α)/α·D, condition number below 1 + 2α/(1−α).
// Degenerate cases: scores fall off exponentially with the distance to the labels; a vertex where
// all are below 1e-9 of the largest shares alike and is counted in a warning (raise α). Components
// with no label are `unreached`. Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

enum class WalkKind { symmetric, commute, forward };

struct RandomWalkOptions {
  double alpha = 0.95;  // chance to go on; (0, 1)
  WalkKind walk = WalkKind::symmetric;
  MassRule mass = MassRule::none;  // rescales scores, as in harmonic.hpp
  std::vector<double> priors = {};
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// D. Zhou, B. Schölkopf. Learning from labeled and unlabeled data using random walks. DAGM 2004,
// LNCS 3175, doi:10.1007/978-3-540-28649-3_29.
class RandomWalkLearner final : public TransductiveLearner {
 public:
  explicit RandomWalkLearner(RandomWalkOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if the number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const RandomWalkOptions& options() const { return options_; }

 private:
  RandomWalkOptions options_;
};

// "random-walk"
LearnerEntry random_walk_entry();

}  // namespace gssl
