#include "online/share_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/core/error.hpp"

namespace gssl::detail {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

}  // namespace

SharePath::SharePath(std::size_t experts, bool fixed)
    : fixed_(fixed),
      cost_(experts, 0.0),
      loss_(fixed ? 0 : experts, 0.0),
      shifts_(experts, 0.0),
      base_(experts == 0 ? 0.0 : std::log(static_cast<double>(experts))),
      staying_(fixed ? 0 : experts, 0.0) {
  last_.cost = base_;
}

void SharePath::lose(std::span<const double> losses, double rate) {
  const double least = least_ = add_losses(losses, rate, cost_);
  if (!fixed_) add_to(loss_, losses);
  best_ = place_of(least, cost_);
  const double sum = base_ + least;
  base_carry_ += base_ >= least ? (base_ - sum) + least : (least - sum) + base_;
  base_ = sum;
  last_ = {base_ + base_carry_, fixed_ ? loss_of_best(rate) : loss_[best_], shifts_[best_]};
  if (cost_.size() == 1) cost_[0] = 0.0;  // nothing is shared, which takes the least off
}

// What shifts and stays have cost is known by their numbers: the rest of the cost is rate·loss.
double SharePath::loss_of_best(double rate) const {
  const double shifts = shifts_[best_], stays = static_cast<double>(shares_) - shifts;
  const double shares =
      (shifts > 0.0 ? shifts * leaving_each_ : 0.0) + (stays > 0.0 ? stays * staying_each_ : 0.0);
  const double first = std::log(static_cast<double>(cost_.size()));
  return ((base_ - first - shares) + base_carry_) / rate;
}

void SharePath::share_fixed(double alpha) {
  const std::size_t n = cost_.size();
  if (n < 2) return;
  const double leaving = alpha > 0.0 ? std::log((static_cast<double>(n) - 1.0) / alpha) : never;
  const double staying = alpha < 1.0 ? -std::log1p(-alpha) : never;
  leaving_each_ = leaving;
  staying_each_ = staying;
  ++shares_;
  TwoBest from;
  from.offer(best_, leaving);
  // The best expert is not left for itself; where to stay is cheaper, nobody wants to.
  for (std::size_t i = 0; i < n && staying > leaving; ++i)
    if (i != best_) from.offer(i, (cost_[i] - least_) + leaving);
  const Kept kept = keep(from, staying);
  take_cheaper(kept.leaving, staying, least_, cost_, shifts_);
  restore(from, kept);
}

void SharePath::share_variable(std::span<const double> losses, double sharing) {
  const std::size_t n = cost_.size();
  if (n < 2) return;
  const double others = static_cast<double>(n) - 1.0;
  const double least_leaving = std::log(others / -std::expm1(-sharing));  // for the loss 1
  TwoBest from;
  for (std::size_t i = 0; i < n; ++i) {
    staying_[i] = sharing * losses[i];
    const double cost = cost_[i] - least_;
    if (cost + least_leaving >= from.second_cost || losses[i] <= 0.0) continue;
    from.offer(i, cost + std::log(others / -std::expm1(-sharing * losses[i])));
  }
  const Kept kept = keep(from, staying_[from.first]);
  take_cheaper(kept.leaving, staying_, least_, cost_, loss_, shifts_);
  restore(from, kept);
}

// What the one that is left keeps if it stays, or goes to if it is cheaper to leave the next.
SharePath::Kept SharePath::keep(const TwoBest& from, double staying) const {
  const std::size_t i = from.first, k = from.second;
  const double stay = (cost_[i] - least_) + staying;
  const double loss = fixed_ ? 0.0 : loss_[i], loss_of_next = fixed_ ? 0.0 : loss_[k];
  const Leaving next{from.second_cost, loss_of_next, shifts_[k] + 1.0};
  return {.leaving = {from.cost, loss, shifts_[i] + 1.0},
          .own = from.second_cost < stay ? next : Leaving{stay, loss, shifts_[i]}};
}

void SharePath::restore(const TwoBest& from, const Kept& kept) {
  cost_[from.first] = kept.own.cost;
  if (!fixed_) loss_[from.first] = kept.own.loss;
  shifts_[from.first] = kept.own.shifts;
}

SharePath::Best SharePath::best() const { return last_; }

void SharePath::save(Record& record) const {
  record.put("cost", cost_);
  record.put("path_loss", loss_);
  record.put("path_shifts", shifts_);
  record.put("base", std::vector<double>{base_, base_carry_, last_.cost, last_.loss, last_.shifts,
                                         leaving_each_, staying_each_});
  record.put("shares", shares_);
}

void SharePath::resume(const Record& record, std::size_t experts) {
  const auto n = static_cast<std::int64_t>(experts);
  cost_ = record.reals("cost", n);
  loss_ = record.reals("path_loss", fixed_ ? 0 : n);
  shifts_ = record.reals("path_shifts", n);
  const std::vector<double>& base = record.reals("base", 7);
  base_ = base[0];
  base_carry_ = base[1];
  last_ = {base[2], base[3], base[4]};
  leaving_each_ = base[5];
  staying_each_ = base[6];
  shares_ = record.integer("shares");
}

}  // namespace gssl::detail
