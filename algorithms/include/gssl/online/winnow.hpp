#pragma once
// Winnow: weights of features in [0, 1] that are multiplied after a mistake. Few of many features
// matter: its mistakes grow with the logarithm of their number.
//
//   gssl::WinnowLearner learner({.threshold = 127});
//   auto session = learner.start({.width = 127, .class_names = {"0", "1"}}, run);
//
// All weights start at 1; the second class is predicted where w·x ≥ θ. After a mistake w_i is
// multiplied by α^{x_i} where the second class came, and by α^{−x_i} where the first came
// (demotion=divide), or set to 0 where x_i > 0 (demotion=eliminate). Two classes; θ = 0 stands for
// the width, which must then be known.
//
// Bound of the run for features of 0 and 1, against a disjunction of k features (`relevant`) with A
// attribute errors, counted on mistaken trials: relevant features that are there where the first
// class came, and 1 where none is there though the second came. With p = k (log_α max(θ, 1) + 1) + A
//   divide      mistakes ≤ (1 + α) p + α n/((α − 1) θ);  α = 2, θ = n: 3 (k (log₂ n + 1) + A) + 2
//   eliminate   mistakes ≤ α p + n/θ, if no relevant feature was there where the first class came
// (N. Littlestone 1988, doi:10.1007/BF00116827). α = 2 rounds nothing until weights pass 2^±900,
// where they are held. O(non-zeros) a trial, 8 bytes a column.
//
// Without `relevant`, second_look() compares the run with weights u ≥ 0 of sum U: the last weights,
// and disjunctions of the columns where they are largest. With η = ln α, a level τ < 1/α of the
// first class (0 for eliminate) and A = Σ max(0, 1 − u·x) over the second class + Σ max(0, u·x − τ)
// over the first, the p promotions have
//   p (1 − τα) ≤ A + τN + (U/η)·z,   N = αn/((α − 1)θ),   mistakes ≤ (1 + α) p + N
//   eliminate, with A of the second class alone:   p ≤ A + (U/η)·z,   mistakes ≤ α p + n/θ
// where z = ln(n + (α − 1)θp) − H(u/U), H the entropy, or ln max(1, αθ) where that is less and all
// features are 0 or 1; it bounds Σ u_i ln w_i / U, by Jensen's inequality.
//
// balanced-winnow keeps two weights for each feature, of w⁺·x − w⁻·x ≥ θ, and so learns signs.
// second_look(), for u with Σ|u_i| = 1, any γ > 0 and D = Σ max(0, γ − y u·x):
//   mistakes ≤ (ln 2n − H(|u|) + ηD)/(ηγ − ln(cosh η + sinh η·θ/2n))
// or, with Φ = Σ (w⁺_i + w⁻_i) at the end, any level b, D = Σ max(0, γ − y (u·x − b)), and p and q
// the mistakes of the second and of the first class,
//   mistakes ≤ (D + (ln Φ − H(|u|))/η − b (p − q))/γ
// The first since Σ (w⁺_i + w⁻_i) grows by that factor at most at a mistake (after N. Littlestone
// 1989 and A. Grove, N. Littlestone, D. Schuurmans 2001, doi:10.1023/A:1010844028087).

#include "gssl/learn/registry.hpp"
#include "gssl/online/online_to_batch.hpp"

namespace gssl {

struct WinnowOptions {
  enum class Demotion { divide, eliminate };
  double alpha = 2.0;      // > 1
  double threshold = 0.0;  // θ ≥ 0; 0: the number of columns
  Demotion demotion = Demotion::divide;
  // Columns from 1, as 3/17/25, whose disjunction the run is compared with; empty: none.
  std::string relevant = {};
  HypothesisForm form = HypothesisForm::last;  // the model that is left: online_to_batch.hpp

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct BalancedWinnowOptions {
  double alpha = 1.5;      // > 1
  double threshold = 0.0;  // θ ≥ 0 of the difference
  HypothesisForm form = HypothesisForm::last;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class WinnowLearner final : public OnlineLearner {
 public:
  explicit WinnowLearner(WinnowOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::row; }
  // Throws ErrorCode::usage unless there are two class names, and a width or a threshold.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  WinnowOptions options_;
};

class BalancedWinnowLearner final : public OnlineLearner {
 public:
  explicit BalancedWinnowLearner(BalancedWinnowOptions options = {});

  InstanceKind instance_kind() const override { return InstanceKind::row; }
  // Throws ErrorCode::usage unless there are two class names.
  std::unique_ptr<OnlineSession> start(const OnlineSetting& setting,
                                       const RunContext& run = {}) const override;
  std::unique_ptr<OnlineSession> resume(const OnlineSetting& setting, const Record& record,
                                        const RunContext& run = {}) const override;

 private:
  BalancedWinnowOptions options_;
};

LearnerEntry winnow_entry();
LearnerEntry balanced_winnow_entry();

}  // namespace gssl
