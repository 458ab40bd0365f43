#pragma once
// The sequence of experts that the bound of a share algorithm is best for. Internal: not installed.
//
// A share update moves weight from expert i to k by a factor; the weight of a sequence of experts is
// the product of its factors and of e^{−ηℓ} along it, and all of them together sum to
// e^{−η Σ m_t}. So for every sequence
//     Σ m_t ≤ its loss + (ln n + Σ −ln(factors)) / η,
// and the best of them is found as the stream runs: O(n) a trial, no history (Viterbi). For fixed
// share it is min over j of (loss of the best sequence with j shifts + its bound), with
//     ln n + j ln((n−1)/α) + (T−1−j) ln(1/(1−α)).
// Costs are held less that of the best, so that they keep their digits over 10⁸ trials.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "gssl/data/record.hpp"
#include "online/share_kernels.hpp"

namespace gssl::detail {

class SharePath {
 public:
  struct Best {
    double cost = 0.0;  // η times what Σ m_t cannot exceed
    double loss = 0.0;
    double shifts = 0.0;
  };

  // `fixed`: all shares are by share_fixed() with one alpha, all losses at one rate.
  explicit SharePath(std::size_t experts, bool fixed = false);

  // Of a trial: the losses of the experts.
  void lose(std::span<const double> losses, double rate);
  // Then what it costs to stay with i, and to leave i, before the next trial.
  void share_fixed(double alpha);
  // Staying costs sharing·ℓ_i, leaving −ln((1 − e^{−sharing ℓ_i})/(n−1)).
  void share_variable(std::span<const double> losses, double sharing);

  Best best() const;

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
    Leaving leaving, own;
  };
  double loss_of_best(double rate) const;
  Kept keep(const TwoBest& from, double staying) const;
  void restore(const TwoBest& from, const Kept& kept);

  bool fixed_ = false;
  std::vector<double> cost_;  // of the best sequence that ends with i, less base_
  std::vector<double> loss_;  // of that sequence; not of fixed shares, where it follows
  std::vector<double> shifts_;
  double base_ = 0.0;
  double base_carry_ = 0.0;
  // Of the last trial, between lose() and sharing: the least cost, and whose it is.
  double least_ = 0.0;
  std::size_t best_ = 0;
  Best last_;
  std::vector<double> staying_;
  double leaving_each_ = 0.0, staying_each_ = 0.0;
  std::int64_t shares_ = 0;
};

}  // namespace gssl::detail
