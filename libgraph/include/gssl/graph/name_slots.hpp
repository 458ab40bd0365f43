#pragma once
// Where the vertex of a name is looked up: open addressing with linear probing over a power of two
// of slots, at most 5/8 of them taken. Slots hold the vertices and hashes; the names are elsewhere.
// Threads may find() while one adds, as long as the table does not grow.
//
//   NameSlots slots;
//   if (!slots.has_room(1)) slots = slots.grown(1000);
//   const auto seen = slots.view().find(hash, [&](VertexId v) { return name_of(v) == name; });
//   if (seen.vertex == no_vertex) slots.add(seen, hash, new_vertex());

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/core/types.hpp"

namespace gssl::detail {

// A value that one thread writes while others look, with all that was written before it.
template <class Value>
Value published(const Value& value, std::memory_order order = std::memory_order_acquire) {
  return std::atomic_ref(const_cast<Value&>(value)).load(order);
}
template <class Value>
void publish(Value& value, Value now) {
  std::atomic_ref(value).store(now, std::memory_order_release);
}

class NameSlots {
 public:
  struct Seen {
    std::size_t at = 0;
    VertexId vertex = no_vertex;
  };

  NameSlots() = default;
  // Empty, with room for so many.
  explicit NameSlots(std::size_t vertices) {
    std::size_t slots = 16;
    while (vertices * 8 > slots * 5) slots *= 2;
    slots_.resize(slots);
  }

  bool empty() const { return slots_.empty(); }
  std::size_t used() const { return used_; }
  std::size_t memory_bytes() const { return slots_.capacity() * sizeof(Slot); }

  class View;
  // For look-ups until the table is another. Precondition: not empty().
  View view() const;

  // Preconditions: has_room(1), and nothing was added since `seen`.
  void add(Seen seen, std::uint32_t hash, VertexId vertex) {
    publish(slots_[seen.at], {hash, vertex});
    ++used_;
  }

  bool has_room(std::size_t more) const { return (used_ + more) * 8 <= slots_.size() * 5; }

  // The same vertices with room for `more`; they move in the order of the old table, which is
  // nearly that of the new one.
  NameSlots grown(std::size_t more) const {
    NameSlots grown(used_ + more);
    for (const Slot& slot : slots_)
      if (slot.vertex != no_vertex) grown.add_new(slot.hash, slot.vertex);
    return grown;
  }

  // Of a vertex that is not there, while nobody looks.
  void add_new(std::uint32_t hash, VertexId vertex) {
    std::size_t at = hash & mask();
    while (slots_[at].vertex != no_vertex) at = (at + 1) & mask();
    slots_[at] = {hash, vertex};
    ++used_;
  }

 private:
  struct alignas(8) Slot {   // read and written as one
    std::uint32_t hash = 0;  // so that few names are compared
    VertexId vertex = no_vertex;
  };

  std::size_t mask() const { return slots_.size() - 1; }

  std::vector<Slot, HugeAllocator<Slot>> slots_;
  std::size_t used_ = 0;
};

// Reads nothing that add() writes but the slots, so that who adds does not take a line of memory
// from who looks.
class NameSlots::View {
 public:
  // What a look-up reads first; any vertex or none.
  const void* home(std::uint32_t hash) const { return &slots_[hash & mask_]; }

  // The first vertex of that hash, or no_vertex.
  VertexId first(std::uint32_t hash) const {
    return find(hash, [](VertexId) { return true; }).vertex;
  }

  // The slot of the vertex that is_it(vertex), or the free one where it belongs, and what was seen
  // there: it may have been taken since. O(1) expected.
  template <class IsIt>
  Seen find(std::uint32_t hash, IsIt&& is_it) const {
    for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
      const Slot slot = published(slots_[at]);
      if (slot.vertex == no_vertex || (slot.hash == hash && is_it(slot.vertex)))
        return {at, slot.vertex};
    }
  }

 private:
  friend class NameSlots;
  View(const Slot* slots, std::size_t mask) : slots_(slots), mask_(mask) {}

  const Slot* slots_;
  std::size_t mask_;
};

inline NameSlots::View NameSlots::view() const { return {slots_.data(), mask()}; }

}  // namespace gssl::detail
