#pragma once
// Hashes of 32 bits of the names of vertices, as NameSlots takes them, and names with theirs.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gssl::detail {

// Both halves of a 128-bit product folded together: every bit of x reaches every bit of the result.
inline std::uint64_t fold(std::uint64_t x, std::uint64_t y) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(x) * y;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

inline std::uint32_t hash_of(std::uint64_t name) {
  return static_cast<std::uint32_t>(fold(name ^ 0x9e3779b97f4a7c15ULL, 0xd6e8feb86659fd93ULL));
}

inline std::uint64_t load_bytes(const char* from, std::size_t bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, bytes);
  return word;
}

// The last bytes of a name overlap the ones before, for loads of a fixed size need no loop.
inline std::uint32_t hash_of(std::string_view name) {
  const char* at = name.data();
  const char* const end = at + name.size();
  std::uint64_t hash = name.size() ^ 0xa0761d6478bd642fULL;
  std::uint64_t tail = 0;
  if (name.size() >= 8) {
    for (; end - at > 8; at += 8) hash = fold(hash ^ load_bytes(at, 8), 0xe7037ed1a0b428dbULL);
    tail = load_bytes(end - 8, 8);
  } else if (name.size() >= 4) {
    tail = load_bytes(at, 4) | load_bytes(end - 4, 4) << 32;
  } else if (!name.empty()) {
    tail =
        load_bytes(at, 1) | load_bytes(at + name.size() / 2, 1) << 8 | load_bytes(end - 1, 1) << 16;
  }
  hash = fold(hash ^ tail, 0x8ebc6af09c88c6e3ULL);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32));
}

}  // namespace gssl::detail

namespace gssl {

// A name that is looked up more than once is hashed once.
struct HashedName {
  HashedName() = default;
  explicit HashedName(std::string_view of) : name(of), hash(detail::hash_of(of)) {}
  operator std::string_view() const { return name; }  // NOLINT(google-explicit-constructor)
  bool operator==(const HashedName& other) const {
    return hash == other.hash && name == other.name;
  }

  std::string_view name;
  std::uint32_t hash = 0;
};

namespace detail {
inline std::uint32_t hash_of(const HashedName& name) { return name.hash; }
}  // namespace detail

}  // namespace gssl
