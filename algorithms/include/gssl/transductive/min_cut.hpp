#pragma once
// Minimum cut: of all ways to give every vertex one class and every given vertex its own, the one
// that cuts the least edge weight, Σ w_uv [x_u ≠ x_v].
//
//   gssl::MinCutLearner learner({.mass = gssl::MassRule::cmn});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Two classes: exact, by maximum flow. Several cuts may be smallest; where the one with the fewest
// vertices of the first class and the one with the most differ, a vertex is `tied`: both scores ½,
// confidence ½. Scores are otherwise 0 and 1. Certificates: flow and cut, equal up to rounding.
//
// More classes: NP-hard. Every class is first cut off from all others (isolating cuts). Its
// smallest such side belongs to it in every best answer; `undecided` counts the vertices in no such
// side, among which are all whose class differs between best answers. `isolating` gives what no
// class holds to the class that is dearest to isolate, which costs at most (2 − 2/K) times the
// optimum; `expansion` goes on from there and lets one class after the other take over any set of
// vertices for which that is cheaper, until none can. Half the sum of the isolating cuts is a lower
// bound. A vertex is `tied` when an expansion could move it at no cost; its score is spread evenly
// over these classes. Certificates: cut, lower_bound, isolating_cut (the cost before expansion),
// bound, 2 − 2/K, and undecided (of components with more than two classes). Components are solved
// apart, so that one with two classes is exact.
//
// A cut of few edges is what is smallest, not what is right: on well-mixed graphs with few labels
// it often cuts off single given vertices. The learner warns when a class holds nothing but what
// was given. The cure is to tie every vertex to a class: with mass = cmn or priors, a vertex pays
// strength·d_v·min(1, m_v/m̄) for not taking the class that the harmonic scores, rescaled to the
// proportions (see harmonic.hpp), give it; d_v is its weighted degree, m_v the margin of that class
// over the second and m̄ the mean margin. These sums over the whole graph couple components.
//
// Cost: one maximum flow for two classes (see max_flow.hpp), K and some expansions else; O(nK)
// memory beside the flow. Degenerate cases: components with no label are `unreached`; those with
// one class take it.

#include <vector>

#include "gssl/flow/max_flow.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/transductive/harmonic.hpp"

namespace gssl {

enum class MulticlassCut { expansion, isolating };

struct MinCutOptions {
  // Price of giving a given vertex another class; 0: never. In [0, ∞).
  double soft = 0.0;
  MassRule mass = MassRule::none;  // none: only given vertices are tied to classes
  std::vector<double> priors =
      {};                 // one finite q_c ≥ 0 per class, not all 0; set exactly for `priors`
  double strength = 0.5;  // of the ties of other vertices, when mass is not none; (0, ∞)
  MulticlassCut classes = MulticlassCut::expansion;
  FlowMethod method = FlowMethod::automatic;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// A. Blum, S. Chawla, ICML 2001; E. Dahlhaus et al. 1994, doi:10.1137/S0097539292225297;
// Y. Boykov, O. Veksler, R. Zabih 2001, doi:10.1109/34.969114.
class MinCutLearner final : public TransductiveLearner {
 public:
  explicit MinCutLearner(MinCutOptions options = {});  // throws what validate() does

  // Beyond the contract: throws ErrorCode::usage if the number of priors is not the number of
  // classes. Stopped during expansion it returns what it has; before that it throws
  // ErrorCode::cancelled or ErrorCode::time_limit.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

  const MinCutOptions& options() const { return options_; }

 private:
  MinCutOptions options_;
};

// "min-cut". priors are written with ';': priors=0.2;0.8.
LearnerEntry min_cut_entry();

}  // namespace gssl
