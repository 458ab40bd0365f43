#pragma once
// Nearest label: each vertex takes the class of the given vertex that is closest along the graph.
//
//   gssl::NearestLabelLearner learner({.length = gssl::EdgeLength::unit});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// With d_k(v) the length of a shortest path from v to any label of class k, scores are
// s_k = (1/d_k) / Σ_j (1/d_j); a class that v cannot reach has score 0, a given vertex has its own
// class alone. Equal distances give equal scores, and the decision goes to the lower class index.
// Regression: the target of the nearest given vertex, the lower vertex id on a tie.
// K searches (one for a regression) of O((n + m) log n), several at once on several threads.

#include "gssl/graph/shortest_paths.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

struct NearestLabelOptions {
  // Weights are likeness, so by default a heavy edge is short.
  EdgeLength length = EdgeLength::inverse;

  void validate() const {}  // every value of the type is valid
};

// E. W. Dijkstra 1959, doi:10.1007/BF01386390.
class NearestLabelLearner final : public TransductiveLearner {
 public:
  explicit NearestLabelLearner(NearestLabelOptions options = {});

  // Throws ErrorCode::cancelled or ErrorCode::time_limit when it is stopped: distances not yet
  // final would be wrong labels.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const NearestLabelOptions& options() const { return options_; }

 private:
  NearestLabelOptions options_;
};

// "nearest-label"
LearnerEntry nearest_label_entry();

}  // namespace gssl
