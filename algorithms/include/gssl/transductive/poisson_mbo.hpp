#pragma once
// Poisson MBO: the partition of few cut edges that Poisson learning points to, with given class
// sizes. From the decisions of `poisson`, and where volumes are held once more from the cells
// around the labels (each component keeps the end that cuts less), repeat until nothing changes:
//
//   heat       U ← U − dt (L U − μ d̄ B), a number of times, with dt = 1/largest degree
//   threshold  every vertex to its largest U_vk − p_k
//
// B is the source of Poisson learning (poisson.hpp), so that labels pull all along; the prices p
// hold the volumes q_k n of the classes. Sharpens Poisson learning where classes are separated by
// few edges and their sizes are known, at least roughly: 96 % against 90 in the paper's first row.
//
//   gssl::PoissonMboLearner learner({.mass = gssl::MassRule::priors, .priors = {0.3, 0.7}});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Two departures from the paper. The source is multiplied by the mean degree d̄, so that a scale of
// the weights changes nothing. And its projection on the partitions with given volumes, there
// approached by weighing columns, is solved (additive prices, exact for the volumes reached), which
// makes the steps end: with free volumes the energy E = −½⟨U, P^s U⟩ − ⟨U, q⟩ never rises. Labels
// are soft. Scores are two thirds the partition, one third what heat brings. Certificates:
// `energy`, `volume_error`, `start_cuts`. Cost of a step: `heat` products with K columns and, with
// volumes, the prices. Degenerate cases: all is taken per component, d̄, dt, B and volumes; classes
// with no label in a component get no vertex there; a vertex whose best classes are equal belongs
// to them in equal parts. Components with no label are `unreached`. Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

struct PoissonMboOptions {
  int heat = 40;                  // products between two thresholds; [1, 10000]
  double fidelity = 1;            // μ; [0, ∞)
  MassRule mass = MassRule::cmn;  // volumes to hold; none: free
  std::vector<double> priors = {};
  double slack = 0.01;       // a volume may be off by slack·V_k + 1 vertices; [0, 1]
  std::int64_t steps = 300;  // limit; ≥ 1
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // of the linear solver; 0: chosen by it; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// J. Calder, B. Cook, M. Thorpe, D. Slepčev. Poisson learning: graph based semi-supervised learning
// at very low label rates. ICML 2020, PMLR 119:1306–1316, doi:10.48550/arXiv.2006.11184.
class PoissonMboLearner final : public TransductiveLearner {
 public:
  explicit PoissonMboLearner(PoissonMboOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if the number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const PoissonMboOptions& options() const { return options_; }

 private:
  PoissonMboOptions options_;
};

// "poisson-mbo"
LearnerEntry poisson_mbo_entry();

}  // namespace gssl
