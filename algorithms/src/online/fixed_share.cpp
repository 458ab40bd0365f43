#include "online/fixed_share.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"
#include "online/share_kernels.hpp"

namespace gssl::detail {

namespace {

std::vector<double> list_of(const AlignedList& list) { return {list.begin(), list.end()}; }

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double largest_least_cost = 64.0;
constexpr double least_seen = 1e-200;             // of a weight
constexpr double largest_plain_exponent = 400.0;  // which leaves such a weight normal

double times(double count, double cost) { return count > 0.0 ? count * cost : 0.0; }

}  // namespace

FixedShare::FixedShare(std::size_t experts, double alpha, double rate)
    : alpha_(alpha),
      rate_(rate),
      half_rate_(std::min(rate, HalfRate::largest)),
      weights_(experts, 1.0 / static_cast<double>(experts)),
      costs_(experts, 0.0),
      shifts_(experts, 0.0) {
  const auto n = static_cast<double>(experts);
  const double leaving = alpha > 0.0 ? std::log((n - 1.0) / alpha) / rate : never;
  const double staying = alpha < 1.0 ? -std::log1p(-alpha) / rate : never;
  mostly_ = experts > 1 && staying > leaving;
  paid_by_all_ = std::min(leaving, staying);
  leaving_ = mostly_ ? 0.0 : leaving - staying;
  staying_ = mostly_ ? staying - leaving : 0.0;
  const double one = 1.0, none = 0.0;
  powers(-rate, {&one, 1}, {&factor_, 1});
  double weight = 1.0, cost = 0.0, shifts = 0.0;
  detail::lose_squares(0.0, {&none, 1}, half_rate_, {never, 0.0}, {&weight, 1},
                       {{&cost, 1}, {&shifts, 1}});
  taken_off_half_ = std::log(weight) / rate;
}

AdviceSums FixedShare::mean(std::span<const double> advice, std::span<double> copy) {
  const AdviceSums sums = share_and_mean(step_, advice, weights_, copy);
  step_ = {};
  return sums;
}

double FixedShare::lose_squares(double outcome, std::span<const double> advice) {
  const Paths paths{costs_, shifts_};
  if ((outcome == 0.0 || outcome == 1.0) && all_binary(advice))
    return end(lose_binary(outcome, advice, factor_, leaving(), weights_, paths), 0.0);
  if (rate_ <= HalfRate::largest)
    return end(detail::lose_squares(outcome, advice, half_rate_, leaving(), weights_, paths),
               taken_off_half_);
  losses_.resize(weights_.size());
  square_losses(outcome, advice, losses_);
  return lose(losses_);
}

double FixedShare::lose(std::span<const double> losses) {
  double common = 0.0;
  if (rate_ * *std::ranges::max_element(losses) > largest_plain_exponent) {
    common = never;
    for (std::size_t i = 0; i < losses.size(); ++i)
      if (weights_[i] > least_seen) common = std::min(common, losses[i]);
  }
  return end(lose_any(losses, rate_, common, leaving(), weights_, {costs_, shifts_}), common);
}

// Where it is dearer to stay, share_mostly() has seen to it.
Leaving FixedShare::leaving() const {
  if (shares_ == 0 || mostly_) return {never, 0.0};
  return {least_ + leaving_, shifts_[best_] + 1.0};
}

double FixedShare::end(const LossSums& sums, double taken_off) {
  least_ = sums.least;
  if (costs_[best_] != least_) best_ = place_of(least_, costs_);
  last_ = best_now();
  if (least_ > largest_least_cost) {
    for (double& cost : costs_) cost -= least_;
    const double sum = base_ + least_;
    base_carry_ += base_ >= least_ ? (base_ - sum) + least_ : (least_ - sum) + base_;
    base_ = sum;
    least_ = 0.0;
  }
  share(sums.pool);
  return taken_off - std::log(sums.pool) / rate_;
}

BestSequence FixedShare::best_now() const {
  const double shifts = shifts_[best_], shares = static_cast<double>(shares_);
  const double cost = (base_ + least_) + base_carry_;
  const double first = std::log(static_cast<double>(weights_.size()));
  return {.cost = first + rate_ * (times(shares, paid_by_all_) + cost),
          .loss = cost - times(shifts, leaving_) - times(shares - shifts, staying_),
          .shifts = shifts};
}

void FixedShare::share(double pool) {
  if (weights_.size() == 1) {
    weights_[0] = 1.0;
    return;
  }
  ++shares_;
  if (mostly_) {
    share_fixed(weights_, pool, alpha_);
    share_mostly();
    return;
  }
  const double share = alpha_ / (static_cast<double>(weights_.size()) - 1.0);
  step_ = {share, ((1.0 - alpha_) - share) / pool};
}

// c_i ← min(c_i + staying, the least of all others), since no expert is left for itself.
void FixedShare::share_mostly() {
  const std::size_t first = best_;
  std::size_t second = first == 0 ? 1 : 0;
  for (std::size_t i = 0; i < costs_.size(); ++i)
    if (i != first && costs_[i] < costs_[second]) second = i;
  const double least = costs_[first], shifts = shifts_[first];
  const double next = costs_[second], next_shifts = shifts_[second];
  for (std::size_t i = 0; i < costs_.size(); ++i) {
    const double other = i == first ? next : least;
    if (costs_[i] + staying_ <= other) {
      costs_[i] += staying_;
    } else {
      costs_[i] = other;
      shifts_[i] = (i == first ? next_shifts : shifts) + 1.0;
    }
  }
}

std::vector<double> FixedShare::next_weights() const {
  std::vector<double> weights(weights_.size());
  shared_weights(step_, weights_, weights);
  return weights;
}

void FixedShare::save(Record& record) const {
  record.put("costs", list_of(costs_));
  record.put("shifts", list_of(shifts_));
  record.put("sums",
             std::vector<double>{least_, base_, base_carry_, last_.cost, last_.loss, last_.shifts});
  record.put("counts", std::vector<std::int64_t>{shares_, static_cast<std::int64_t>(best_)});
}

void FixedShare::resume(const Record& record, const std::vector<double>& weights) {
  const auto n = static_cast<std::int64_t>(weights.size());
  const std::vector<double>&costs = record.reals("costs", n), &shifts = record.reals("shifts", n);
  weights_.assign(weights.begin(), weights.end());
  costs_.assign(costs.begin(), costs.end());
  shifts_.assign(shifts.begin(), shifts.end());
  const std::vector<double>& sums = record.reals("sums", 6);
  least_ = sums[0];
  base_ = sums[1];
  base_carry_ = sums[2];
  last_ = {.cost = sums[3], .loss = sums[4], .shifts = sums[5]};
  const std::vector<std::int64_t>& counts = record.long_integers("counts");
  if (counts.size() != 2 || counts[0] < 0 || counts[1] < 0 || counts[1] >= n)
    throw Error(ErrorCode::bad_data, "counts: must be the shares so far and an expert");
  shares_ = counts[0];
  best_ = static_cast<std::size_t>(counts[1]);
}

}  // namespace gssl::detail
