#pragma once
// Volume-constrained MBO ("auction dynamics"): the partition of little cut that keeps the given
// labels and gives each class its share of the vertices. From a first partition, repeat until
// nothing changes:
//
//   diffuse    Ψ = A X,  A = (I + τ/d̄ L)⁻¹
//   threshold  the partition of largest Σ_v Ψ_{v,class(v)} with given labels and volumes q_k n
//
// A is symmetric and positive definite, for which the paper shows that the heat content
// E = −½⟨X, AX⟩ never rises. The threshold is a linear program, which the paper solves by auctions
// for whole numbers and this learner by prices (exact for the volumes reached, which may be off by
// the slack): the answer must not depend on the order of vertices. There are two starts, at prices
// that meet the volumes: the cells of the shortest paths over lengths 1/w, and the potentials of
// Poisson learning; each component keeps the partition that cuts less (with free volumes the first
// start is the only one). The paper's random kicks ("temperature") are left out.
//
//   gssl::VolumeMboLearner learner({.mass = gssl::MassRule::priors, .priors = {0.3, 0.7}});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Scores are two thirds the partition, one third what diffuses to the vertex; given vertices keep
// their labels. Certificates: `energy`, `volume_error`, `start_cuts`. Cost of a step: K−1 columns
// of one prepared system and, with volumes, the prices. Degenerate cases: as poisson_mbo.hpp.
// Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

struct VolumeMboOptions {
  double time = 30.0;             // τ; (0, ∞)
  MassRule mass = MassRule::cmn;  // volumes to hold; none: free
  std::vector<double> priors = {};
  double slack = 0.01;       // a volume may be off by slack·V_k + 1 vertices; [0, 1]
  std::int64_t steps = 300;  // limit; ≥ 1
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // of the linear solver; 0: chosen by it; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// M. Jacobs, E. Merkurjev, S. Esedoḡlu. Auction dynamics: a volume constrained MBO scheme. J.
// Comput. Phys. 354, 2018, doi:10.1016/j.jcp.2017.10.036.
class VolumeMboLearner final : public TransductiveLearner {
 public:
  explicit VolumeMboLearner(VolumeMboOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if the number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const VolumeMboOptions& options() const { return options_; }

 private:
  VolumeMboOptions options_;
};

// "volume-mbo"
LearnerEntry volume_mbo_entry();

}  // namespace gssl
