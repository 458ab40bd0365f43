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
// within 1e-10, predict the last of the tied classes, as does a component without labels. A vertex
// asked again is predicted by its own label; the first label stays where another comes.
//
// No trial solves anew: a label is a change of rank one (formulas in docs/online_graph.md). Two
// engines:
//   factor   exact at every trial. Time of a trial: the factor's entries above the vertex (some
//            4·10⁵ of 4·10⁶ on a 100,000-vertex neighbor graph of the plane), and products with the
//            labels since the last factorization; memory: the factor, at most 4 GB
//            (ErrorCode::out_of_memory beyond)
//   local    keeps the values of all vertices only as well as their classes need: a prediction is
//            that of the exact values, proved by an error bound. Labels that were foreseen cost
//            nothing, others are pushed on around their vertex, and where neither proves the next
//            class the component is solved by conjugate gradients. Memory: 8 bytes an edge end, and
//            40 and 16 a class for a vertex; no factor
// `automatic` takes the factor where it has at most 3·10⁷ entries.
//
// Bound, for E the energy of the last labeling and any k: mistakes ≤ k + 2R_k·E, where R_k is the
// largest resistance from a vertex to the nearest of k centers, chosen greedily; the best k is
// taken (M. Herbster and G. Lever, COLT 2009, for p = 2; with more than two classes 2E of the
// columns together stands for E). It never exceeds the number of vertices that were labeled, the
// bound that holds in any case. On graphs of up to 300 vertices, if it takes no more than some 10⁹
// steps, there is one more, by the wide diameter: c + 4(ΦΔ^(p−1)/k)^(2/p)/(p − 1) for c parts of
// which each has k paths of Δ edges between any two of its vertices, and Φ the weight of the edges
// that the last labeling cuts; the parts are the components, or what is left of them without those
// edges. All that apply are in OnlineReport::bounds.
//
// p < 2 minimizes Σ w_ij |u_i − u_j|^p, which follows cuts more than distances: for it each trial
// after a label solves the piece of the graph around its vertex, some 5 to 10 Laplacian solves, to
// the tolerance. Bound, two classes: k + (ρP)^(2/p)/(p − 1) for k balls of p-resistance ρ and the
// p-energy P of the last labeling. p = 0 takes tuned_exponent() of network/wide_diameter.hpp: for
// the fewest paths and the longest of any component, and `cut`; in a component of more than 300
// vertices the longest of some pairs, wide_diameter_at_least().
//
// Certificates of p = 2 by a factor: "energy" (wᵀLw of the last labeling) and "energy_of_trials"
// (Σ δ²/c, the same number by the trials), "centers" and "radius" of the bound, "factorizations".
// Of the local engine: "energy" of values within `tolerance`,
// "times_labels_were_taken_in", "solves" of a component,
// "tied" (classes that are proved to be tied, or nearer than digits tell), and "centers" and
// "resistance" of the bound, whose balls are measured along paths. Of p < 2: "energy",
// "duality_gap", "centers" and "resistance" of the bound. Of p = 0 also "exponent", the p taken,
// "paths" and "path_length", or "path_length_at_least" where not all pairs were looked at.

#include "gssl/learn/registry.hpp"

namespace gssl {

struct SeminormOptions {
  enum class Engine { automatic, factor, local };
  double p = 2.0;    // [1.05, 2], or 0: tuned to the graph and `cut`
  double cut = 1.0;  // of p = 0: edges between the classes that are expected; ≥ 0
  Engine engine = Engine::automatic;  // of p = 2
  // In (0, 1): of the relative duality gap for p < 2, and of the values whose energy the local
  // engine reports.
  double tolerance = 1e-6;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class SeminormLearner final : public OnlineLearner {
 public:
  explicit SeminormLearner(SeminormOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::vertex; }
  // Throws ErrorCode::usage without a graph or with fewer than two classes.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  SeminormOptions options_;
};

LearnerEntry seminorm_entry();

}  // namespace gssl
