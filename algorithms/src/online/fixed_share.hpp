#pragma once
// The weights of fixed share, and the sequence of experts that its bound is best for, in two loops
// over the experts a trial: O(n), 40n bytes. Internal: not installed.
//
// For every sequence of experts with j shifts in T trials (see share_path.hpp)
//     Σ m_t ≤ its loss + (ln n + j leaving + (T−1−j) staying)/η,
// leaving = ln((n−1)/α), staying = ln(1/(1−α)). What every sequence pays in each trial is counted
// once for all, so that c_i, the least cost of one that ends with expert i, changes by
//     c_i ← min(c_i, c + (leaving − staying)/η) + ℓ_i,  c the least of all.
// Costs are held less than what was taken off all of them, so that they keep their digits over 10⁸
// trials.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/data/record.hpp"
#include "online/aligned_list.hpp"
#include "online/fixed_share_kernels.hpp"
#include "online/share_path.hpp"

namespace gssl::detail {

class FixedShare {
 public:
  FixedShare() = default;
  FixedShare(std::size_t experts, double alpha, double rate);

  // Of the advice, which is copied; weights() then predict.
  AdviceSums mean(std::span<const double> advice, std::span<double> copy);
  std::span<const double> weights() const { return weights_; }

  // The outcome of a trial after mean(); the mix loss. Square losses in [0, 1], or any.
  double lose_squares(double outcome, std::span<const double> advice);
  double lose(std::span<const double> losses);

  BestSequence best() const { return last_; }

  // Those after the share, which the next trial begins with.
  std::vector<double> next_weights() const;

  // All but the weights.
  void save(Record& record) const;
  void resume(const Record& record, const std::vector<double>& weights);

 private:
  Leaving leaving() const;
  double end(const LossSums& sums, double taken_off);
  BestSequence best_now() const;
  void share(double pool);
  void share_mostly();

  double alpha_ = 0.0, rate_ = 0.0;
  double paid_by_all_ = 0.0;              // in each trial
  double leaving_ = 0.0, staying_ = 0.0;  // beyond that: one of them is 0
  bool mostly_ = false;                   // staying is the dearer
  double factor_ = 0.0;                   // e^{−η}
  HalfRate half_rate_{0.0};
  double taken_off_half_ = 0.0;  // ½, as the digits of HalfRate have it
  AlignedList weights_, costs_, shifts_, losses_;
  ShareStep step_;  // still to be made
  std::int64_t shares_ = 0;
  // Of the last trial: who ends the best sequence, at which cost.
  std::size_t best_ = 0;
  double least_ = 0.0;
  double base_ = 0.0, base_carry_ = 0.0;  // taken off all costs
  BestSequence last_;
};

}  // namespace gssl::detail
