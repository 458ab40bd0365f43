#pragma once
// CRC-32, as gzip and zlib have it, by carry-less multiplication where the processor has that.
//
//   std::uint32_t sum = crc32_of("123456789");   // 0xcbf43926
//   sum = crc32_of(more, sum);                   // as of both, one after the other

#include <isa-l/crc.h>

#include <cstdint>
#include <string_view>

namespace gssl::detail {

inline std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0) {
  return crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()),
                         bytes.size());
}

}  // namespace gssl::detail
