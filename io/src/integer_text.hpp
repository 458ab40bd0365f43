#pragma once
// Numbers off the front of a line, for the fast ways through lines of "u v weight": each function
// returns the position after what it took, or nullptr where a slower and more patient way is
// needed.

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gssl::detail {

// Of eight characters, the first the lowest byte, of which the first `count` ≥ 1 are digits, less
// '0' each: the number that they write.
inline std::uint64_t number_of_digits(std::uint64_t word, int count) {
  word <<= 64 - 8 * count;  // leading zeros
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FFULL;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFFULL;
  return (word * 10000 + (word >> 32)) & 0xFFFFFFFFULL;
}

// Which of eight characters are no digits: a bit each, that of the first the lowest.
inline unsigned other_than_digits(std::uint64_t word) {
  word ^= 0x3030303030303030ULL;
  const std::uint64_t low = (word & 0x7F7F7F7F7F7F7F7FULL) + 0x7676767676767676ULL;
  const std::uint64_t others = (low | word) >> 7 & 0x0101010101010101ULL;
  return static_cast<unsigned>(others * 0x0102040810204080ULL >> 56);
}

// The digits that start `word`, whose first character is its lowest byte: how many of the eight,
// and their value.
inline int leading_digits(std::uint64_t word, std::uint64_t& value) {
  word ^= 0x3030303030303030ULL;  // a digit becomes its value
  // The high bit of every byte that is no digit; a carry spoils only the bytes after the first.
  const std::uint64_t others = (word | (word + 0x7676767676767676ULL)) & 0x8080808080808080ULL;
  const int count = std::countr_zero(others) / 8;
  if (count == 0) return 0;
  value = number_of_digits(word, count);
  return count;
}

// A run of digits; the position after it. `number` is its value modulo 2^64.
inline const char* take_digits(const char* at, const char* end, std::uint64_t& number) {
  static constexpr std::array<std::uint64_t, 9> powers = {
      1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  number = 0;
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      std::uint64_t value = 0;
      const int count = leading_digits(word, value);
      number = number * powers[static_cast<std::size_t>(count)] + value;
      at += count;
      if (count < 8) return at;
    }
  }
  for (; at != end; ++at) {
    const auto digit = static_cast<unsigned char>(*at - '0');
    if (digit > 9) break;
    number = number * 10 + digit;
  }
  return at;
}

// A canonical unsigned decimal that fits 64 bits; the position after it, or nullptr.
inline const char* take_integer(const char* at, const char* end, std::uint64_t& value) {
  // With 20 digits, the first a 1, a number below 2^64 is at least this, and one above is less than
  // this modulo 2^64.
  constexpr std::ptrdiff_t most_digits = 20;
  constexpr std::uint64_t least_of_most = 10'000'000'000'000'000'000U;
  const char* const stop = take_digits(at, end, value);
  const std::ptrdiff_t digits = stop - at;
  if (digits == 0 || digits > most_digits || (*at == '0' && digits > 1)) return nullptr;
  if (digits == most_digits && (*at != '1' || value < least_of_most)) return nullptr;
  return stop;
}

// A weight that needs no message; the position after it, or nullptr. Up to 15 digits are a whole
// number and a power of ten that doubles hold exactly, so their quotient is rounded once and right.
inline const char* take_weight(const char* at, const char* end, double& weight) {
  static constexpr std::array<double, 16> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  std::uint64_t whole = 0;
  std::uint64_t part = 0;
  const char* const point = take_digits(at, end, whole);
  const char* stop = point;
  std::size_t decimals = 0;
  if (point != end && *point == '.') {
    stop = take_digits(point + 1, end, part);
    decimals = static_cast<std::size_t>(stop - point - 1);
  }
  const bool exact = point > at && stop - at <= 15 && (stop == point || decimals > 0);
  if (exact && stop != end && *stop != 'e' && *stop != 'E') {
    weight = static_cast<double>(whole) * powers[decimals] + static_cast<double>(part);
    weight /= powers[decimals];
    return stop;
  }
  const auto [last, error] = std::from_chars(at, end, weight);
  return error != std::errc{} || !std::isfinite(weight) || weight < 0 ? nullptr : last;
}

}  // namespace gssl::detail
