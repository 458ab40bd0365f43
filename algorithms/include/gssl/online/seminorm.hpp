#pragma once
// Minimum seminorm interpolation, online: each vertex asked is predicted by the labeling of least
// energy uᵀLu = Σ w_ij (u_i − u_j)² that agrees with all labels revealed so far, the harmonic
// extension.
//
//   gssl::SeminormLearner learner;
//   auto session = learner.start({.class_names = {"-1", "+1"}, .graph = graph}, run);
//   double predicted = session->predict({.first = v});    // a class number
//   session->update({.value = 1});
//
// Two classes are −1 and +1, and the sign of u predicts; with more, each class has a column of 1
// where it was seen and 0 where another was, and the largest predicts. Ties, which are values
// within 1e-10, predict the last of the tied classes, as does a component without labels. A vertex asked again is
// predicted by its own label; the first label stays where another comes.
//
// Exact at every trial, and no trial solves anew: a label is a change of rank one (formulas in
// docs/online_graph.md). Time of a trial: the factor's entries above the vertex (some 4·10⁵ of
// 4·10⁶ on a 100,000-vertex neighbor graph of the plane), and products with the labels since the
// last factorization; memory: the factor, at most 4 GB (ErrorCode::out_of_memory beyond).
//
// Bound, for E the energy of the last labeling and any k: mistakes ≤ k + 2R_k·E, where R_k is the
// largest resistance from a vertex to the nearest of k centers, chosen greedily; the best k is
// taken (M. Herbster and G. Lever, COLT 2009, for p = 2; with more than two classes 2E of the
// columns together stands for E). It never exceeds the number of vertices that were labeled.
// Certificates: "energy" (wᵀLw of the last labeling) and "energy_of_trials" (Σ δ²/c, the same
// number by the trials), "centers" and "radius" of the bound, "factorizations".

#include "gssl/learn/registry.hpp"

namespace gssl {

class SeminormLearner final : public OnlineLearner {
 public:
  InstanceKind instance_kind() const override { return InstanceKind::vertex; }
  // Throws ErrorCode::usage without a graph or with fewer than two classes.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;
};

LearnerEntry seminorm_entry();

}  // namespace gssl
