// Longer arrays and larger tables for names to come, made while others look names up.
#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "gssl/graph/vertex_names.hpp"

namespace gssl {

namespace {

template <class Array>
bool has_place(const Array& array, std::size_t more) {
  return array.capacity() - array.size() >= more;
}

}  // namespace

// Whether insert() of a new name moves nothing that is held.
bool VertexNames::fits(std::uint64_t name) const {
  return form_ == Form::integers && has_place(integers_, 1) &&
         (name < direct_.size() || slots_.has_room(1));
}

bool VertexNames::fits(std::string_view name) const {
  return form_ == Form::strings && slots_.has_room(1) && has_place(ends_, 1) &&
         has_place(arena_, name.size());
}

template <class Name>
std::size_t VertexNames::insert_while_fitting(std::span<const Name> names,
                                              std::span<VertexId> vertices) {
  find(names, vertices);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (vertices[i] != no_vertex) continue;
    if (fits(names[i])) {
      vertices[i] = insert(names[i]);
    } else {
      vertices[i] = find(names[i]);  // it may have been new a few names before
      if (vertices[i] == no_vertex) return i;
    }
  }
  return names.size();
}

std::size_t VertexNames::insert_in_place(std::span<const std::uint64_t> names,
                                         std::span<VertexId> vertices) {
  return insert_while_fitting(names, vertices);
}

std::size_t VertexNames::insert_in_place(std::span<const HashedName> names,
                                         std::span<VertexId> vertices) {
  return insert_while_fitting(names, vertices);
}

// How many integers are looked up in the directory, and how many of those that are here. Ids that
// rise find room beyond the largest. A directory that is large for so few names is for ids in no
// order: it takes in nearly all. Where few ids are small there is none.
VertexNames::Directory VertexNames::planned_directory() const {
  const auto n = static_cast<std::size_t>(size());
  if (form_ != Form::integers || n == 0) return {};
  const std::uint64_t largest = *std::max_element(integers_.begin(), integers_.end());
  const auto directory = [&](std::size_t most) -> Directory {
    const std::size_t entries = 2 * (std::min<std::uint64_t>(largest, most / 2 - 1) + 1);
    const auto inside = std::count_if(integers_.begin(), integers_.end(),
                                      [&](std::uint64_t name) { return name < entries; });
    return {entries, static_cast<std::size_t>(inside)};
  };
  const Directory usual = directory(4 * n);
  const std::size_t most = std::min(16 * n, std::size_t{1} << 22);
  if (usual.inside < n && most > 4 * n)
    if (const Directory large = directory(most); large.inside >= n - n / 8) return large;
  return usual.inside < n / 16 ? Directory{} : usual;
}

// Where the vertices of names are found.
struct VertexNames::Tables {
  Array<VertexId> direct;
  detail::NameSlots slots;
};

VertexNames::Tables VertexNames::tables(Directory directory, std::size_t more) const {
  const auto n = static_cast<std::size_t>(size());
  Tables made{Array<VertexId>(directory.size, no_vertex),
              detail::NameSlots(n - directory.inside + more)};
  for (std::size_t i = 0; i < n; ++i) {
    const auto v = static_cast<VertexId>(i);
    if (form_ != Form::integers || integers_[i] >= directory.size)
      made.slots.add_new(hash_at(v), v);
    else
      made.direct[integers_[i]] = v;
  }
  return made;
}

bool VertexNames::keeps(Directory directory) const {
  return directory.size == direct_.size() &&
         static_cast<std::size_t>(size()) - directory.inside == slots_.used();
}

// For so many more there is room at least in new tables, so that a name costs O(1) amortized.
std::size_t VertexNames::more_names() const { return static_cast<std::size_t>(size()) / 8 + 1; }

// If memory runs out there are no tables, and the next insertion makes them.
void VertexNames::rehash() {
  const Directory directory = planned_directory();
  if (keeps(directory)) {
    slots_ = slots_.grown(more_names());
    return;
  }
  // Before the new tables are made, to keep the peak low; an empty list assigned would free
  // nothing.
  direct_ = Array<VertexId>();
  slots_ = detail::NameSlots();
  Tables made = tables(directory, more_names());
  direct_ = std::move(made.direct);
  slots_ = std::move(made.slots);
}

// What is empty stays as it is.
class VertexNames::Room {
 public:
  Array<std::uint64_t> integers, ends;
  Array<char> arena;
  std::optional<Array<VertexId>> direct;
  detail::NameSlots slots;
};

// `bytes` of text; `hashed` if it is looked up in slots_.
std::shared_ptr<VertexNames::Room> VertexNames::room_for_one(std::size_t bytes, bool hashed) const {
  auto room = std::make_shared<Room>();
  // As a vector that is full grows by itself, so that memory does not depend on who grows it.
  const auto lengthen = [](const auto& array, std::size_t more, auto& longer) {
    if (has_place(array, more)) return;
    longer.reserve(std::max(2 * array.size(), array.size() + more));
    longer.assign(array.begin(), array.end());
  };
  if (form_ == Form::integers) {
    lengthen(integers_, 1, room->integers);
  } else {
    lengthen(ends_, 1, room->ends);
    lengthen(arena_, bytes, room->arena);
  }
  if (!hashed || slots_.has_room(1)) return room;
  const Directory directory = planned_directory();
  if (keeps(directory)) {
    room->slots = slots_.grown(more_names());
  } else {
    Tables made = tables(directory, more_names());
    room->direct = std::move(made.direct);
    room->slots = std::move(made.slots);
  }
  return room;
}

std::shared_ptr<VertexNames::Room> VertexNames::room_for(std::uint64_t name) const {
  return form_ == Form::integers ? room_for_one(0, name >= direct_.size()) : nullptr;
}

std::shared_ptr<VertexNames::Room> VertexNames::room_for(std::string_view name) const {
  return form_ == Form::strings ? room_for_one(name.size(), true) : nullptr;
}

void VertexNames::take(std::shared_ptr<Room> room) {
  const std::shared_ptr<Room> taken = std::move(room);
  const auto replace = [](auto& array, auto& longer) {
    if (longer.capacity() > 0) array = std::move(longer);
  };
  replace(integers_, taken->integers);
  replace(ends_, taken->ends);
  replace(arena_, taken->arena);
  if (taken->direct) direct_ = std::move(*taken->direct);
  if (!taken->slots.empty()) slots_ = std::move(taken->slots);
}

}  // namespace gssl
