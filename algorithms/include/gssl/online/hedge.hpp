#pragma once
// Hedge: plays actions in shares that fall with what each has lost, w_i ∝ e^{−η·(loss of i)}.
//
//   gssl::HedgeLearner learner;
//   auto session = learner.start({.width = 8, .horizon = 1000}, run);
//   std::size_t action = session->predict({});            // drawn by the shares
//   double loss = session->update({.losses = losses});    // one in [0, 1] for each action
//
// `play` says what is counted: mixture, the mean Σ w_i ℓ_i of the shares, which is what an allocation
// loses; draw, the loss of the action drawn, whose mean that is. With n actions the loss (of draw:
// its mean) is at most that of the best action + ln n/η + ηT/8 (Y. Freund and R. Schapire 1997,
// doi:10.1006/jcss.1997.1504). η = √(8 ln n / horizon) makes that √(T ln n / 2). Where the horizon is
// not known, epochs of 1, 2, 4, … trials each start afresh with the η of their length, and the bounds
// of those really run add up. O(n) a trial.

#include "gssl/learn/registry.hpp"

namespace gssl {

struct HedgeOptions {
  enum class Play { mixture, draw };
  double eta = 0.0;  // ≥ 0; 0: by the horizon, or epochs where it is not known
  Play play = Play::mixture;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class HedgeLearner final : public OnlineLearner {
 public:
  explicit HedgeLearner(HedgeOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::losses; }
  // Throws ErrorCode::usage without a width.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  HedgeOptions options_;
};

LearnerEntry hedge_entry();

}  // namespace gssl
