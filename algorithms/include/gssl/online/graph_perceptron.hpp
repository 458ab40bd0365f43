#pragma once
// The kernel perceptron on a graph, K = L⁺ + b or another kernel of the graph: each vertex asked is
// predicted by the sign of w there, and a mistake adds ± a column of K to w. A column is one solve,
// and only mistakes cost one.
//
//   gssl::GraphPerceptronLearner learner({.b = 1.0});
//   auto session = learner.start({.class_names = {"-1", "+1"}, .graph = graph}, run);
//   double predicted = session->predict({.first = v});    // a class number
//   session->update({.value = 1});
//
// Two classes have one w; with more, each has its own, the largest predicts, and a mistake adds the
// column to that of the true class and takes it from that of the predicted one. Ties predict the
// last of the tied classes. The constant b is shared by all components: without it a label says
// nothing of the sign of other components, nor of the mean of its own.
//
// Bound of the run, for the labeling u that agrees with all labels, of the least norm: ‖u‖² = uᵀLu
// + ū²/b, ū its mean (the same in every component), and X² the largest K_vv of a mistake: mistakes
// ≤ X²‖u‖² (M. Herbster, M. Pontil, NIPS 2006), for more classes 2X² Σ_k ‖u_k‖². A vertex with two
// labels has a hinge loss, and with H their sum for two classes mistakes ≤ H + X‖u‖√H + X²‖u‖². On
// graphs of up to 300 vertices that are connected also with X² ≤ Δ/k + b, by the wide diameter: k
// paths of Δ edges between any two vertices (Δ over the least weight where there are weights). All
// that apply are in OnlineReport::bounds. Certificates: "norm_square" of u, "largest_diagonal" X².
// With another kernel than L⁺ there is no bound; "weight_square" is ‖w‖².
//
// O(1) time to predict, a solve for a mistake, 8n bytes a class.

#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl {

struct GraphPerceptronOptions {
  // An expression of graph kernels (kernel/graph_expression.hpp).
  std::string kernel = "pseudoinverse";
  double b = 1.0;            // added to every entry of the kernel; finite, ≥ 0
  double tolerance = 1e-10;  // relative residual of the solves for L⁺; (0, 1)

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class GraphPerceptronLearner final : public OnlineLearner {
 public:
  explicit GraphPerceptronLearner(GraphPerceptronOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::vertex; }
  // Throws ErrorCode::usage without a graph or with fewer than two classes.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  GraphPerceptronOptions options_;
};

LearnerEntry graph_perceptron_entry();

}  // namespace gssl
