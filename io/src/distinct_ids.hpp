#pragma once
// The ids of a block of text, each once, in the order of their first appearance, and which of them
// stands at each place.
//
//   DistinctIds<Id> distinct;
//   distinct.take(ids);
//   distinct.ids[distinct.which[i]] == ids[i];

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gssl/graph/name_hash.hpp"

namespace gssl::detail {

template <class Id>
class DistinctIds {
 public:
  std::vector<Id> ids;
  std::vector<std::uint32_t> which;

  // O(ids) expected, in the memory of the time before.
  void take(std::span<const Id> all) {
    slots_.assign(std::bit_ceil(all.size() * 5 / 4 + 2), none);
    const int shift = 64 - std::countr_zero(slots_.size());
    ids.clear();
    which.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) which[i] = place_of(all[i], shift);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;

  static std::uint64_t key(std::uint64_t id) { return id; }
  static std::uint64_t key(const HashedName& name) { return name.hash; }

  // By a multiple of the key, which spreads integers that follow each other evenly.
  std::uint32_t place_of(const Id& id, int shift) {
    const std::uint64_t hash = key(id) * 0x9e3779b97f4a7c15ULL;
    for (std::size_t at = hash >> shift;; at = (at + 1) & (slots_.size() - 1)) {
      std::uint32_t& place = slots_[at];
      if (place == none) {
        place = static_cast<std::uint32_t>(ids.size());
        ids.push_back(id);
      } else if (ids[place] != id) {
        continue;
      }
      return place;
    }
  }

  std::vector<std::uint32_t> slots_;  // a power of two; places, and some that are free
};

}  // namespace gssl::detail
