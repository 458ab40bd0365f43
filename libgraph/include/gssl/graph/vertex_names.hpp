#pragma once
// External ids and vertices, both ways. Ids are strings; ids that are all canonical unsigned
// decimals
// ("0", "17", never "007" or "+1") are held as 64-bit integers. Memory grows with the number of
// distinct ids, never with the largest.
//
//   gssl::VertexNames names;
//   gssl::VertexId v = names.insert("alice");   // vertices number themselves by first appearance
//   names.find("bob");                          // no_vertex if unknown
//   names.name(v);                              // "alice"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/huge_array.hpp"
#include "gssl/core/types.hpp"
#include "gssl/graph/name_hash.hpp"
#include "gssl/graph/name_slots.hpp"

namespace gssl {

// Names that somebody else holds: a mapped file, so that to open it costs nothing a vertex.
class StoredNames {
 public:
  virtual ~StoredNames() = default;
  virtual VertexId size() const = 0;
  // O(1) expected; no_vertex if unknown.
  virtual VertexId find(std::string_view name) const = 0;
  // Precondition: 0 <= v < size().
  virtual void append_name(VertexId v, std::string& out) const = 0;
  virtual std::size_t memory_bytes() const = 0;
};

class VertexNames {
 public:
  VertexNames() = default;

  // Names that are looked up where they stand; O(1). The first insert() of a new name copies all.
  explicit VertexNames(std::shared_ptr<const StoredNames> stored);

  // Vertex v is named by the decimal number first + v; O(1) memory. Grows only by conversion on
  // insert(). Throws ErrorCode::usage if vertex_count or first is negative.
  static VertexNames numbered(VertexId vertex_count, std::int64_t first = 0);

  VertexId size() const;

  // Whether they are held as text, since one that was inserted is no integer: others are then found
  // faster as text, too.
  bool as_text() const { return form_ == Form::strings; }

  // The vertex of `name`, made if new. Throws ErrorCode::bad_data past 2^31 − 1 vertices. O(1)
  // expected.
  VertexId insert(std::string_view name);
  VertexId insert(const HashedName& name);
  // The same for a canonical unsigned decimal already parsed; the fast way for integer files.
  VertexId insert(std::uint64_t name);
  // The same for many, in their order; the look-ups wait for memory together. Precondition: as many
  // vertices as names.
  void insert(std::span<const std::uint64_t> names, std::span<VertexId> vertices);
  void insert(std::span<const HashedName> names, std::span<VertexId> vertices);

  // As insert(), up to the first name for which something that is held would move; how many are
  // done.
  std::size_t insert_in_place(std::span<const std::uint64_t> names, std::span<VertexId> vertices);
  std::size_t insert_in_place(std::span<const HashedName> names, std::span<VertexId> vertices);

  // What insert() of that name would make, O(size()): made while threads find(), and taken while
  // none does, O(1). None if the name changes how all are held. Throws std::bad_alloc.
  class Room;
  std::shared_ptr<Room> room_for(std::uint64_t name) const;
  std::shared_ptr<Room> room_for(std::string_view name) const;
  void take(std::shared_ptr<Room> room);

  VertexId find(std::string_view name) const;
  VertexId find(std::uint64_t name) const;
  // The same of many, in their order; no_vertex for those that are unknown. Precondition: as many
  // vertices as names. Threads may find() during insert_in_place(); they may miss what is being
  // inserted.
  void find(std::span<const std::uint64_t> names, std::span<VertexId> vertices) const;
  void find(std::span<const HashedName> names, std::span<VertexId> vertices) const;

  std::string name(VertexId v) const;
  void append_name(VertexId v, std::string& out) const;  // no allocation beyond `out`

  std::size_t memory_bytes() const;

 private:
  enum class Form { numbered, integers, strings, stored };
  // Integers below direct_.size() are looked up there, all else in slots_. It has at most 4 entries
  // a name, or 16 where these are at most 16 MB.
  Form form_ = Form::integers;
  VertexId count_ = 0;      // numbered
  std::int64_t first_ = 0;  // numbered
  template <class Value>
  using Array = std::vector<Value, HugeAllocator<Value>>;
  Array<std::uint64_t> integers_;  // integers: id of each vertex
  Array<VertexId> direct_;         // integers: vertex of each small id, or no_vertex
  Array<char> arena_;              // strings: all ids end to end
  Array<std::uint64_t> ends_;      // strings: end of each id in the arena
  detail::NameSlots slots_;
  std::shared_ptr<const StoredNames> stored_;

  std::string_view string_at(VertexId v) const;
  std::uint32_t hash_at(VertexId v) const;
  bool has_name(VertexId v, std::uint64_t name) const;
  bool has_name(VertexId v, std::string_view name) const;
  template <class Each>
  void each_likely(std::span<const HashedName> names, Each&& each) const;
  template <class Name>
  detail::NameSlots::Seen look_up(Name name, std::uint32_t hash) const;
  template <class Name>
  VertexId insert_hashed(Name name);
  template <class Name>
  std::size_t insert_while_fitting(std::span<const Name> names, std::span<VertexId> vertices);
  void find_hashed(std::span<const std::uint64_t> names, std::span<VertexId> vertices) const;
  VertexId append(std::uint64_t name);
  VertexId append(std::string_view name);
  VertexId find_numbered(std::uint64_t name) const;
  void check_room() const;
  void to_strings();
  void to_integers();
  void to_own();
  struct Directory {
    std::size_t size = 0;
    std::size_t inside = 0;  // names that are below it
  };
  Directory planned_directory() const;
  bool keeps(Directory directory) const;
  std::size_t more_names() const;
  struct Tables;
  Tables tables(Directory directory, std::size_t more) const;
  bool fits(std::uint64_t name) const;
  bool fits(std::string_view name) const;
  std::shared_ptr<Room> room_for_one(std::size_t bytes, bool hashed) const;
  void rehash();
};

// True and the value if `text` is a canonical unsigned decimal that fits 64 bits.
bool parse_canonical_integer(std::string_view text, std::uint64_t& value);

}  // namespace gssl
