#pragma once
// AdaBoost: weak learners one after the other, each on rows weighted by how badly those before it
// do; the answer is their weighted vote.
//
//   gssl::Trained trained = gssl::AdaBoostLearner({.rounds = 50}).fit(data, run);
//
// A round: h of weighted error e is learned, α = ½ ln((1 − e)/e), rows that h gets wrong are
// multiplied by exp(α), others by exp(−α), and weights are made to sum to 1. With edges γ = ½ − e
// the training error of two classes is at most ∏ √(1 − 4γ²), which is also the mean of exp(−y f).
// For K > 2 classes α = ½ (ln((1 − e)/e) + ln(K − 1)) (SAMME), which needs e < 1 − 1/K alone; there
// is no such bound then.
//
// The weak learner is a tree of `depth`: of depth 1 and two classes the stump of least weighted
// error, otherwise grown by Gini; or any learner of this library, learner=NAME(option=value,…). A
// learner without error ends the rounds and decides alone; one no better than chance ends them too.
//
// Scores: f = Σ α h, ±f of two classes, else the sum of the α that vote for a class. O(nd) a round
// after the columns are sorted once; 4 bytes a value for stumps, 16 for trees. Certificates, one
// value a round: weighted_error, training_error, error_bound; and exponential_loss and least_margin
// of the whole (the margin is y f / Σ α; of more classes, the lead over the best other class).
//
// Y. Freund, R. Schapire. J. Computer and System Sciences 55, 1997, doi:10.1006/jcss.1997.1504;
// J. Zhu, H. Zou, S. Rosset, T. Hastie. Statistics and its Interface 2, 2009,
// doi:10.4310/SII.2009.v2.n3.a8

#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl {

struct AdaBoostOptions {
  int rounds = 50;               // ≥ 1
  int depth = 1;                 // of the trees; ≥ 1
  std::string learner = "tree";  // "tree": by depth; else NAME(option=value,…), without depth

  void validate() const;  // throws ErrorCode::usage
};

class AdaBoostLearner final : public InductiveLearner {
 public:
  // Throws ErrorCode::usage as validate().
  explicit AdaBoostLearner(AdaBoostOptions options = {});
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  AdaBoostOptions options_;
};

LearnerEntry adaboost_entry();

}  // namespace gssl
