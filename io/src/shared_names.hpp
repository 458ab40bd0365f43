#pragma once
// Names of vertices that all threads look up while one of them, in its turn, numbers new ones. An
// id that a look-up did not find may be there when its turn has come; numbers depend on the turns
// alone. Look-ups wait for an insertion only where the tables are exchanged for larger ones: made
// beside them, or, where memory counts, after the old ones are gone.
//
//   SharedNames shared(names, threads, NameTables::beside);
//   shared.find(block);                     // on any thread
//   shared.insert(block);                   // in the order of the blocks
//   const auto alone = shared.alone();      // as are other changes of the names

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <utility>

#include "edge_block.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::detail {

enum class NameTables { beside, old_first };

class SharedNames {
 public:
  SharedNames(VertexNames& names, int threads, NameTables tables)
      : names_(names), threads_(threads), tables_(tables) {}

  // The vertices of the ids that are known, and where the others stand. Of one thread insert() does
  // both.
  template <class Id>
  void find(IdBlock<Id>& block) {
    block.vertices.resize(block.ids.size());
    if (threads_ == 1 || block.ids.empty()) return;
    if (many_unknown_.load(std::memory_order_relaxed)) block.ask_each_once();
    const std::span<const Id> ids = block.asked();
    for (std::size_t first = 0; first < ids.size(); first += between_turns) {
      const std::size_t some = std::min(between_turns, ids.size() - first);
      const std::span<VertexId> found = block.answers().subspan(first, some);
      {
        const std::shared_lock reading = among_others();
        names_.find(ids.subspan(first, some), found);
      }
      for (std::size_t i = 0; i < some; ++i)
        if (found[i] == no_vertex) block.unknown.push_back(static_cast<std::uint32_t>(first + i));
    }
    many_unknown_.store(block.unknown.size() > ids.size() / 4, std::memory_order_relaxed);
  }

  bool as_text() {
    const std::shared_lock reading = among_others();
    return names_.as_text();
  }

  template <class Id>
  void insert(IdBlock<Id>& block) {
    if (threads_ == 1) names_.insert(std::span<const Id>(block.ids), block.vertices);
    const std::span<const Id> asked = block.asked();
    const std::span<VertexId> answers = block.answers();
    constexpr std::size_t batch = 128;
    std::array<Id, batch> ids;
    std::array<VertexId, batch> vertices;
    for (std::size_t first = 0; first < block.unknown.size(); first += batch) {
      const auto places = std::span<const std::uint32_t>(block.unknown)
                              .subspan(first, std::min(batch, block.unknown.size() - first));
      for (std::size_t i = 0; i < places.size(); ++i) ids[i] = asked[places[i]];
      const std::span<const Id> some = std::span(ids).first(places.size());
      insert(some, std::span(vertices).first(some.size()));
      for (std::size_t i = 0; i < places.size(); ++i) answers[places[i]] = vertices[i];
    }
    block.give_out_answers();
  }

  // Nobody reads as long as it is held.
  std::unique_lock<std::shared_mutex> alone() {
    const std::scoped_lock next(turn_);
    return std::unique_lock(mutex_);
  }

 private:
  template <class Id>
  void insert(std::span<const Id> ids, std::span<VertexId> vertices) {
    for (;;) {
      const std::size_t done = names_.insert_in_place(ids, vertices);
      ids = ids.subspan(done);
      vertices = vertices.subspan(done);
      if (ids.empty()) return;
      auto room = tables_ == NameTables::beside ? names_.room_for(ids.front()) : nullptr;
      const auto changing = alone();
      if (room == nullptr) return names_.insert(ids, vertices);
      names_.take(std::move(room));
    }
  }

  static constexpr std::size_t between_turns = 2048;  // ids: who waits to write waits for these

  // Behind who waits to write: a shared mutex lets readers pass.
  std::shared_lock<std::shared_mutex> among_others() {
    const std::scoped_lock next(turn_);
    return std::shared_lock(mutex_);
  }

  VertexNames& names_;
  const int threads_;
  const NameTables tables_;
  // Of the last block: a file in the order of its graph has most ids several times in a block, and
  // threads look for them before the blocks ahead are numbered.
  std::atomic<bool> many_unknown_ = false;
  std::mutex turn_;
  std::shared_mutex mutex_;
};

}  // namespace gssl::detail
