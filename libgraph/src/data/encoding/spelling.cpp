#include "spelling.hpp"

#include <algorithm>
#include <bit>

namespace gssl::detail {
namespace {

constexpr std::int32_t beyond_code_points = 0x110000;

// Bytes of the code point that begins there, 0 where none does.
std::size_t code_point_length(std::string_view rest) {
  const auto first = static_cast<unsigned char>(rest[0]);
  if (first < 0x80) return 1;
  const auto length = static_cast<std::size_t>(std::countl_one(first));
  if (length < 2 || length > 4 || length > rest.size()) return 0;
  const bool whole = std::ranges::all_of(rest.substr(1, length - 1), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
  });
  return whole ? length : 0;
}

}  // namespace

std::vector<std::int32_t> symbols_of(std::string_view word) {
  std::vector<std::int32_t> symbols;
  while (!word.empty()) {
    const auto first = static_cast<unsigned char>(word[0]);
    const std::size_t length = code_point_length(word);
    std::uint32_t code = first;
    if (length > 1) {
      code = first & (0xFFU >> (length + 1));
      for (const char c : word.substr(1, length - 1))
        code = code << 6U | (static_cast<unsigned char>(c) & 0x3FU);
    }
    symbols.push_back(length == 0 || code == 0 ? beyond_code_points + first
                                               : static_cast<std::int32_t>(code));
    word.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return symbols;
}

std::int64_t longest_of(const FeatureColumn& column) {
  std::int64_t longest = 0;
  for (const std::string& word : column.words)
    longest = std::max<std::int64_t>(longest, std::ssize(symbols_of(word)));
  return longest;
}

}  // namespace gssl::detail
