#include "online/simplex_weights.hpp"

#include <algorithm>
#include <functional>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t least_between_renewals = 1000;

}  // namespace

SimplexWeights::SimplexWeights(std::int64_t size)
    : size_(size),
      parent_(index(size), static_cast<std::int32_t>(size)),
      value_(index(size), 0.0),
      count_(index(size), 1),
      zero_(static_cast<std::int32_t>(size + 1)),
      positive_(size) {
  // All coordinates are one group, and none is 0.
  parent_.insert(parent_.end(), {static_cast<std::int32_t>(size), zero_});
  value_.insert(value_.end(), {1.0 / static_cast<double>(size), 0.0});
  count_.insert(count_.end(), {static_cast<std::int32_t>(size), 0});
  jump_ = parent_;
  rest_.assign(parent_.size(), 0.0);
  ordered_.emplace(value_[index(size)], static_cast<std::int32_t>(size));
}

SimplexWeights::SimplexWeights(const Record& record)
    : size_(record.integer("size")),
      parent_(record.integers("parent")),
      jump_(parent_),
      value_(record.reals("value", std::ssize(parent_))),
      count_(record.integers("count", std::ssize(parent_))),
      rest_(record.reals("rest", std::ssize(parent_))) {
  const std::vector<std::int64_t>& counts = record.long_integers("state");
  const std::vector<double>& sums = record.reals("sums", 4);
  const auto nodes = std::ssize(parent_);
  bool sound =
      counts.size() == 4 && size_ >= 1 && size_ < nodes && counts[0] >= size_ && counts[0] < nodes;
  for (const std::int32_t up : parent_) sound = sound && up >= 0 && up < nodes;
  // Every chain of groups ends: those that were walked need no second walk.
  std::vector<char> ends(parent_.size(), 0);
  for (std::int32_t node = 0; sound && node < nodes; ++node) {
    std::vector<std::int32_t> walked;
    std::int32_t at = node;
    for (; ends[index(at)] == 0 && parent_[index(at)] != at; at = parent_[index(at)]) {
      walked.push_back(at);
      if (std::ssize(walked) > nodes) break;
    }
    sound = std::ssize(walked) <= nodes;
    for (const std::int32_t one : walked) ends[index(one)] = 1;
  }
  if (!sound) throw Error(ErrorCode::bad_data, "simplex: the groups of a session do not fit");
  zero_ = static_cast<std::int32_t>(counts[0]);
  positive_ = counts[1];
  steps_ = counts[2];
  trials_ = counts[3];
  shift_ = sums[0];
  sum_ = sums[1];
  shifts_ = {.sum = sums[2], .carry = sums[3]};
  for (std::int32_t node = 0; node < nodes; ++node)
    if (parent_[index(node)] == node && node != zero_ && count_[index(node)] > 0)
      ordered_.emplace(value_[index(node)], node);
}

void SimplexWeights::save(Record& record) const {
  record.put("size", size_);
  record.put("parent", parent_);
  record.put("value", value_);
  record.put("count", count_);
  record.put("rest", rest_);
  record.put("state", std::vector<std::int64_t>{zero_, positive_, steps_, trials_});
  record.put("sums", std::vector<double>{shift_, sum_, shifts_.sum, shifts_.carry});
}

std::int32_t SimplexWeights::root_of(std::int32_t node) {
  while (jump_[index(node)] != node) {
    const std::int32_t next = jump_[index(jump_[index(node)])];
    jump_[index(node)] = next;
    node = next;
  }
  return node;
}

void SimplexWeights::shorten(std::int32_t i) {
  way_.clear();
  std::int32_t root = i;
  for (; parent_[index(root)] != root; root = parent_[index(root)]) way_.push_back(root);
  // From the root on: what a node hangs on hangs on the root by then.
  for (std::size_t k = way_.size(); k-- > 1;) {
    rest_[index(way_[k - 1])] += rest_[index(way_[k])];
    parent_[index(way_[k - 1])] = root;
  }
}

double SimplexWeights::weight(std::int32_t i) {
  const std::int32_t root = root_of(i);
  return root == zero_ ? 0.0 : value_[index(root)] - shift_;
}

std::vector<double> SimplexWeights::all() const {
  std::vector<double> weights;
  weights.reserve(index(size_));
  SimplexWeights copy(*this);
  for (std::int32_t i = 0; i < size_; ++i) {
    copy.shorten(i);
    weights.push_back(copy.weight(i));
  }
  return weights;
}

double SimplexWeights::total(std::int32_t root) const {
  return root == zero_ ? 0.0 : value_[index(root)] * static_cast<double>(trials_) - shifts_.value();
}

double SimplexWeights::sum_of(std::int32_t i) {
  const std::int32_t root = root_of(i);
  double sum = total(root);
  for (std::int32_t node = i;; node = parent_[index(node)]) {
    sum += rest_[index(node)];
    if (node == root) return sum;
  }
}

std::vector<double> SimplexWeights::sums() const {
  std::vector<double> sums;
  sums.reserve(index(size_));
  SimplexWeights copy(*this);
  for (std::int32_t i = 0; i < size_; ++i) {
    copy.shorten(i);
    sums.push_back(copy.sum_of(i));
  }
  return sums;
}

void SimplexWeights::end_trial() {
  ++trials_;
  shifts_.add(shift_);
}

// Its sum is kept as that of a coordinate of weight 0.
void SimplexWeights::leave_group(std::int32_t i) {
  rest_[index(i)] = sum_of(i);
  const std::int32_t root = root_of(i);
  if (root != zero_) {
    --positive_;
    if (count_[index(root)] == 1) ordered_.erase({value_[index(root)], root});
  }
  if (root == i) return;
  --count_[index(root)];
  parent_[index(i)] = jump_[index(i)] = i;
}

void SimplexWeights::enter(std::int32_t i, double value) {
  value_[index(i)] = value + shift_;
  rest_[index(i)] -= total(i);
  ordered_.emplace(value_[index(i)], i);
  ++positive_;
}

void SimplexWeights::fall_to_zero(std::int32_t node) {
  parent_[index(node)] = jump_[index(node)] = zero_;
  count_[index(zero_)] += count_[index(node)];
}

bool SimplexWeights::step(std::span<const std::int32_t> columns, std::span<const double> x,
                          double by) {
  below_.clear();
  before_.clear();
  bool any = false;
  double sum = sum_;
  for (std::size_t e = 0; e < columns.size(); ++e) {
    shorten(columns[e]);
    const double before = weight(columns[e]), now = before + by * x[e];
    before_.push_back(before);
    if (by * x[e] == 0.0) continue;
    any = true;
    leave_group(columns[e]);
    sum += std::max(now, 0.0) - before;
    if (now > 0.0)
      enter(columns[e], now);
    else
      below_.emplace_back(now, columns[e]);
  }
  if (!any) return false;
  if (sum >= 1.0)
    lower(sum);
  else
    raise(sum);
  sum_ = 1.0;
  bool changed = false;
  for (std::size_t e = 0; e < columns.size(); ++e)
    changed = changed || weight(columns[e]) != before_[e];
  if (++steps_ >= std::max(size_, least_between_renewals)) renew();
  return changed;
}

// δ ≥ 0: weights fall, and the least of them to 0.
void SimplexWeights::lower(double sum) {
  double down = (sum - 1.0) / static_cast<double>(positive_);
  while (!ordered_.empty()) {
    const auto [value, node] = *ordered_.begin();
    const double least = value - shift_;
    if (least > down) break;
    const std::int32_t count = count_[index(node)];
    if (count == positive_) break;  // what is left has the sum of 1 alone
    ordered_.erase(ordered_.begin());
    sum -= least * count;
    positive_ -= count;
    rest_[index(node)] += total(node);
    fall_to_zero(node);
    down = (sum - 1.0) / static_cast<double>(positive_);
  }
  for (const auto& [value, i] : below_) fall_to_zero(i);
  shift_ += down;
}

// δ < 0: weights rise, those that are 0 with them, and what the step put below 0 where it is above
// δ.
void SimplexWeights::raise(double sum) {
  std::ranges::sort(below_, std::greater<>());
  std::int64_t risen = positive_ + count_[index(zero_)];
  std::size_t kept = 0;
  while (kept < below_.size() &&
         (risen == 0 || below_[kept].first > (sum - 1.0) / static_cast<double>(risen))) {
    sum += below_[kept++].first;
    ++risen;
  }
  const double down = (sum - 1.0) / static_cast<double>(risen);
  if (count_[index(zero_)] > 0) {
    value_[index(zero_)] = shift_;
    rest_[index(zero_)] = shifts_.value() - shift_ * static_cast<double>(trials_);
    positive_ += count_[index(zero_)];
    ordered_.emplace(shift_, zero_);
    zero_ = static_cast<std::int32_t>(parent_.size());
    parent_.push_back(zero_);
    jump_.push_back(zero_);
    value_.push_back(0.0);
    count_.push_back(0);
    rest_.push_back(0.0);
  }
  for (std::size_t k = 0; k < below_.size(); ++k) {
    if (k < kept)
      enter(below_[k].second, below_[k].first);
    else
      fall_to_zero(below_[k].second);
  }
  shift_ += down;
}

// Forgets groups that are empty, and what rounding did to the shift and the sum; trials count anew.
void SimplexWeights::renew() {
  for (std::int32_t i = 0; i < size_; ++i) shorten(i);
  std::vector<double> rest = sums();
  std::vector<std::int32_t> number(parent_.size(), -1);
  std::vector<std::int32_t> parent;
  std::vector<double> value;
  std::vector<std::int32_t> count(index(size_), 1);
  for (std::int32_t i = 0; i < size_; ++i) {
    parent.push_back(i);
    value.push_back(weight(i));
  }
  const auto number_of = [&](std::int32_t root) {
    std::int32_t& found = number[index(root)];
    if (found >= 0) return found;
    found = static_cast<std::int32_t>(parent.size());
    parent.push_back(found);
    value.push_back(root == zero_ ? 0.0 : value_[index(root)] - shift_);
    count.push_back(0);
    return found;
  };
  const std::int32_t zero = number_of(zero_);
  sum_ = 0.0;
  for (std::int32_t i = 0; i < size_; ++i) {
    sum_ += value[index(i)];
    const std::int32_t root = root_of(i);
    if (root == i) continue;
    parent[index(i)] = number_of(root);
    ++count[index(parent[index(i)])];
  }
  parent_ = std::move(parent);
  jump_ = parent_;
  value_ = std::move(value);
  count_ = std::move(count);
  rest_ = std::move(rest);
  rest_.resize(parent_.size(), 0.0);
  zero_ = zero;
  shift_ = 0.0;
  shifts_ = {};
  steps_ = trials_ = 0;
  ordered_.clear();
  for (std::int32_t node = 0; node < std::ssize(parent_); ++node)
    if (parent_[index(node)] == node && node != zero_ && count_[index(node)] > 0)
      ordered_.emplace(value_[index(node)], node);
}

}  // namespace gssl::detail
