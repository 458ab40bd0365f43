#pragma once
// Rows of a Gram matrix that were computed, as many as memory allows. Internal: not installed.
//
//   RowStore<float> store(gram, bytes, least);
//   store.want(items, is_idle, run);     // computes those that are missing
//   const float* row = store.row(items[0]);
//
// It begins with 256 MB and grows by as many rows as were wanted again after they had gone: most
// rows never are, and the system may take longer to clear new memory than a row takes to compute.

#include <algorithm>
#include <cstdint>
#include <span>
#include <tuple>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/core/index.hpp"
#include "gssl/kernel/gram.hpp"

namespace gssl::detail {

template <class Real>
class RowStore {
 public:
  // Up to `bytes`, and at least `least` rows; `first_bytes` of them without a row that came back.
  RowStore(const Gram& gram, double bytes, std::int64_t least, double first_bytes = 256e6)
      : gram_(gram), place_(static_cast<std::size_t>(gram.size()), nullptr) {
    used_.assign(place_.size(), 0);
    const double row = static_cast<double>(sizeof(Real)) *
                       static_cast<double>(std::max<std::int64_t>(gram.size(), 1));
    const auto rows_in = [&](double all) { return static_cast<std::int64_t>(all / row); };
    most_ = std::max(least, rows_in(bytes));
    room_ = std::min(most_, std::max(least, rows_in(first_bytes)));
    slab_ = std::max<std::int64_t>(1, std::min(rows_in(slab_bytes), gram.size()));
  }

  // Distinct items. Where the store is full, rows go that were not wanted for longest, those of
  // idle items first.
  template <class IsIdle>
  void want(std::span<const std::int32_t> items, IsIdle&& is_idle, const RunContext& run) {
    ++time_;
    std::vector<std::int32_t> missing;
    for (const std::int32_t i : items) {
      if (place_[index(i)] == nullptr) {
        missing.push_back(i);
        came_back_ += used_[index(i)] > 0 ? 1 : 0;
      }
      used_[index(i)] = time_;
    }
    if (missing.empty()) return;
    for (; came_back_ >= slab_; came_back_ -= slab_) room_ = std::min(most_, room_ + slab_);
    std::ranges::sort(missing);
    const auto short_by = std::ssize(missing) - (room_ - held_) - std::ssize(free_);
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
  static constexpr double slab_bytes = 16e6;  // allocated together, if a row is not longer

  Real* take() {
    if (free_.empty()) {
      const std::int64_t n = gram_.size();
      const std::int64_t rows = std::max<std::int64_t>(1, std::min(slab_, room_ - held_));
      slabs_.emplace_back(static_cast<std::size_t>(rows * n));
      for (std::int64_t r = rows; r-- > 0;) free_.push_back(slabs_.back().data() + r * n);
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
  std::vector<HugeArray<Real>> slabs_;
  std::vector<Real*> free_;
  std::int64_t most_ = 0;       // rows that memory allows
  std::int64_t room_ = 0;       // rows that may be allocated by now
  std::int64_t slab_ = 0;       // rows allocated together
  std::int64_t held_ = 0;       // rows allocated
  std::int64_t came_back_ = 0;  // rows computed again since room_ grew
  std::int64_t time_ = 0;
  std::int64_t computed_ = 0;
};

}  // namespace gssl::detail
