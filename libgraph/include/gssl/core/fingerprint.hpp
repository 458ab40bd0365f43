#pragma once
// A number of 64 bits by which data are told apart: equal data have equal numbers, and other data
// have it by chance once in 2⁶⁴. It is no protection against somebody who wants them equal, and
// differs between machines of another byte order.
//
//   gssl::Fingerprint print;
//   print.add(graph.neighbor_array());   // any span of numbers
//   print.add(names);                    // std::string_view
//   std::uint64_t number = print.value();
//
// About 8 GB/s on one core.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

namespace gssl {

class Fingerprint {
 public:
  // Lengths count: "ab" then "c" differs from "a" then "bc".
  template <class Number>
  requires std::is_arithmetic_v<std::remove_const_t<Number>> Fingerprint& add(
      std::span<Number> numbers) {
    return add_bytes(reinterpret_cast<const unsigned char*>(numbers.data()), numbers.size_bytes());
  }
  Fingerprint& add(std::string_view text) {
    return add_bytes(reinterpret_cast<const unsigned char*>(text.data()), text.size());
  }
  Fingerprint& add(std::uint64_t number) { return add(std::span(&number, 1)); }

  std::uint64_t value() const { return value_; }

 private:
  Fingerprint& add_bytes(const unsigned char* bytes, std::size_t count);

  std::uint64_t value_ = 0x243f6a8885a308d3ULL;
};

}  // namespace gssl
