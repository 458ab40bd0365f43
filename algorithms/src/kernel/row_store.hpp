#pragma once
// Rows of a Gram matrix that were computed, as many as memory allows. Internal: not installed.
//
//   RowStore<float> store(gram, bytes, least);
//   store.want(items, is_idle, run);     // computes those that are missing
//   const float* row = store.row(items[0]);

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "gssl/core/index.hpp"
#include "gssl/kernel/gram.hpp"

namespace gssl::detail {

template <class Real>
class RowStore {
 public:
  // At least `least` rows, whatever the memory.
  RowStore(const Gram& gram, double bytes, std::int64_t least)
      : gram_(gram), place_(static_cast<std::size_t>(gram.size()), nullptr) {
    used_.assign(place_.size(), 0);
    const double row = static_cast<double>(sizeof(Real)) * static_cast<double>(gram.size());
    most_ = std::max(least, static_cast<std::int64_t>(bytes / std::max(row, 1.0)));
  }

  // Distinct items. Where the store is full, rows go that were not wanted for longest, those of
  // idle items first.
  template <class IsIdle>
  void want(std::span<const std::int32_t> items, IsIdle&& is_idle, const RunContext& run) {
    ++time_;
    std::vector<std::int32_t> missing;
    for (const std::int32_t i : items) {
      used_[index(i)] = time_;
      if (place_[index(i)] == nullptr) missing.push_back(i);
    }
    if (missing.empty()) return;
    std::ranges::sort(missing);
    const auto short_by = std::ssize(missing) - (most_ - held_) - std::ssize(free_);
    if (short_by > 0) drop(short_by, is_idle);
    std::vector<Real*> to;
    for (std::size_t k = 0; k < missing.size(); ++k) to.push_back(take());
    computed_ += std::ssize(missing);
    gram_.rows(missing, to, run);
    for (std::size_t k = 0; k < missing.size(); ++k) place_[index(missing[k])] = to[k];
  }

  const Real* row(std::int32_t item) const { return place_[index(item)]; }
  std::int64_t computed() const { return computed_; }

 private:
  static constexpr std::int64_t slab = 32;  // rows allocated together

  Real* take() {
    if (free_.empty()) {
      const std::int64_t rows = std::max<std::int64_t>(1, std::min(slab, most_ - held_));
      const std::int64_t n = gram_.size();
      slabs_.push_back(std::make_unique_for_overwrite<Real[]>(static_cast<std::size_t>(rows * n)));
      for (std::int64_t r = rows; r-- > 0;) free_.push_back(slabs_.back().get() + r * n);
      held_ += rows;
    }
    Real* place = free_.back();
    free_.pop_back();
    return place;
  }

  template <class IsIdle>
  void drop(std::int64_t count, IsIdle&& is_idle) {
    struct Candidate {
      bool busy;
      std::int64_t used;
      std::int32_t item;
    };
    std::vector<Candidate> all;
    for (std::int32_t i = 0; i < static_cast<std::int32_t>(place_.size()); ++i)
      if (place_[index(i)] != nullptr && used_[index(i)] != time_)
        all.push_back({!is_idle(i), used_[index(i)], i});
    std::ranges::sort(all, [](const Candidate& a, const Candidate& b) {
      return std::tie(a.busy, a.used, a.item) < std::tie(b.busy, b.used, b.item);
    });
    for (std::int64_t k = 0; k < std::min(count, std::ssize(all)); ++k) {
      Real*& place = place_[index(all[static_cast<std::size_t>(k)].item)];
      free_.push_back(place);
      place = nullptr;
    }
  }

  const Gram& gram_;
  std::vector<Real*> place_;  // of each item; null: not held
  std::vector<std::int64_t> used_;
  std::vector<std::unique_ptr<Real[]>> slabs_;
  std::vector<Real*> free_;
  std::int64_t most_ = 0;
  std::int64_t held_ = 0;  // rows allocated
  std::int64_t time_ = 0;
  std::int64_t computed_ = 0;
};

}  // namespace gssl::detail
