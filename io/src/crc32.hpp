#pragma once
// CRC-32, as gzip and zlib have it, by carry-less multiplication where the processor has that.
//
//   std::uint32_t sum = crc32_of("123456789");   // 0xcbf43926
//   sum = crc32_of(more, sum);                   // as of both, one after the other
//   crc32_of_pieces(all, threads, [](std::string_view piece) { … });   // after each; in any order

#include <isa-l/crc.h>

#include <cstdint>
#include <functional>
#include <string_view>

namespace gssl::detail {

inline std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0) {
  return crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()),
                         bytes.size());
}

// The same of pieces of some megabytes, by several threads.
std::uint32_t crc32_of_pieces(std::string_view bytes, int threads,
                              const std::function<void(std::string_view)>& after = {});

}  // namespace gssl::detail
