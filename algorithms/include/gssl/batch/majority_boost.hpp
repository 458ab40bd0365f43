#pragma once
// Boosting by majority vote: every weak learner has one vote, and the weight of a row that it gets
// wrong is multiplied by (½ + γ)/(½ − γ).
//
//   gssl::Trained trained = gssl::MajorityBoostLearner({.gamma = 0.1}).fit(data, run);
//
// A γ-weak learner is right on rows of at least ½ + γ of the weight. With one, the share of rows
// that the majority gets wrong is at most (1 − 4γ²)^{t/2} after t rounds, so none is wrong after
// more than 2 ln n / −ln(1 − 4γ²) of them, O(γ⁻² log n), which is what rounds=0 takes. This holds
// for any number of classes: a row that most learners get right has its class as the most frequent
// vote. Where a learner falls short of ½ + γ a warning says so, and the bound is not promised.
//
// Scores are shares of the votes. Certificates, one value a round: accuracy (weighted, of the weak
// learner), training_error, error_bound. O(nd) a round.
//
// Y. Freund. Boosting a weak learning algorithm by majority. Information and Computation 121, 1995,
// doi:10.1006/inco.1995.1136; A. Blum, J. Hopcroft, R. Kannan. Foundations of Data Science.
// Cambridge 2020, chapter 5, doi:10.1017/9781108755528

#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl {

struct MajorityBoostOptions {
  double gamma = 0.1;            // in (0, ½)
  int rounds = 0;                // 0: as many as γ and the rows need
  int depth = 1;                 // of the trees; ≥ 1
  std::string learner = "tree";  // "tree": by depth; else NAME(option=value,…), without depth

  void validate() const;  // throws ErrorCode::usage
};

class MajorityBoostLearner final : public InductiveLearner {
 public:
  // Throws ErrorCode::usage as validate().
  explicit MajorityBoostLearner(MajorityBoostOptions options = {});
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  MajorityBoostOptions options_;
};

LearnerEntry majority_boost_entry();

}  // namespace gssl
