#include "support/keyed_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

namespace gssl::detail {

namespace {

constexpr int digit_bits = 11;
constexpr std::size_t radix = std::size_t{1} << digit_bits;
constexpr std::array digit_at = {31, 42, 53};  // of the upper 33 bits of a key

std::size_t digit(std::uint64_t key, int shift) { return (key >> shift) & (radix - 1); }

// By the upper 33 bits, stable, least digit first; a digit that all keys share costs nothing.
void radix_sort(std::vector<std::uint64_t>& order, std::vector<std::uint64_t>& spare) {
  std::array<std::array<std::uint32_t, radix>, digit_at.size()> counts{};
  for (const std::uint64_t item : order)
    for (std::size_t d = 0; d < digit_at.size(); ++d) ++counts[d][digit(item, digit_at[d])];
  spare.resize(order.size());
  for (std::size_t d = 0; d < digit_at.size(); ++d) {
    auto& place = counts[d];
    if (place[digit(order.front(), digit_at[d])] == order.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& count : place) sum += std::exchange(count, sum);
    for (const std::uint64_t item : order) spare[place[digit(item, digit_at[d])]++] = item;
    order.swap(spare);
  }
}

}  // namespace

std::uint64_t key_of(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

// The upper 33 bits tell most keys apart; those that they do not are compared.
void sort_keys(SortSpace& space) {
  const auto& list = space.list;
  auto& order = space.order;
  order.resize(list.size());
  for (std::size_t i = 0; i < list.size(); ++i)
    order[i] = (list[i].key & ~SortSpace::place_bits) | i;
  if (order.size() >= radix)
    radix_sort(order, space.spare);
  else
    std::ranges::sort(order);
  const auto key = [&](std::uint64_t item) { return list[item & SortSpace::place_bits].key; };
  for (auto first = order.begin(); first != order.end();) {
    auto last = first + 1;
    while (last != order.end() &&
           (*last & ~SortSpace::place_bits) == (*first & ~SortSpace::place_bits))
      ++last;
    if (last - first > 1 &&
        !std::is_sorted(first, last, [&](auto a, auto b) { return key(a) < key(b); }))
      std::stable_sort(first, last, [&](auto a, auto b) { return key(a) < key(b); });
    first = last;
  }
}

}  // namespace gssl::detail
