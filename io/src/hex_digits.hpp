#pragma once
// A checksum as text: 8 hexadecimal digits.

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>

namespace gssl::detail {

inline std::string hex_digits(std::uint32_t value) {
  std::array<char, 9> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", value);
  return digits.data();
}

}  // namespace gssl::detail
