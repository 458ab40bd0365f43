#pragma once
// From online to batch: one of the hypotheses that an online learner of rows went through, or their
// mean, as a model for rows to come.
//
//   gssl::OnlineToBatchLearner learner(
//       "perceptron", std::make_shared<gssl::PerceptronLearner>(options), 10);
//   gssl::Trained trained = learner.fit(data, run);        // ten passes over the rows
//   auto model = session->model();                         // the same of a session that runs
//
// Which hypothesis is the option `form` of the learner (N. Littlestone, COLT 1989; N. Cesa-Bianchi, A.
// Conconi, C. Gentile 2004, doi:10.1109/TIT.2004.833339):
//   last       that after the last trial
//   averaged   their mean over all trials; of linear functions and of sums of kernels
//   survivor   the one that stayed unchanged for the most trials in a row; of learners that change
//              on mistakes only the one that was right for longest
//   random     that after a trial drawn evenly from all. Where rows are independent draws and the
//              mistakes of the run are at most B, its error is at most B/trials in the mean
//
// fit() takes rows in their order (mix a sorted file first), each as often as its weight says, in
// passes until one changes nothing: without a mistake for classes. Classes, of which more than two
// are learned each against the rest by a session of its own, or values where the learner predicts
// values. Certificate "mistakes": of each pass, of all sessions; of values the loss.

#include <memory>
#include <string>

#include "gssl/learn/registry.hpp"

namespace gssl {

enum class HypothesisForm { last, averaged, survivor, random };

class OnlineToBatchLearner final : public InductiveLearner {
 public:
  // `name` begins messages. A learner of kind row whose sessions have a model. passes ≥ 1.
  OnlineToBatchLearner(std::string name, std::shared_ptr<const OnlineLearner> learner, int passes);

  // Throws ErrorCode::bad_data on a weight that is no whole number and on rows of one class alone, and
  // as the learner does.
  Trained fit(const Dataset& data, const RunContext& run = {}) const override;

 private:
  std::string name_;
  std::shared_ptr<const OnlineLearner> learner_;
  int passes_;
};

}  // namespace gssl
