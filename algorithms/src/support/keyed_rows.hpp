#pragma once
// Rows put in the order of a number that each has, by digits of it: of 10,000 rows quicker than by
// comparison. Internal: not installed.
//
//   SortSpace space;
//   for (std::uint32_t r = 0; r < n; ++r) space.list.push_back({key_of(x[r]), r});
//   sort_keys(space);
//   space.list[SortSpace::place(space.order[0])].row;   // where x is least; of equals the first

#include <cstdint>
#include <vector>

namespace gssl::detail {

// Orders as the numbers do; −0 is 0. Not for NaN.
std::uint64_t key_of(double value);

struct KeyedRow {
  std::uint64_t key;
  std::uint32_t row;
};

// One thread's space for sorting.
struct SortSpace {
  std::vector<KeyedRow> list;        // fewer than 2³¹
  std::vector<std::uint64_t> order;  // upper bits of a key, and the place of its row in the list
  std::vector<std::uint64_t> spare;

  static constexpr std::uint64_t place_bits = (std::uint64_t{1} << 31) - 1;
  static std::size_t place(std::uint64_t item) {
    return static_cast<std::size_t>(item & place_bits);
  }
};

// Makes `order` the places of the list in the order of its keys, equal keys by place.
void sort_keys(SortSpace& space);

}  // namespace gssl::detail
