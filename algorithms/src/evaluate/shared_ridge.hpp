#pragma once
// Systems of ridge that the choices of a grid share: one for each training set, whatever the
// penalty. Internal: not installed.
//
//   SharedRidge shared(problem);
//   if (const auto scores = shared.scores(learner, training, test, run)) …     // else not shared

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "batch/linear/ridge_system.hpp"
#include "gssl/evaluate/evaluation.hpp"

namespace gssl::detail {

class SharedRidge {
 public:
  // Shares where learners take dense rows as they are. `problem` outlives it.
  explicit SharedRidge(const EvaluationProblem& problem);

  // Of the rows `test` by ridge learned from the rows `training`, as its model gives them but for
  // rounding; nothing for other learners, and where ridge would not go by this system. The systems
  // of the training sets of last are kept.
  std::optional<Block> scores(const MadeLearner& learner, const std::vector<std::int32_t>& training,
                              const std::vector<std::int32_t>& test, const RunContext& run) const;

 private:
  struct Kept {
    Bias bias;
    std::vector<std::int32_t> training;
    std::mutex making;
    std::unique_ptr<const RidgeSystem> system = nullptr;
  };

  Points rows(const std::vector<std::int32_t>& some) const;
  std::shared_ptr<Kept> kept(Bias bias, const std::vector<std::int32_t>& training) const;

  const EvaluationProblem& problem_;
  bool shares_;
  mutable std::mutex mutex_;
  mutable std::deque<std::shared_ptr<Kept>> kept_;
};

}  // namespace gssl::detail
