#pragma once
// CutSSL: the minimum cut whose classes have given sizes, as a quadratic program that is made
// concave step by step until its solution is a partition.
//
//   minimize  ½ tr XᵀLX − (s/2) tr XᵀDX   over  X ≥ 0, X 1 = 1, Xᵀ1 = sizes, given rows fixed
//
// with D the degrees. On partitions the second term is a constant, so that s never changes which
// of them is best, and half the first is the cut. At s = 0 the program is convex: harmonic labels
// whose columns have the mass of their classes. The larger s, the more it pays to be at a corner of
// the polytope; at s = 2 all is concave and only corners are smallest, where at most K−1 rows are
// split (sizes that are no whole numbers split some). s rises from 0 by `step` until no more rows
// are.
//
//   gssl::CutSslLearner learner({.mass = gssl::MassRule::priors, .priors = {0.3, 0.7}});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Solved by the alternating direction method of multipliers: X minimizes, one solve with
// L + (s + σ)D in K−1 columns; its copy Z is the nearest point of the polytope; the penalty is
// (2s + σ)/2·‖X − Z‖²_D with σ = 0.3 (less than 2s, and the two do not come to rest). Not convex: a
// local optimum, the one that the convex program leads to. The paper takes the equations into the
// solve and X ≥ 0 into the copy, an s of 0 and then 0.1 for given numbers of iterations, and the
// largest entry of each row.
//
// Scores are two thirds the partition, one third the shares at s = 0; given vertices keep their
// labels. Certificates: `cut` (weight between classes), `volume_error` (of each component),
// `concavity` (the last s), `split` (rows that were no corner before they were rounded). It has not
// converged when the last s ended at its limit of iterations. Cost: some hundred solves of a well
// conditioned system, prepared anew for each s, and as many projections (some passes of O(nK)).
// Degenerate cases: as volume_mbo.hpp; a component that is a partition keeps it while s rises for
// the others. A vertex that symmetry holds between classes belongs to them in equal parts.
// Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"

namespace gssl {

struct CutSslOptions {
  double step = 0.1;              // by which s rises; (0, 2]
  MassRule mass = MassRule::cmn;  // sizes to hold; none: free
  std::vector<double> priors = {};
  std::int64_t iterations = 50;  // limit for each s; ≥ 1
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-6;          // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // of the linear solver; 0: chosen by it; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// C. Holtz, P. Chen, Z. Wan, C.-K. Cheng, G. Mishne. Continuous partitioning for graph-based
// semi-supervised learning. NeurIPS 2024, https://openreview.net/forum?id=hCOuip5Ona.
class CutSslLearner final : public TransductiveLearner {
 public:
  explicit CutSslLearner(CutSslOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if the number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const CutSslOptions& options() const { return options_; }

 private:
  CutSslOptions options_;
};

// "cut-ssl"
LearnerEntry cut_ssl_entry();

}  // namespace gssl
