#pragma once
// gzip, zstd, xz and bzip2, piece by piece; several members or frames end to end are one text.
//
//   std::unique_ptr<Unpacker> unpacker = make_unpacker(sniff_compression(bytes), "edges.txt.xz");
//   std::size_t written = unpacker->unpack(bytes, room);   // what was taken is off `bytes`
//   unpacker->check_end();

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "gssl/core/named.hpp"

namespace gssl::detail {

enum class Compression { none, gzip, zstd, xz, bzip2 };

}  // namespace gssl::detail
namespace gssl {

template <>
inline constexpr auto names_of<detail::Compression> =
    enum_names<detail::Compression>("compression", {"none", "gzip", "zstd", "xz", "bzip2"});

}  // namespace gssl
namespace gssl::detail {

inline std::string_view to_string(Compression compression) {
  return names_of<Compression>.name(compression);
}
inline constexpr std::size_t magic_bytes = 6;  // that tell the compression

// By the magic number.
Compression sniff_compression(std::string_view bytes);

// Turns packed bytes into text, piece by piece. ErrorCode::bad_data if they are damaged.
class Unpacker {
 public:
  virtual ~Unpacker() = default;
  // Takes from the front of `packed`, writes to the front of `room`; returns the bytes written.
  virtual std::size_t unpack(std::string_view& packed, std::span<char> room) = 0;
  // Throws ErrorCode::bad_data if the packed data may not end here.
  virtual void check_end() const = 0;
};

// nullptr for Compression::none; `name` is the file's, for messages.
std::unique_ptr<Unpacker> make_unpacker(Compression compression, const std::string& name);

}  // namespace gssl::detail
