#pragma once
// The sequence of experts that the bound of variable share is best for; fixed_share.hpp has that of
// fixed share. Internal: not installed.
//
// A share update moves weight from expert i to k by a factor; the weight of a sequence of experts is
// the product of its factors and of e^{−ηℓ} along it, and all of them together sum to
// e^{−η Σ m_t}. So for every sequence
//     Σ m_t ≤ its loss + (ln n + Σ −ln(factors)) / η,
// and the best of them is found as the stream runs: O(n) a trial, no history (Viterbi). Costs are
// held less that of the best, so that they keep their digits over 10⁸ trials.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gssl/data/record.hpp"
#include "online/share_kernels.hpp"

namespace gssl::detail {

struct BestSequence {
  double cost = 0.0;  // η times what Σ m_t cannot exceed
  double loss = 0.0;
  double shifts = 0.0;
};

class SharePath {
 public:
  explicit SharePath(std::size_t experts);

  // Of a trial: the losses of the experts.
  void lose(std::span<const double> losses, double rate);
  // Then what it costs to stay with i, sharing·ℓ_i, and to leave i, −ln((1 − e^{−sharing ℓ_i})/(n−1)),
  // before the next trial.
  void share(std::span<const double> losses, double sharing);

  BestSequence best() const { return last_; }

  void save(Record& record) const;
  void resume(const Record& record, std::size_t experts);

 private:
  // What is cheapest to leave, and the next to it, since no expert is left for itself.
  struct TwoBest {
    std::size_t first = 0, second = 0;
    double cost = std::numeric_limits<double>::infinity(), second_cost = cost;

    void offer(std::size_t i, double value) {
      if (value < cost) {
        second = first;
        second_cost = cost;
        first = i;
        cost = value;
      } else if (value < second_cost) {
        second = i;
        second_cost = value;
      }
    }
  };
  struct Kept {
    LeavingSequence leaving, own;
  };
  Kept keep(const TwoBest& from) const;
  void restore(const TwoBest& from, const Kept& kept);

  std::vector<double> cost_;  // of the best sequence that ends with i, less base_
  std::vector<double> loss_;  // of that sequence
  std::vector<double> shifts_;
  double base_ = 0.0;
  double base_carry_ = 0.0;
  double least_ = 0.0;  // of the last trial, between lose() and share()
  BestSequence last_;
  std::vector<double> staying_;
};

}  // namespace gssl::detail
