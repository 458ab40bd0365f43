#pragma once
// Gives an array back to the system while stretches of it are used up on several threads, in parts
// that are worth a call, of a huge page each: to give back a part of one splits it, and every call
// halts the other threads for a moment.
//
//   GradualRelease release(array, borders);   // stretch i is array[borders[i]] to borders[i + 1]
//   release.used_up(i);                       // on any thread, once for each stretch

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/core/types.hpp"
#include "release_pages.hpp"

namespace gssl::detail {

class GradualRelease {
 public:
  // Both outlive it; the array may be empty, and then nothing is done. `borders` rise from 0.
  template <class Value>
  GradualRelease(HugeArray<Value>& array, std::span<const EdgeIndex> borders)
      : begin_(reinterpret_cast<char*>(array.data())), width_(sizeof(Value)), borders_(borders) {
    if (array.empty()) return;
    bytes_ = byte_of(borders.size() - 1);
    users_ = std::vector<std::atomic<std::uint32_t>>((bytes_ + part - 1) / part);
    for (std::size_t i = 0; i + 1 < borders.size(); ++i)
      each_part(i, [&](std::size_t p) { users_[p].fetch_add(1, std::memory_order_relaxed); });
  }

  void used_up(std::size_t stretch) {
    each_part(stretch, [&](std::size_t p) {
      if (users_[p].fetch_sub(1) == 1)
        release_pages(begin_ + p * part, begin_ + std::min(bytes_, (p + 1) * part));
    });
  }

 private:
  static constexpr std::size_t part = std::size_t{1} << 21;

  std::size_t byte_of(std::size_t border) const {
    return static_cast<std::size_t>(borders_[border]) * width_;
  }

  template <class Visit>
  void each_part(std::size_t stretch, Visit&& visit) {
    const std::size_t begin = byte_of(stretch), end = byte_of(stretch + 1);
    if (users_.empty() || begin == end) return;
    for (std::size_t p = begin / part; p <= (end - 1) / part; ++p) visit(p);
  }

  char* begin_;
  std::size_t width_;
  std::span<const EdgeIndex> borders_;
  std::size_t bytes_ = 0;
  std::vector<std::atomic<std::uint32_t>> users_;  // stretches of each part that are not used up
};

}  // namespace gssl::detail
