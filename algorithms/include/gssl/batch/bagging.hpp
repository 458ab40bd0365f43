#pragma once
// Bagging: one learner on many draws of the rows with replacement; the answer is the class that
// most of its models decide for, of a regression the mean of what they say.
//
//   gssl::Trained trained = gssl::BaggingLearner({.rounds = 25, .learner = "tree(depth=5)"})
//                               .fit(data, run);
//
// The learner is any of this library that learns from points, NAME or NAME(option=value,…). Rows
// that a model was learned without (37 % where as many are drawn as there are) give the certificate
// out_of_bag_error, or out_of_bag_mean_square. Models are learned on several threads, each from its
// own random stream: the answer does not depend on how many. Scores are shares of the votes.
//
// L. Breiman. Bagging predictors. Machine Learning 24, 1996, doi:10.1007/BF00058655

#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl {

struct BaggingOptions {
  int rounds = 10;               // models, ≥ 1
  double sample = 1.0;           // rows drawn for each, as a share of the rows, in (0, 1]
  std::string learner = "tree";  // NAME or NAME(option=value,…)

  void validate() const;  // throws ErrorCode::usage
};

class BaggingLearner final : public InductiveLearner {
 public:
  // Throws ErrorCode::usage as validate(), and where there is no such learner.
  explicit BaggingLearner(BaggingOptions options = {});
  // A run that is stopped gives the models so far.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  BaggingOptions options_;
};

LearnerEntry bagging_entry();

}  // namespace gssl
