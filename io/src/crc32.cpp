#include "crc32.hpp"

#include <isa-l/crc.h>
#include <zlib.h>

#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "vector_registers.hpp"

namespace gssl::detail {
namespace {

constexpr std::int64_t piece_bytes = std::int64_t{1} << 22;

}  // namespace

std::uint32_t crc32_of(std::string_view bytes, std::uint32_t before) {
  const std::uint32_t sum =
      crc32_gzip_refl(before, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  clear_vector_registers();
  return sum;
}

SummedBytes& SummedBytes::operator+=(const SummedBytes& next) {
  crc =
      static_cast<std::uint32_t>(::crc32_combine(crc, next.crc, static_cast<z_off_t>(next.bytes)));
  bytes += next.bytes;
  return *this;
}

SummedBytes sum_of_pieces(std::string_view bytes, int threads,
                          const std::function<void(std::string_view)>& after) {
  return blocked_sum(
      static_cast<std::int64_t>(bytes.size()), threads,
      [&](std::int64_t begin, std::int64_t end) {
        const std::string_view part = bytes.substr(index(begin), index(end - begin));
        const SummedBytes sum(part);
        if (after) after(part);
        return sum;
      },
      piece_bytes);
}

}  // namespace gssl::detail
