#include "array_files.hpp"

#include <zlib.h>

#include "io_support.hpp"

namespace gssl::test {

using namespace std::string_literals;

std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                bool fortran, int version) {
  std::string head = "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") +
                     ", 'shape': " + shape + ", }";
  head.resize((head.size() + 64) / 64 * 64, ' ');
  head.back() = '\n';
  std::string out = "\x93NUMPY"s + static_cast<char>(version) + '\0';
  out += raw<std::uint16_t>({static_cast<std::uint16_t>(head.size())});
  if (version > 1) out += "\0\0"s;
  return out + head + data;
}

std::string zip(const std::vector<ZipMember>& members, bool wide) {
  using U16 = std::uint16_t;
  using U32 = std::uint32_t;
  using U64 = std::uint64_t;
  std::string out;
  std::string directory;
  for (const ZipMember& member : members) {
    const std::string packed = member.deflated ? raw_deflate(member.data) : member.data;
    const auto crc = static_cast<U32>(
        crc32_z(0, reinterpret_cast<const Bytef*>(member.data.data()), member.data.size()));
    const std::string extra = raw<U16>({1, 16}) + raw<U64>({member.data.size(), packed.size()});
    const std::string common =
        raw<U16>({45, 0, U16(member.deflated ? 8 : 0), 0, 0}) + raw<U32>({crc});
    const auto name_length = static_cast<U16>(member.name.size());
    const auto offset = static_cast<U32>(out.size());
    out += "PK\3\4" + common + raw<U32>({~0U, ~0U}) + raw<U16>({name_length, U16(extra.size())}) +
           member.name + extra + packed;
    directory +=
        "PK\1\2" + raw<U16>({45}) + common +
        (wide ? raw<U32>({~0U, ~0U}) : raw<U32>({U32(packed.size()), U32(member.data.size())})) +
        raw<U16>({name_length, U16(wide ? extra.size() : 0), 0, 0, 0}) + raw<U32>({0, offset}) +
        member.name + (wide ? extra : "");
  }
  const auto at = static_cast<U32>(out.size());
  const auto count = static_cast<U16>(members.size());
  out += directory;
  if (wide) {
    const U64 end = out.size();
    out += "PK\6\6" + raw<U64>({44}) + raw<U16>({45, 45}) + raw<U32>({0, 0}) +
           raw<U64>({count, count, directory.size(), at});
    out += "PK\6\7" + raw<U32>({0}) + raw<U64>({end}) + raw<U32>({1});
  }
  return out + "PK\5\6" + raw<U16>({0, 0, count, count}) +
         raw<U32>({U32(directory.size()), wide ? ~0U : at}) + raw<U16>({0});
}

std::string idx(char type, std::initializer_list<std::uint32_t> axes, const std::string& data) {
  return "\0\0"s + type + static_cast<char>(axes.size()) + raw(axes, true) + data;
}

}  // namespace gssl::test
