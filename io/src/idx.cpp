// The idx format of MNIST: two zero bytes, the type, the number of axes, their lengths, the
// numbers, all big-endian. Description: http://yann.lecun.com/exdb/mnist
#include "number_array.hpp"
#include "points_formats.hpp"

namespace gssl::detail {

NumberArray parse_idx(std::string_view bytes, const std::string& name) {
  const auto byte = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(bytes[at])};
  };
  const std::size_t axes = bytes.size() < 4 ? 0 : byte(3);
  if (axes == 0 || byte(0) != 0 || byte(1) != 0 || bytes.size() < 4 + 4 * axes) {
    bad_array(name, "not an idx file, or one whose head is cut short; fetch it again");
  }
  NumberArray array;
  array.big_endian = true;
  switch (byte(2)) {
    case 0x08: array.type = ElementType::uint8; break;
    case 0x09: array.type = ElementType::int8; break;
    case 0x0B: array.type = ElementType::int16; break;
    case 0x0C: array.type = ElementType::int32; break;
    case 0x0D: array.type = ElementType::float32; break;
    case 0x0E: array.type = ElementType::float64; break;
    default:
      bad_array(name, "idx type " + std::to_string(byte(2)) +
                          "; expected 8, 9, 11, 12, 13 or 14; fetch the file again");
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const std::size_t at = 4 + 4 * axis;
    array.shape.push_back(static_cast<std::int64_t>(byte(at) << 24 | byte(at + 1) << 16 |
                                                    byte(at + 2) << 8 | byte(at + 3)));
  }
  array.bytes = bytes.substr(4 + 4 * axes);
  return array;
}

void read_idx(const TextSource& source, PointsFile& file) {
  file.points = to_points(parse_idx(source.text(), source.name()), source.name());
}

}  // namespace gssl::detail
