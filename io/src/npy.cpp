// NumPy's .npy: a magic, a version, and a head that is a Python dictionary. Format description:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include <optional>

#include "fields.hpp"
#include "gssl/core/number_text.hpp"
#include "number_array.hpp"
#include "points_formats.hpp"

namespace gssl::detail {
namespace {

// What follows "'key':" in the head; nothing if the key is not there.
std::string_view value_of(std::string_view head, const std::string& key) {
  const std::size_t found = head.find("'" + key + "'");
  if (found == std::string_view::npos) return {};
  head = trimmed(head.substr(found + key.size() + 2));
  if (!head.starts_with(':')) return {};
  return trimmed(head.substr(1));
}

// "<f4" and its like: byte order, kind, bytes.
std::optional<ElementType> element_type(std::string_view code) {
  static constexpr std::pair<std::string_view, ElementType> types[] = {
      {"i1", ElementType::int8},    {"u1", ElementType::uint8},   {"b1", ElementType::uint8},
      {"i2", ElementType::int16},   {"u2", ElementType::uint16},  {"i4", ElementType::int32},
      {"u4", ElementType::uint32},  {"i8", ElementType::int64},   {"u8", ElementType::uint64},
      {"f2", ElementType::float16}, {"f4", ElementType::float32}, {"f8", ElementType::float64}};
  for (const auto& [name, type] : types) {
    if (code == name) return type;
  }
  return std::nullopt;
}

// "U12" and "S7", text of so many code points or bytes. At least one, so that every element has
// bytes.
bool is_text(std::string_view code, NumberArray& array) {
  if (!code.starts_with('U') && !code.starts_with('S')) return false;
  constexpr std::int64_t most = 1 << 20;
  const auto width = parse_number<std::int64_t>(code.substr(1));
  if (!width || *width < 1 || *width > most) return false;
  array.type = code.front() == 'U' ? ElementType::unicode : ElementType::bytes;
  array.width = *width;
  return true;
}

std::vector<std::int64_t> parse_shape(std::string_view text, const std::string& name) {
  std::vector<std::int64_t> shape;
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos) {
    bad_array(name, "no 'shape' in the head of a .npy array; write it again with numpy.save");
  }
  std::string_view rest = text.substr(1, end - 1);
  while (!trimmed(rest).empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const auto axis = parse_number<std::int64_t>(trimmed(rest.substr(0, comma)));
    if (!axis || *axis < 0) {
      bad_array(name, "shape " + shown(text.substr(0, end + 1)) + "; expected whole numbers");
    }
    shape.push_back(*axis);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return shape;
}

}  // namespace

NumberArray parse_npy(std::string_view bytes, const std::string& name) {
  constexpr std::size_t fixed = 8;  // magic and version
  const int version = bytes.size() > fixed ? static_cast<unsigned char>(bytes[6]) : 0;
  if (!bytes.starts_with("\x93NUMPY") || version < 1 || version > 3) {
    bad_array(name, "not a .npy array of version 1 to 3; write it with numpy.save");
  }
  const std::size_t width = version == 1 ? 2 : 4;
  std::size_t length = 0;
  for (std::size_t i = 0; i < width && fixed + i < bytes.size(); ++i) {
    length |= std::size_t{static_cast<unsigned char>(bytes[fixed + i])} << (8 * i);
  }
  if (bytes.size() < fixed + width + length) {
    bad_array(name, "the head of the .npy array is cut short; fetch or write it again");
  }
  const std::string_view head = bytes.substr(fixed + width, length);
  NumberArray array;
  const std::string_view descr = value_of(head, "descr");
  const std::size_t quote = descr.starts_with('\'') ? descr.find('\'', 1) : std::string_view::npos;
  const std::string_view code =
      quote == std::string_view::npos ? std::string_view() : descr.substr(1, quote - 1);
  const bool ordered = !code.empty() && std::string_view("<>|=").find(code.front()) != code.npos;
  const auto type = ordered ? element_type(code.substr(1)) : std::nullopt;
  if (type) array.type = *type;
  if (!type && !(ordered && is_text(code.substr(1), array))) {
    bad_array(name, "elements of type " +
                        shown(code.empty() ? descr.substr(0, descr.find('}')) : code) +
                        "; expected floats of 2, 4 or 8 bytes, integers, bool or, for labels, "
                        "text; convert it with X.astype('float32')");
  }
  array.big_endian = code.front() == '>';
  const std::string_view order = value_of(head, "fortran_order");
  if (!order.starts_with("True") && !order.starts_with("False")) {
    bad_array(name, "no 'fortran_order' in the head; write the array again with numpy.save");
  }
  array.column_major = order.starts_with("True");
  array.shape = parse_shape(value_of(head, "shape"), name);
  array.bytes = bytes.substr(fixed + width + length);
  return array;
}

void read_npy(const TextSource& source, PointsFile& file) {
  file.points = to_points(parse_npy(source.text(), source.name()), source.name());
}

}  // namespace gssl::detail
