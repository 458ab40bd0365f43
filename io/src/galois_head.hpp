#pragma once
// The head of a binary graph of Galois (.gr): version, bytes of edge data, vertices, edges.

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

namespace gssl::detail {

struct GaloisHead {
  std::uint64_t version = 1;
  std::uint64_t data_bytes = 0;  // of each edge: 0, 4 or 8
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  // Where the arrays begin: ends of the rows, targets, data.
  std::uint64_t rows_at = 32;
  std::uint64_t targets_at = 0;
  std::uint64_t data_at = 0;
  std::uint64_t end = 0;

  std::uint64_t target_bytes() const { return version == 1 ? 4 : 8; }
};

// A little-endian number; the caller has checked that it is there.
template <class Number>
Number number_at(std::string_view bytes, std::uint64_t at) {
  Number value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  static_assert(std::endian::native == std::endian::little);
  return value;
}

// Nothing unless the sizes are those of the file to the byte. O(1).
inline std::optional<GaloisHead> galois_head(std::string_view bytes) {
  if (bytes.size() < 32) return std::nullopt;
  GaloisHead head;
  head.version = number_at<std::uint64_t>(bytes, 0);
  head.data_bytes = number_at<std::uint64_t>(bytes, 8);
  head.vertices = number_at<std::uint64_t>(bytes, 16);
  head.edges = number_at<std::uint64_t>(bytes, 24);
  const bool known = (head.version == 1 || head.version == 2) &&
                     (head.data_bytes == 0 || head.data_bytes == 4 || head.data_bytes == 8);
  // Smaller than the file, so that no product below overflows.
  if (!known || head.vertices > bytes.size() || head.edges > bytes.size()) return std::nullopt;
  const auto padded = [](std::uint64_t size) { return (size + 7) / 8 * 8; };
  head.targets_at = head.rows_at + 8 * head.vertices;
  head.data_at = head.targets_at + padded(head.target_bytes() * head.edges);
  head.end = head.data_at + head.data_bytes * head.edges;
  // Writers may pad the end or not.
  const bool fits = bytes.size() == head.end || bytes.size() == padded(head.end);
  return fits ? std::optional(head) : std::nullopt;
}

}  // namespace gssl::detail
