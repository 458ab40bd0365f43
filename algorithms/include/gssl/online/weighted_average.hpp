#pragma once
// The weighted average of experts, each with weight e^{−η·(its loss so far)}: its loss exceeds that
// of the best expert by at most ln n / η.
//
//   gssl::WeightedAverageLearner learner({.loss = gssl::ExpertLoss::log});
//   auto session = learner.start({.width = 16}, run);
//   double guess = session->predict({.values = advice});   // in [0, 1]
//   double loss = session->update({.value = outcome});
//
// The bound of the run is (loss of the best expert) + ln n / η for square loss with η ≤ ½ (η ≤ 2 with
// Vovk's prediction) and log loss with η ≤ 1, and + ηT/8 more for the absolute loss and for larger η
// (N. Littlestone and M. Warmuth 1994, doi:10.1006/inco.1994.1009; V. Vovk 1990; J. Kivinen and
// M. Warmuth 1999, doi:10.1007/3-540-49097-3_13). Certificate mix_loss: Σ −ln(Σ v e^{−ηℓ})/η, which
// lies between the loss (less ηT/8, where that is in the bound) and the bound. O(n) a trial; sums
// of losses are kept, with what rounding takes, not weights: nothing underflows.

#include "gssl/learn/registry.hpp"
#include "gssl/online/expert_options.hpp"

namespace gssl {

struct WeightedAverageOptions : ExpertOptions {
  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class WeightedAverageLearner final : public OnlineLearner {
 public:
  explicit WeightedAverageLearner(WeightedAverageOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::advice; }
  // Throws ErrorCode::usage if there are classes.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  WeightedAverageOptions options_;
};

LearnerEntry weighted_average_entry();

}  // namespace gssl
