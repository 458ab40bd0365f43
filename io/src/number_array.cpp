#include "number_array.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"
#include "utf8.hpp"

namespace gssl::detail {
namespace {

// IEEE 754 half: a sign, 5 bits of exponent, 10 of fraction.
struct Half {
  std::uint16_t bits = 0;
  explicit operator double() const {
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
    if (exponent == 31) return fraction == 0 ? sign * INFINITY : NAN;
    return sign *
           (exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
  }
  explicit operator float() const { return static_cast<float>(static_cast<double>(*this)); }
};

// body(T{}) with the C++ type of the elements.
template <class Body>
auto with_element(ElementType type, Body&& body) {
  switch (type) {
    case ElementType::int8: return body(std::int8_t{});
    case ElementType::uint8: return body(std::uint8_t{});
    case ElementType::int16: return body(std::int16_t{});
    case ElementType::uint16: return body(std::uint16_t{});
    case ElementType::int32: return body(std::int32_t{});
    case ElementType::uint32: return body(std::uint32_t{});
    case ElementType::int64: return body(std::int64_t{});
    case ElementType::uint64: return body(std::uint64_t{});
    case ElementType::float16: return body(Half{});
    case ElementType::float32: return body(float{});
    default: return body(double{});
  }
}

template <class T>
T load(const char* at, bool swapped) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), at, sizeof(T));
  if (swapped) std::reverse(raw.begin(), raw.end());
  return std::bit_cast<T>(raw);
}

std::int64_t element_bytes(const NumberArray& array) {
  if (array.type == ElementType::bytes) return array.width;
  if (array.type == ElementType::unicode) return 4 * array.width;
  return with_element(array.type, [](auto e) { return static_cast<std::int64_t>(sizeof e); });
}

// Text without the zeros that pad it.
std::string text_at(const char* at, const NumberArray& array, bool swapped) {
  std::string text;
  if (array.type == ElementType::bytes) {
    text.assign(at, static_cast<std::size_t>(array.width));
  } else {
    for (std::int64_t i = 0; i < array.width; ++i)
      append_utf8(load<std::uint32_t>(at + 4 * i, swapped), text);
  }
  while (text.ends_with('\0')) text.pop_back();
  return text;
}

struct ArrayShape {
  std::int64_t rows = 0;
  std::int64_t columns = 1;
  std::int64_t values = 0;
};

// An array without axes is one element.
ArrayShape shape_of_elements(const NumberArray& array, const std::string& name) {
  ArrayShape shape{.rows = array.shape.empty() ? 1 : array.shape.front()};
  bool fits = shape.rows >= 0;
  for (std::size_t axis = 1; axis < array.shape.size(); ++axis) {
    fits = fits && array.shape[axis] >= 0 &&
           !__builtin_mul_overflow(shape.columns, array.shape[axis], &shape.columns);
  }
  const std::int64_t element = element_bytes(array);
  std::int64_t bytes = 0;
  fits = fits && !__builtin_mul_overflow(shape.rows, shape.columns, &shape.values) &&
         !__builtin_mul_overflow(shape.values, element, &bytes);
  if (!fits || bytes != static_cast<std::int64_t>(array.bytes.size())) {
    std::string axes;
    for (const std::int64_t axis : array.shape)
      axes += (axes.empty() ? "" : " x ") + std::to_string(axis);
    bad_array(name, std::to_string(array.bytes.size()) + " bytes of numbers; expected " +
                        (fits ? std::to_string(bytes) : "far more") + " for " + axes + " of " +
                        std::to_string(element) +
                        " bytes; the file is cut short or not what its head says: fetch or write "
                        "it again");
  }
  return shape;
}

ArrayShape checked_shape(const NumberArray& array, const std::string& name) {
  if (array.shape.empty()) {
    bad_array(name, "a single number; expected an array with a row for each point");
  }
  const ArrayShape shape = shape_of_elements(array, name);
  // Without rows there are no bytes that the number of columns would have to follow.
  constexpr std::int64_t most_columns_of_nothing = std::int64_t{1} << 20;
  if (shape.rows == 0 && shape.columns > most_columns_of_nothing) {
    bad_array(name, "no rows of " + std::to_string(shape.columns) +
                        " columns; expected numbers; write the array again");
  }
  return shape;
}

bool is_text(const NumberArray& array) {
  return array.type == ElementType::bytes || array.type == ElementType::unicode;
}

bool is_swapped(const NumberArray& array) {
  return array.big_endian != (std::endian::native == std::endian::big);
}

}  // namespace

void bad_array(const std::string& name, const std::string& message, Remedies remedies) {
  throw Error(ErrorCode::bad_data, name + ": " + message, remedies);
}

Points to_points(const NumberArray& array, const std::string& name) {
  if (is_text(array)) {
    bad_array(name,
              "elements are text; expected numbers; if they are labels, give the file as "
              "LABELS or the array as the column of labels",
              Remedy::label_column);
  }
  const ArrayShape shape = checked_shape(array, name);
  if (array.column_major && array.shape.size() > 2) {
    bad_array(name, std::to_string(array.shape.size()) +
                        " axes in Fortran order; expected two, or C order; save it with "
                        "numpy.ascontiguousarray");
  }
  const bool swapped = is_swapped(array);
  Points::Values values = with_element(array.type, [&](auto element) -> Points::Values {
    using T = decltype(element);
    using Kept = std::conditional_t<(sizeof(T) <= 2 || std::is_same_v<T, float>), float, double>;
    std::vector<Kept> kept(static_cast<std::size_t>(shape.values));
    const char* at = array.bytes.data();
    const auto take = [&](std::int64_t to) {
      kept[static_cast<std::size_t>(to)] = static_cast<Kept>(load<T>(at, swapped));
      at += sizeof(T);
    };
    if (array.column_major) {
      for (std::int64_t c = 0; c < shape.columns; ++c) {
        for (std::int64_t r = 0; r < shape.rows; ++r) take(r * shape.columns + c);
      }
    } else {
      for (std::int64_t i = 0; i < shape.values; ++i) take(i);
    }
    return kept;
  });
  try {
    return Points::dense(shape.rows, shape.columns, std::move(values));
  } catch (const Error& error) {
    throw error.with_message(name + ": " + error.what());
  }
}

std::vector<std::string> to_labels(const NumberArray& array, const std::string& name,
                                   std::int64_t columns) {
  const ArrayShape shape = checked_shape(array, name);
  if (shape.columns != columns) {
    bad_array(name, std::to_string(shape.columns) + " columns; expected " +
                        (columns == 1 ? "one label for each row" : std::to_string(columns)));
  }
  const bool swapped = is_swapped(array);
  std::vector<std::string> labels;
  labels.reserve(static_cast<std::size_t>(shape.rows * columns));
  const auto each = [&](std::int64_t bytes, auto&& take) {
    for (std::int64_t row = 0; row < shape.rows; ++row)
      for (std::int64_t column = 0; column < columns; ++column) {
        const std::int64_t place =
            array.column_major ? column * shape.rows + row : row * columns + column;
        take(array.bytes.data() + place * bytes);
      }
  };
  if (is_text(array)) {
    each(element_bytes(array),
         [&](const char* at) { labels.push_back(text_at(at, array, swapped)); });
    return labels;
  }
  with_element(array.type, [&](auto element) {
    using T = decltype(element);
    each(sizeof(T), [&](const char* at) {
      const T value = load<T>(at, swapped);
      if constexpr (std::is_integral_v<T>) {
        labels.push_back(std::to_string(value));
      } else {
        const auto number = static_cast<double>(value);
        labels.push_back(std::isnan(number) ? "nan" : to_text(number));
      }
    });
  });
  return labels;
}

std::vector<double> to_numbers(const NumberArray& array, const std::string& name) {
  if (is_text(array)) bad_array(name, "elements are text; expected numbers");
  const ArrayShape shape = shape_of_elements(array, name);
  const bool swapped = is_swapped(array);
  return with_element(array.type, [&](auto element) {
    using T = decltype(element);
    std::vector<double> numbers(static_cast<std::size_t>(shape.values));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = static_cast<double>(load<T>(array.bytes.data() + i * sizeof(T), swapped));
    return numbers;
  });
}

std::vector<std::int64_t> to_integers(const NumberArray& array, const std::string& name) {
  if (is_text(array)) bad_array(name, "elements are text; expected integers");
  const ArrayShape shape = shape_of_elements(array, name);
  const bool swapped = is_swapped(array);
  return with_element(array.type, [&](auto element) -> std::vector<std::int64_t> {
    using T = decltype(element);
    if constexpr (std::is_integral_v<T>) {
      std::vector<std::int64_t> integers(static_cast<std::size_t>(shape.values));
      for (std::size_t i = 0; i < integers.size(); ++i)
        integers[i] =
            static_cast<std::int64_t>(+load<T>(array.bytes.data() + i * sizeof(T), swapped));
      return integers;
    } else {
      bad_array(name, "elements are no integers; expected those of an index");
    }
  });
}

std::string to_word(const NumberArray& array, const std::string& name) {
  if (!is_text(array)) bad_array(name, "elements are numbers; expected one word");
  if (shape_of_elements(array, name).values != 1) bad_array(name, "expected one word");
  return text_at(array.bytes.data(), array, is_swapped(array));
}

}  // namespace gssl::detail
