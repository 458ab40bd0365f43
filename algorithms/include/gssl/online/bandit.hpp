#pragma once
// Bandits: one of n arms is pulled in each trial, and only its loss, in [0, 1], is shown.
//
//   gssl::Exp3Learner learner;
//   auto session = learner.start({.width = 5, .horizon = 10000}, run);
//   std::size_t arm = session->predict({});
//   session->update({.value = loss_of(arm)});
//
// exp3   draws the arm by weights e^{−η·(estimated loss)}; a loss is divided by the chance its arm
//        had. Losses may be any that were fixed before: mean regret ≤ ln n/η + ηTn/2, with
//        η = √(2 ln n/(Tn)) for a known horizon; else η_t = √(ln n/(tn)) and 2√(Tn ln n)
//        (P. Auer, N. Cesa-Bianchi, Y. Freund, R. Schapire 2002, doi:10.1137/S0097539701398375;
//        S. Bubeck and N. Cesa-Bianchi 2012, doi:10.1561/2200000024). Certificate "regret_bound".
// ucb1   pulls each arm once, then that of the least mean − √(2 ln t / pulls), the first on a tie.
//        Losses of an arm must be independent draws; mean regret ≤ Σ 8 ln T/Δ_i + (1 + π²/3) Σ Δ_i
//        with the gaps Δ_i > 0 of the arms' means (P. Auer, N. Cesa-Bianchi, P. Fischer 2002,
//        doi:10.1023/A:1013689704352), which are not known from a run. Of losses that were recorded
//        nothing is proved: ucb1 draws nothing, so that losses which know it can be 1 at every
//        arm it pulls.
// The loss of the best arm is not seen, so a session reports no comparator and no bound; who knows
// all losses adds them. O(n) a trial.

#include "gssl/learn/registry.hpp"

namespace gssl {

struct Exp3Options {
  double eta = 0.0;  // ≥ 0; 0: by the horizon, or falling where it is not known

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class Exp3Learner final : public OnlineLearner {
 public:
  explicit Exp3Learner(Exp3Options options = {});

  InstanceKind instance_kind() const override { return InstanceKind::arm; }
  // Throws ErrorCode::usage without a width.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  Exp3Options options_;
};

class Ucb1Learner final : public OnlineLearner {
 public:
  InstanceKind instance_kind() const override { return InstanceKind::arm; }
  // Throws ErrorCode::usage without a width.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;
};

LearnerEntry exp3_entry();
LearnerEntry ucb1_entry();

}  // namespace gssl
