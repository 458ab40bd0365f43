#pragma once
// Sorting of one row of a graph under construction, with or without weights. Stable, and without a
// branch that depends on the keys: such a branch is mispredicted every other time. O(d) for rows
// that are sorted already, else O(d²) up to 40 entries and O(d · key bytes) past that.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl::detail {

// An entry is neighbor << 1 | reversed, so that entries sort by neighbor and then by the direction
// in which the edge was given.
inline VertexId neighbor_of(std::uint32_t entry) { return static_cast<VertexId>(entry >> 1); }
inline bool is_reversed(std::uint32_t entry) { return (entry & 1U) != 0; }

// Holds the scratch memory, so that many rows share one.
class RowSorter {
 public:
  void sort(std::uint32_t* entries, std::size_t length) { run(entries, no_weights, length, 0); }

  // Sorts by entry >> shift, and moves the weights along.
  void sort(std::uint32_t* entries, double* weights, std::size_t length, int shift) {
    run(entries, weights, length, shift);
  }

  static constexpr std::size_t short_row = 40;

 private:
  static constexpr std::nullptr_t no_weights = nullptr;

  template <class Weights>
  void run(std::uint32_t* entries, Weights weights, std::size_t length, int shift) {
    std::size_t sorted = 1;
    while (sorted < length && entries[sorted - 1] >> shift <= entries[sorted] >> shift) ++sorted;
    if (sorted >= length) return;
    if (length <= 8)  // arrays of this size are cleared in no time
      by_rank<8>(entries, weights, length, shift);
    else if (length <= short_row)
      by_rank<short_row>(entries, weights, length, shift);
    else
      by_digits(entries, weights, length, shift);
  }

  // Puts every entry where the number of entries before it says.
  template <std::size_t room, class Weights>
  static void by_rank(std::uint32_t* entries, Weights weights, std::size_t length, int shift) {
    std::array<std::uint32_t, room> keys;
    std::array<std::uint32_t, room> rank{};
    std::array<std::uint32_t, room> old_entries;
    std::array<double, room> old_weights;
    for (std::size_t i = 0; i < length; ++i) {
      old_entries[i] = entries[i];
      keys[i] = entries[i] >> shift;
      if constexpr (!std::is_null_pointer_v<Weights>) old_weights[i] = weights[i];
    }
    for (std::size_t i = 1; i < length; ++i) {
      std::uint32_t before = 0;
      for (std::size_t j = 0; j < i; ++j) {
        const std::uint32_t later = keys[j] > keys[i] ? 1 : 0;
        rank[j] += later;
        before += 1 - later;
      }
      rank[i] = before;
    }
    for (std::size_t i = 0; i < length; ++i) {
      entries[rank[i]] = old_entries[i];
      if constexpr (!std::is_null_pointer_v<Weights>) weights[rank[i]] = old_weights[i];
    }
  }

  // Least significant byte first; bytes that all keys share are skipped.
  template <class Weights>
  void by_digits(std::uint32_t* entries, Weights weights, std::size_t length, int shift) {
    std::uint32_t differ = 0;
    for (std::size_t i = 1; i < length; ++i) differ |= entries[i] ^ entries[0];
    differ = differ >> shift << shift;
    entries_.resize(length);
    if constexpr (!std::is_null_pointer_v<Weights>) weights_.resize(length);
    for (int low = shift; low < 32; low += 8) {
      if ((differ >> low & 255U) == 0) continue;
      std::array<std::uint32_t, 257> start{};
      for (std::size_t i = 0; i < length; ++i) ++start[(entries[i] >> low & 255U) + 1];
      for (std::size_t digit = 0; digit < 256; ++digit) start[digit + 1] += start[digit];
      for (std::size_t i = 0; i < length; ++i) {
        const std::uint32_t to = start[entries[i] >> low & 255U]++;
        entries_[to] = entries[i];
        if constexpr (!std::is_null_pointer_v<Weights>) weights_[to] = weights[i];
      }
      std::copy_n(entries_.begin(), length, entries);
      if constexpr (!std::is_null_pointer_v<Weights>)
        std::copy_n(weights_.begin(), length, weights);
    }
  }

  std::vector<std::uint32_t> entries_;
  std::vector<double> weights_;
};

// Sorts a row whose weights may be null. Equal entries come to stand in an order that does not
// depend on the one before: by weight, or `in_file_order` as they were.
inline void sort_entries(std::span<std::uint32_t> entries, double* weights, bool in_file_order,
                         RowSorter& sorter) {
  if (weights == nullptr) {
    sorter.sort(entries.data(), entries.size());
    return;
  }
  sorter.sort(entries.data(), weights, entries.size(), in_file_order ? 1 : 0);
  if (in_file_order) return;
  for (std::size_t i = 0, next = 0; i < entries.size(); i = next) {
    for (next = i + 1; next < entries.size() && entries[next] == entries[i];) ++next;
    if (next > i + 1) std::sort(weights + i, weights + next);
  }
}

}  // namespace gssl::detail
