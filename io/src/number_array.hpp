#pragma once
// Binary arrays of numbers, as npy, npz and idx files hold them.
//
//   NumberArray array = parse_npy(bytes, "points.npy");
//   Points points = to_points(array, "points.npy");

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/remedy.hpp"
#include "gssl/data/points.hpp"

namespace gssl::detail {

enum class ElementType {
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  float32,
  float64,
  bytes,   // text of NumberArray::width bytes
  unicode  // text of NumberArray::width code points of 4 bytes
};

struct NumberArray {
  ElementType type = ElementType::uint8;
  bool big_endian = false;
  bool column_major = false;
  std::vector<std::int64_t> shape;
  std::string_view bytes;  // not owned
  std::int64_t width = 0;  // of text, padded by zeros
};

// Throws ErrorCode::bad_data "NAME: …", as the next two.
[[noreturn]] void bad_array(const std::string& name, const std::string& message,
                            Remedies remedies = {});

// The first axis runs over rows, all others over columns. Throws unless the bytes are as many as
// the shape says and all values are finite numbers.
Points to_points(const NumberArray& array, const std::string& name);

// The elements as text, row by row, of an array with so many columns (all axes but the first
// together); "nan" for a float that is none.
std::vector<std::string> to_labels(const NumberArray& array, const std::string& name,
                                   std::int64_t columns = 1);

// All elements in the order they stand: as numbers, which may be not finite; as integers, which
// throws unless the elements are; as the one word of an array without axes.
std::vector<double> to_numbers(const NumberArray& array, const std::string& name);
std::vector<std::int64_t> to_integers(const NumberArray& array, const std::string& name);
std::string to_word(const NumberArray& array, const std::string& name);

NumberArray parse_npy(std::string_view bytes, const std::string& name);
NumberArray parse_idx(std::string_view bytes, const std::string& name);

// The same of one array of a .npz: `wanted`, or if that is empty y, or the only one.
std::vector<std::string> npz_labels(std::string_view bytes, const std::string& name,
                                    const std::string& wanted, std::int64_t columns = 1);

}  // namespace gssl::detail
