#include "gssl/core/fingerprint.hpp"

#include <array>
#include <bit>
#include <cstring>

namespace gssl {
namespace {

// Odd numbers without pattern; multiplying by one and turning the result spreads every bit.
constexpr std::uint64_t spread = 0x9e3779b97f4a7c15ULL;
constexpr std::uint64_t spread_again = 0xd1b54a32d192ed03ULL;

std::uint64_t word_at(const unsigned char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

std::uint64_t taken(std::uint64_t lane, std::uint64_t word) {
  return std::rotl((lane ^ word) * spread, 29) + word;
}

// Every bit of the result depends on every bit of `value`.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 32)) * spread_again;
  value = (value ^ (value >> 29)) * spread;
  return value ^ (value >> 32);
}

}  // namespace

// Four lanes, so that no multiplication waits for the one before.
Fingerprint& Fingerprint::add_bytes(const unsigned char* bytes, std::size_t count) {
  constexpr std::size_t word = sizeof(std::uint64_t);
  std::array<std::uint64_t, 4> lanes{value_, value_ + spread, value_ ^ spread_again,
                                     value_ - spread_again};
  std::size_t at = 0;
  for (; at + lanes.size() * word <= count; at += lanes.size() * word)
    for (std::size_t i = 0; i < lanes.size(); ++i)
      lanes[i] = taken(lanes[i], word_at(bytes + at + i * word));
  std::uint64_t all = count;
  for (const std::uint64_t lane : lanes) all = mixed(taken(all, lane));
  for (; at + word <= count; at += word) all = mixed(taken(all, word_at(bytes + at)));
  std::array<unsigned char, word> rest{};
  if (at < count) std::memcpy(rest.data(), bytes + at, count - at);
  value_ = mixed(taken(all, word_at(rest.data())));
  return *this;
}

}  // namespace gssl
