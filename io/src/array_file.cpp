#include "array_file.hpp"

#include <string_view>

#include "gssl/core/error.hpp"
#include "gssl/io/points_reader.hpp"
#include "number_array.hpp"

namespace gssl::detail {

ArrayPath::ArrayPath(const std::string& path)
    : file(points_file_path(path)), member(file == path ? "" : path.substr(file.size() + 1)) {}

std::optional<std::vector<std::string>> read_array(const TextSource& source,
                                                   const std::string& member, std::int64_t columns,
                                                   InputStats& stats) {
  using namespace std::string_view_literals;
  const std::string_view start = source.head();
  const std::string& name = source.name();
  if (start.starts_with("PK\3\4"sv) || start.starts_with("PK\5\6"sv)) {
    stats.format = "npz";
    return npz_labels(source.text(), name, member, columns);
  }
  if (!member.empty()) {
    throw Error(ErrorCode::usage, name + ":" + member + ": only a .npz holds named arrays");
  }
  if (start.starts_with("\x93NUMPY"sv)) {
    stats.format = "npy";
    return to_labels(parse_npy(source.text(), name), name, columns);
  }
  if (start.starts_with("\0\0"sv)) {
    stats.format = "idx";
    return to_labels(parse_idx(source.text(), name), name, columns);
  }
  return std::nullopt;
}

}  // namespace gssl::detail
