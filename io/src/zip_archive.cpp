#include "zip_archive.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <new>

#include "fields.hpp"
#include "number_array.hpp"

namespace gssl::detail {
namespace {

constexpr std::uint64_t in_extra = 0xFFFFFFFF;  // the real value is a 64-bit one, elsewhere

struct InflateEnd {
  void operator()(z_stream* stream) const { inflateEnd(stream); }
};

}  // namespace

void ZipArchive::broken() const {
  bad_array(name_, "the zip archive is cut short or damaged; fetch or write it again");
}

std::string_view ZipArchive::part(std::uint64_t at, std::uint64_t length) const {
  if (at > bytes_.size() || length > bytes_.size() - at) broken();
  return bytes_.substr(at, length);
}

std::uint64_t ZipArchive::number(std::uint64_t at, int width) const {
  std::uint64_t value = 0;
  const std::string_view raw = part(at, static_cast<std::uint64_t>(width));
  for (int i = width - 1; i >= 0; --i)
    value = value << 8 | static_cast<unsigned char>(raw[static_cast<std::size_t>(i)]);
  return value;
}

bool ZipArchive::has(std::uint64_t at, std::string_view signature) const {
  return at <= bytes_.size() && bytes_.substr(at).starts_with(signature);
}

std::vector<ZipMember> ZipArchive::members() const {
  const std::size_t end = bytes_.rfind("PK\5\6");
  if (end == std::string_view::npos) broken();
  std::uint64_t count = number(end + 10, 2);
  std::uint64_t at = number(end + 16, 4);
  if (end >= 20 && has(end - 20, "PK\6\7")) {
    const std::uint64_t wide = number(end - 12, 8);
    if (!has(wide, "PK\6\6")) broken();
    count = number(wide + 32, 8);
    at = number(wide + 48, 8);
  }
  std::vector<ZipMember> members;
  for (; count > 0; --count) {
    if (!has(at, "PK\1\2")) broken();
    members.push_back(member(at));
    at += 46 + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2);
  }
  return members;
}

// Where the bytes of the member are, packed or not.
std::string_view ZipArchive::packed(const ZipMember& member) const {
  if (!has(member.header, "PK\3\4")) broken();
  return part(member.header + 30 + number(member.header + 26, 2) + number(member.header + 28, 2),
              member.packed);
}

ZipMember ZipArchive::member(std::uint64_t at) const {
  ZipMember member;
  member.encrypted = (number(at + 8, 2) & 1) != 0;
  member.method = static_cast<int>(number(at + 10, 2));
  member.crc = static_cast<std::uint32_t>(number(at + 16, 4));
  member.packed = number(at + 20, 4);
  member.size = number(at + 24, 4);
  member.header = number(at + 42, 4);
  const std::uint64_t name_length = number(at + 28, 2);
  member.name = part(at + 46, name_length);
  member.is_array = member.name.ends_with(".npy");
  if (member.is_array) member.name.resize(member.name.size() - 4);
  const std::uint64_t end = at + 46 + name_length + number(at + 30, 2);
  for (std::uint64_t extra = at + 46 + name_length; extra + 4 <= end;
       extra += 4 + number(extra + 2, 2)) {
    if (number(extra, 2) != 1) continue;
    std::uint64_t next = extra + 4;
    for (std::uint64_t* value : {&member.size, &member.packed, &member.header}) {
      if (*value != in_extra) continue;
      *value = number(next, 8);
      next += 8;
    }
  }
  return member;
}

void ZipArchive::inflate_raw(std::string_view packed, std::uint64_t size, ByteBuffer& out) const {
  // Deflate packs at most about 1000 to 1, so a size beyond that is a lie, told before allocating.
  if (size / 1100 > packed.size()) broken();
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, InflateEnd> guard(&stream);
  char* to = out.room(size + 1);  // one more, to notice what is too long
  std::uint64_t room = size + 1;
  for (;;) {
    constexpr std::uint64_t most = std::numeric_limits<uInt>::max();
    const auto offered = static_cast<uInt>(std::min<std::uint64_t>(packed.size(), most));
    const auto free = static_cast<uInt>(std::min(room, most));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = offered;
    stream.next_out = reinterpret_cast<Bytef*>(to);
    stream.avail_out = free;
    const int state = inflate(&stream, Z_NO_FLUSH);
    packed.remove_prefix(offered - stream.avail_in);
    to += free - stream.avail_out;
    room -= free - stream.avail_out;
    if (state == Z_MEM_ERROR) throw std::bad_alloc();
    if (state == Z_STREAM_END && room == 1) break;
    if (state != Z_OK || room == 0) broken();
  }
  out.add(size);
}

std::string_view ZipArchive::content(const ZipMember& member, ByteBuffer& unpacked) const {
  if (member.encrypted || (member.method != 0 && member.method != 8)) {
    bad_array(name_,
              "array " + shown(member.name) +
                  (member.encrypted ? " is encrypted"
                                    : " is packed by method " + std::to_string(member.method)) +
                  "; expected stored or deflated; write it with numpy.savez");
  }
  std::string_view bytes = packed(member);
  if (member.method == 8) {
    inflate_raw(bytes, member.size, unpacked);
    bytes = unpacked.view();
  }
  const auto crc = ::crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  if (bytes.size() != member.size || crc != member.crc) broken();
  return bytes;
}

}  // namespace gssl::detail
