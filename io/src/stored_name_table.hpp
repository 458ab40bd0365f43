#pragma once
// Names of vertices as a binary graph file holds them, with a table to find a vertex by its name
// that reads no more of the names than those it meets.
//
// The table has 3/2 as many slots as there are names, and no order but this: vertex v stands in the
// first free slot from h(name of v) on, round the end, where h is 32 bits of a hash times the
// number of slots, divided by 2^32; vertices came in their order. An empty slot is 2^32 − 1.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "binary_layout.hpp"
#include "gssl/graph/vertex_names.hpp"

namespace gssl::detail {

inline constexpr std::uint32_t empty_slot = 0xFFFFFFFFU;

// The arrays of names that are to be written. `numbers` or `ends` and `text`, with `slots`; none
// where vertex v is called first + v.
struct NameArrays {
  NameForm form = NameForm::numbered;
  std::int64_t first = 0;
  std::vector<std::uint64_t> numbers;
  std::vector<std::uint64_t> ends;
  std::string text;
  std::vector<std::uint32_t> slots;
};

// O(bytes of the names).
NameArrays name_arrays(const VertexNames& names);

// The same arrays in a file, which `owner` holds.
class StoredNameTable final : public StoredNames {
 public:
  struct Arrays {
    NameForm form = NameForm::numbers;
    std::span<const std::uint64_t> numbers;
    std::span<const std::uint64_t> ends;
    std::string_view text;
    std::span<const std::uint32_t> slots;
  };
  StoredNameTable(std::shared_ptr<const void> owner, const Arrays& arrays)
      : arrays_(arrays), owner_(std::move(owner)) {}

  VertexId size() const override;
  VertexId find(std::string_view name) const override;
  void append_name(VertexId v, std::string& out) const override;
  std::size_t memory_bytes() const override;

 private:
  std::string_view text_of(std::size_t v) const;
  template <class Is>
  VertexId probe(std::uint64_t hash, Is&& is) const;

  Arrays arrays_;
  std::shared_ptr<const void> owner_;
};

}  // namespace gssl::detail
