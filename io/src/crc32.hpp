#pragma once
// CRC-32, as gzip and zlib have it, by carry-less multiplication where the processor has that.
//
//   std::uint32_t sum = crc32_of("123456789");   // 0xcbf43926
//   sum = crc32_of(more, sum);                   // as of both, one after the other
//   sum_of_pieces(all, threads, [](std::string_view piece) { … }).crc;   // after each; in any order

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace gssl::detail {

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before = 0);

// The checksum of some bytes, to which that of the next ones is added.
struct SummedBytes {
  std::uint32_t crc = 0;
  std::size_t bytes = 0;

  SummedBytes() = default;
  explicit SummedBytes(std::string_view part) : crc(crc32_of(part)), bytes(part.size()) {}
  SummedBytes& operator+=(const SummedBytes& next);
};

// By several threads, in pieces of some megabytes.
SummedBytes sum_of_pieces(std::string_view bytes, int threads,
                          const std::function<void(std::string_view)>& after = {});

}  // namespace gssl::detail
