#pragma once
// Nearest mean: the class whose mean is nearest, that is, whose score −‖x − mean‖² is largest. For
// two classes that is a hyperplane which bisects the line between the means.
//
//   gssl::NearestMeanLearner learner;
//   gssl::Trained trained = learner.fit(data, run);
//
// O(values) time to learn, O(K·values) to score, 8·K·columns bytes. The means are weighted; a class
// without a row (or of weight 0) is never decided for. Classes only.

#include "gssl/learn/registry.hpp"

namespace gssl {

class NearestMeanLearner final : public InductiveLearner {
 public:
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;
};

LearnerEntry nearest_mean_entry();

}  // namespace gssl
