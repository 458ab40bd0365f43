#pragma once
// The bytes of a binary graph file, as binary_graph.hpp describes them.

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace gssl::detail {

inline constexpr std::size_t section_alignment = 4096;
inline constexpr std::size_t checksum_block = std::size_t{1} << 20;
inline constexpr std::size_t most_sections = 32;

// No text, and damaged by whoever changes line ends.
inline constexpr std::array<char, 8> binary_magic = {'\x89', 'G',  'S',  'S',
                                                     'L',    '\r', '\n', '\x1a'};
inline constexpr std::uint32_t byte_order_mark = 0x01020304U;
inline constexpr std::uint16_t binary_major = 1;
inline constexpr std::uint16_t binary_minor = 0;

enum class SectionKind : std::uint32_t {
  none,
  offsets,        // int64 × (n + 1)
  neighbors,      // int32 × arcs
  rows,           // bytes of CompressedRows
  row_anchors,    // RowAnchor
  row_near,       // uint16 × n
  row_far,        // uint64
  weights,        // float64 × arcs
  float_weights,  // float32 × arcs
  name_numbers,   // uint64 × n
  name_ends,      // uint64 × n: where the text of each name ends in name_text
  name_text,
  name_slots,  // uint32: vertices by the hash of their name, see stored_name_table.hpp
  checksums,   // uint32: CRC-32C of each block of the sections before, in their order
};

// Of all sections of a kind that this version does not know, those with `required` set are why the
// file is refused.
struct SectionEntry {
  std::uint32_t kind = 0;
  std::uint32_t required = 1;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t first_block = 0;  // in checksums
};

enum class NameForm : std::uint32_t { numbered, numbers, text };

struct BinaryHeader {
  std::array<char, 8> magic = binary_magic;
  std::uint32_t byte_order = byte_order_mark;
  std::uint16_t major = binary_major;
  std::uint16_t minor = binary_minor;
  std::array<char, 24> writer{};  // version of gssl, ended by zeros
  std::uint64_t file_bytes = 0;
  std::uint64_t vertices = 0;
  std::uint64_t arcs = 0;
  std::uint64_t isolated = 0;
  std::uint64_t degree_min = 0;
  std::uint64_t degree_max = 0;
  double weight_min = 1.0;
  double weight_max = 1.0;
  std::uint32_t name_form = 0;
  std::uint32_t names_given = 1;
  std::int64_t first_number = 0;  // of NameForm::numbered
  // What was given, dropped and merged when the file was made.
  std::int64_t edges_given = 0;
  std::int64_t self_loops_dropped = 0;
  std::int64_t duplicates_merged = 0;
  std::int64_t reversed_merged = 0;
  std::int64_t opposite_differ = 0;
  std::int64_t zero_weights_dropped = 0;
  std::uint32_t section_count = 0;
  std::uint32_t checksums_crc = 0;  // of the section of checksums
  std::array<SectionEntry, most_sections> sections{};
  std::array<char, 2888> unused{};
  std::uint32_t reserved = 0;
  std::uint32_t header_crc = 0;  // of all before it
};
static_assert(sizeof(BinaryHeader) == section_alignment);
static_assert(std::is_trivially_copyable_v<BinaryHeader>);
inline constexpr std::size_t header_checked_bytes = offsetof(BinaryHeader, header_crc);

}  // namespace gssl::detail
