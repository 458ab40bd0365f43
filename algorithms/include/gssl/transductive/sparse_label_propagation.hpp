#pragma once
// Sparse label propagation: of all functions that agree with the given labels, one of least total
// variation Σ w_uv |x_u − x_v| for each class: constant on clusters, with jumps where few edges
// cross. The relaxed minimum cut, for graphs whose clusters are joined by little; on well-mixed
// graphs with few labels the cheapest jump is around the labels themselves, and x is 0 elsewhere:
// such vertices share alike and are counted in a warning.
//
//   gssl::SparseLabelPropagationLearner learner({.gap = 1e-5});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Solved by the preconditioned primal–dual method of the paper: a flow |y_uv| ≤ w_uv on every edge
// answers the labels. x is kept in [0, 1], where a best one lies, so that every flow gives a lower
// bound and the duality gap is known: certificates `total_variation` and `duality_gap`, one number
// for each class, absolute. Stops at a gap ≤ gap·total variation in every component.
// O(K(n + m)) for each step and 16mK bytes. Degenerate cases: components with no label are
// `unreached`. Best answers may be many; which one is found is fixed by the method. Classes only.

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

struct SparseLabelPropagationOptions {
  double gap = 1e-4;                    // relative duality gap to reach; (0, 1)
  std::int64_t max_iterations = 20000;  // steps; ≥ 1

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// A. Jung, A. O. Hero III, A. C. Mara, S. Jahromi, A. Heimowitz, Y. C. Eldar. Semi-supervised
// learning in network-structured data via total variation minimization. IEEE Trans. Signal Process.
// 67(24), 2019, doi:10.1109/TSP.2019.2953593; preconditioning: T. Pock, A. Chambolle, ICCV 2011,
// doi:10.1109/ICCV.2011.6126441.
class SparseLabelPropagationLearner final : public TransductiveLearner {
 public:
  explicit SparseLabelPropagationLearner(SparseLabelPropagationOptions options = {});

  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const SparseLabelPropagationOptions& options() const { return options_; }

 private:
  SparseLabelPropagationOptions options_;
};

// "sparse-label-propagation"
LearnerEntry sparse_label_propagation_entry();

}  // namespace gssl
