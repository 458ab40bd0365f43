#pragma once
// Numbers of which no vector register full lies across two lines of the cache. Internal: not
// installed.

#include <cstddef>
#include <new>
#include <vector>

namespace gssl::detail {

template <class Number>
struct LineAllocator {
  using value_type = Number;
  static constexpr std::align_val_t line{64};

  LineAllocator() = default;
  template <class Other>
  explicit LineAllocator(const LineAllocator<Other>&) {}

  Number* allocate(std::size_t count) {
    return static_cast<Number*>(::operator new(count * sizeof(Number), line));
  }
  void deallocate(Number* numbers, std::size_t) noexcept { ::operator delete(numbers, line); }
  bool operator==(const LineAllocator&) const = default;
};

using AlignedList = std::vector<double, LineAllocator<double>>;

}  // namespace gssl::detail
