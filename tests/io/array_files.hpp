#pragma once
// Binary arrays as NumPy and MNIST store them, made byte by byte.

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace gssl::test {

template <class T>
std::string raw(std::initializer_list<T> values, bool big = false) {
  std::string out;
  for (const T value : values) {
    std::string bytes(sizeof(T), '\0');
    std::memcpy(bytes.data(), &value, sizeof(T));
    out += big ? std::string(bytes.rbegin(), bytes.rend()) : bytes;
  }
  return out;
}

std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                bool fortran = false, int version = 1);

struct ZipMember {
  std::string name;
  std::string data;
  bool deflated = false;
};

// As numpy writes it: sizes of local headers in a 64-bit extra field. `wide` puts those of the
// directory there too.
std::string zip(const std::vector<ZipMember>& members, bool wide = false);

std::string idx(char type, std::initializer_list<std::uint32_t> axes, const std::string& data);

}  // namespace gssl::test
