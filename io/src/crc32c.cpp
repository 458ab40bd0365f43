#include "crc32c.hpp"

#include <array>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
#endif

namespace gssl::detail {
namespace {

constexpr std::uint32_t reversed_polynomial = 0x82F63B78U;
constexpr std::size_t word = 8;

using Tables = std::array<std::array<std::uint32_t, 256>, word>;

// tables[k][b] is the checksum of the byte b with k zeros behind it.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t sum = b;
    for (int bit = 0; bit < 8; ++bit)
      sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? reversed_polynomial : 0U);
    tables[0][b] = sum;
  }
  for (std::size_t k = 1; k < word; ++k)
    for (std::size_t b = 0; b < 256; ++b)
      tables[k][b] = (tables[k - 1][b] >> 8U) ^ tables[0][tables[k - 1][b] & 255U];
  return tables;
}

constexpr Tables tables = make_tables();

std::uint32_t one_byte(std::uint32_t sum, unsigned char byte) {
  return (sum >> 8U) ^ tables[0][(sum ^ byte) & 255U];
}

#if defined(__x86_64__)
// The same as the loop below, in words.
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t sum,
                                                               const unsigned char* at,
                                                               std::size_t size) {
  std::uint64_t wide = ~sum;
  for (; size >= word; at += word, size -= word) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, word);
    wide = _mm_crc32_u64(wide, value);
  }
  auto narrow = static_cast<std::uint32_t>(wide);
  for (; size > 0; ++at, --size) narrow = _mm_crc32_u8(narrow, *at);
  return ~narrow;
}
#endif

}  // namespace

std::uint32_t crc32c_by_tables(std::uint32_t sum, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const unsigned char*>(bytes);
  sum = ~sum;
  for (; size >= word; at += word, size -= word) {
    const std::uint32_t low =
        sum ^ (at[0] | static_cast<std::uint32_t>(at[1]) << 8U |
               static_cast<std::uint32_t>(at[2]) << 16U | static_cast<std::uint32_t>(at[3]) << 24U);
    sum = tables[7][low & 255U] ^ tables[6][low >> 8U & 255U] ^ tables[5][low >> 16U & 255U] ^
          tables[4][low >> 24U] ^ tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^
          tables[0][at[7]];
  }
  for (; size > 0; ++at, --size) sum = one_byte(sum, *at);
  return ~sum;
}

std::uint32_t crc32c(std::uint32_t sum, const void* bytes, std::size_t size) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return by_instruction(sum, static_cast<const unsigned char*>(bytes), size);
#elif defined(__ARM_FEATURE_CRC32)
  const auto* at = static_cast<const unsigned char*>(bytes);
  sum = ~sum;
  for (; size >= word; at += word, size -= word) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, word);
    sum = __crc32cd(sum, value);
  }
  for (; size > 0; ++at, --size) sum = __crc32cb(sum, *at);
  return ~sum;
#endif
  return crc32c_by_tables(sum, bytes, size);
}

}  // namespace gssl::detail
