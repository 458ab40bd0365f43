#pragma once
// A zip archive by its central directory, 64-bit sizes included, as NumPy's .npz is one. Format
// description: PKWARE APPNOTE 6.3.9.
//
//   const ZipArchive archive(bytes, "points.npz");
//   for (const ZipMember& member : archive.members()) …
//   ByteBuffer unpacked;
//   std::string_view bytes = archive.content(member, unpacked);

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text_source.hpp"

namespace gssl::detail {

struct ZipMember {
  std::string name;  // without ".npy"
  bool is_array = false;
  int method = 0;
  bool encrypted = false;
  std::uint32_t crc = 0;
  std::uint64_t packed = 0;
  std::uint64_t size = 0;
  std::uint64_t header = 0;  // where its local header is
};

// Little-endian numbers at checked places. All throw ErrorCode::bad_data "NAME: …".
class ZipArchive {
 public:
  // Neither is copied.
  ZipArchive(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  const std::string& name() const { return name_; }
  std::vector<ZipMember> members() const;

  // A member whole and checked; `unpacked` holds it if it was packed.
  std::string_view content(const ZipMember& member, ByteBuffer& unpacked) const;

 private:
  std::string_view part(std::uint64_t at, std::uint64_t length) const;
  std::uint64_t number(std::uint64_t at, int width) const;
  bool has(std::uint64_t at, std::string_view signature) const;
  ZipMember member(std::uint64_t at) const;
  std::string_view packed(const ZipMember& member) const;
  void inflate_raw(std::string_view packed, std::uint64_t size, ByteBuffer& out) const;
  [[noreturn]] void broken() const;

  std::string_view bytes_;
  const std::string& name_;
};

}  // namespace gssl::detail
