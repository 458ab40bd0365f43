#pragma once
// Cases of evaluation that other programs can make too: a congruential stream, as in
//
//   x = (1103515245·x + 12345) mod 2^31;  out = x >> 16
//
// from which scikit-learn 1.2.1 and SciPy 1.10.1 got the constants of these tests.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gssl::test {

inline std::vector<int> congruential(std::size_t n, std::int64_t seed) {
  std::vector<int> out;
  for (std::int64_t x = seed; out.size() < n;) {
    x = (1103515245 * x + 12345) % 2147483648;
    out.push_back(static_cast<int>(x >> 16));
  }
  return out;
}

}  // namespace gssl::test
