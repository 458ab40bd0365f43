#include "online/share_path.hpp"

#include <algorithm>
#include <cmath>

#include "gssl/core/error.hpp"

namespace gssl::detail {

SharePath::SharePath(std::size_t experts)
    : cost_(experts, 0.0),
      loss_(experts, 0.0),
      shifts_(experts, 0.0),
      base_(experts == 0 ? 0.0 : std::log(static_cast<double>(experts))),
      staying_(experts, 0.0) {
  last_.cost = base_;
}

void SharePath::lose(std::span<const double> losses, double rate) {
  const double least = least_ = add_losses(losses, rate, cost_);
  add_to(loss_, losses);
  const std::size_t best = place_of(least, cost_);
  const double sum = base_ + least;
  base_carry_ += base_ >= least ? (base_ - sum) + least : (least - sum) + base_;
  base_ = sum;
  last_ = {base_ + base_carry_, loss_[best], shifts_[best]};
  if (cost_.size() == 1) cost_[0] = 0.0;  // nothing is shared, which takes the least off
}

void SharePath::share(std::span<const double> losses, double sharing) {
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
  const Kept kept = keep(from);
  take_cheaper(kept.leaving, staying_, least_, cost_, loss_, shifts_);
  restore(from, kept);
}

// What the one that is left keeps if it stays, or goes to if it is cheaper to leave the next.
SharePath::Kept SharePath::keep(const TwoBest& from) const {
  const std::size_t i = from.first, k = from.second;
  const double stay = (cost_[i] - least_) + staying_[i];
  const LeavingSequence next{from.second_cost, loss_[k], shifts_[k] + 1.0};
  return {.leaving = {from.cost, loss_[i], shifts_[i] + 1.0},
          .own = from.second_cost < stay ? next : LeavingSequence{stay, loss_[i], shifts_[i]}};
}

void SharePath::restore(const TwoBest& from, const Kept& kept) {
  cost_[from.first] = kept.own.cost;
  loss_[from.first] = kept.own.loss;
  shifts_[from.first] = kept.own.shifts;
}

void SharePath::save(Record& record) const {
  record.put("cost", cost_);
  record.put("path_loss", loss_);
  record.put("path_shifts", shifts_);
  record.put("base", std::vector<double>{base_, base_carry_, last_.cost, last_.loss, last_.shifts});
}

void SharePath::resume(const Record& record, std::size_t experts) {
  const auto n = static_cast<std::int64_t>(experts);
  cost_ = record.reals("cost", n);
  loss_ = record.reals("path_loss", n);
  shifts_ = record.reals("path_shifts", n);
  const std::vector<double>& base = record.reals("base", 5);
  base_ = base[0];
  base_carry_ = base[1];
  last_ = {base[2], base[3], base[4]};
}

}  // namespace gssl::detail
