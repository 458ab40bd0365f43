#pragma once
// Sorting of one row of a graph under construction, with or without weights. Rows are short and
// often sorted already: O(d) then, else insertion sort up to 32 entries and O(d log d) past that.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gssl/core/types.hpp"

namespace gssl::detail {

// An entry is neighbor << 1 | reversed in 32 bits, so that entries sort by neighbor and then by the
// direction in which the edge was given.
inline std::uint32_t key_of(VertexId entry) { return static_cast<std::uint32_t>(entry); }
inline VertexId neighbor_of(VertexId entry) { return static_cast<VertexId>(key_of(entry) >> 1); }
inline bool is_reversed(VertexId entry) { return (key_of(entry) & 1U) != 0; }
inline bool key_less(VertexId a, VertexId b) { return key_of(a) < key_of(b); }

inline constexpr EdgeIndex short_row = 32;  // insertion sort up to here

struct WeightedEntry {
  VertexId entry;
  double weight;
};

// Sorts entries with their weights, stably. Long rows go through a scratch copy of their own
// length.
template <class Less>
void sort_pairs(VertexId* entries, double* weights, EdgeIndex length, Less less) {
  const auto at = [&](EdgeIndex i) { return WeightedEntry{entries[i], weights[i]}; };
  EdgeIndex sorted = 1;
  while (sorted < length && !less(at(sorted), at(sorted - 1))) ++sorted;
  if (sorted >= length) return;
  if (length <= short_row) {
    for (EdgeIndex i = sorted; i < length; ++i) {
      const WeightedEntry moving = at(i);
      EdgeIndex j = i;
      for (; j > 0 && less(moving, at(j - 1)); --j) {
        entries[j] = entries[j - 1];
        weights[j] = weights[j - 1];
      }
      entries[j] = moving.entry;
      weights[j] = moving.weight;
    }
    return;
  }
  std::vector<WeightedEntry> scratch(static_cast<std::size_t>(length));
  for (EdgeIndex i = 0; i < length; ++i) scratch[static_cast<std::size_t>(i)] = at(i);
  std::stable_sort(scratch.begin(), scratch.end(), less);
  for (EdgeIndex i = 0; i < length; ++i) {
    entries[i] = scratch[static_cast<std::size_t>(i)].entry;
    weights[i] = scratch[static_cast<std::size_t>(i)].weight;
  }
}

inline void sort_entries(VertexId* entries, EdgeIndex length) {
  EdgeIndex sorted = 1;
  while (sorted < length && !key_less(entries[sorted], entries[sorted - 1])) ++sorted;
  if (sorted >= length) return;
  if (length > short_row) {
    std::sort(entries, entries + length, key_less);
    return;
  }
  for (EdgeIndex i = sorted; i < length; ++i) {
    const VertexId moving = entries[i];
    EdgeIndex j = i;
    for (; j > 0 && key_less(moving, entries[j - 1]); --j) entries[j] = entries[j - 1];
    entries[j] = moving;
  }
}

}  // namespace gssl::detail
