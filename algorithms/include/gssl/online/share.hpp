#pragma once
// Weighted average for when the best expert changes: after each trial, experts share some of their
// weight with all others.
//
//   gssl::FixedShareLearner learner({{.prediction = gssl::ExpertPrediction::vovk}, .alpha = 0.005});
//   auto session = learner.start({.width = 64}, run);
//
// With v_i = w_i e^{−ηℓ_i} and pool = Σ v_i, divided by pool at the end:
//   fixed     w_i ← (1−α) v_i + α (pool − v_i)/(n−1)
//   variable  w_i ← s_i v_i + (Σ_{k≠i} (1−s_k) v_k)/(n−1) with s_i = (1−α)^{ℓ_i}: who loses nothing
//             keeps all; losses must be in [0, 1]
// (M. Herbster and M. Warmuth 1998, doi:10.1023/A:1007424614876).
//
// Bound of the run, against the best sequence of experts, found as the stream runs: its loss plus
// 1/η times −ln of what the share updates hand on along it; for fixed share
//   ln n + j ln((n−1)/α) + (T−1−j) ln(1/(1−α))   with j shifts in T trials.
// It holds for the η of weighted_average.hpp; above them, and for the absolute loss, ηT/8 is added.
// Certificate mix_loss as there. One expert: nothing is shared. O(n) a trial; at most 40n bytes,
// variable share 64n.

#include "gssl/learn/registry.hpp"
#include "gssl/online/expert_options.hpp"

namespace gssl {

struct ShareOptions : ExpertOptions {
  // In [0, 1]: the part of a weight that is shared; best at (shifts)/(trials − 1).
  double alpha = 0.01;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class FixedShareLearner final : public OnlineLearner {
 public:
  explicit FixedShareLearner(ShareOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::advice; }
  // Throws ErrorCode::usage if there are classes.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  ShareOptions options_;
};

class VariableShareLearner final : public OnlineLearner {
 public:
  // Throws ErrorCode::usage for the log loss, which has no limit.
  explicit VariableShareLearner(ShareOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::advice; }
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  ShareOptions options_;
};

LearnerEntry fixed_share_entry();
LearnerEntry variable_share_entry();

}  // namespace gssl
