#pragma once
// e^x for lists of x ≤ 0, in loops that compilers turn into vector instructions; the same bits on
// every machine. Internal: not installed.
//
// x = k ln 2 + r with |r| ≤ ln 2 / 2 (Cody and Waite: ln 2 in two parts), e^r by its Taylor
// polynomial of degree 13, whose remainder is below 2^-56 of the value. Error below 1.5 units in the
// last place; 0 below −708, where e^x would no longer be a normal number.

#include <bit>
#include <cstdint>

namespace gssl::detail {

struct ExpParts {
  double less_one;  // e^r − 1
  double scale;     // 2^k
};

inline ExpParts exp_parts(double y) {
  constexpr double per_ln2 = 1.4426950408889634, ln2_high = 0x1.62e42feep-1,
                   ln2_low = 0x1.a39ef35793c76p-33, round = 0x1.8p52;
  const double shifted = y * per_ln2 + round;  // the integer is in the lowest bits
  const double k = shifted - round;
  const double r = (y - k * ln2_high) - k * ln2_low;
  double p = 1.0 / 6227020800.0;
  p = p * r + 1.0 / 479001600.0;
  p = p * r + 1.0 / 39916800.0;
  p = p * r + 1.0 / 3628800.0;
  p = p * r + 1.0 / 362880.0;
  p = p * r + 1.0 / 40320.0;
  p = p * r + 1.0 / 5040.0;
  p = p * r + 1.0 / 720.0;
  p = p * r + 1.0 / 120.0;
  p = p * r + 1.0 / 24.0;
  p = p * r + 1.0 / 6.0;
  p = p * r + 0.5;
  p = p * (r * r) + r;
  const std::uint64_t scale = (std::bit_cast<std::uint64_t>(shifted) + 1023U) << 52U;
  return {p, std::bit_cast<double>(scale)};
}

inline constexpr double lowest_exponent = -708.0;

// Conditions choose between constants only, which needs no jump.
inline double fast_exp(double x) {
  const ExpParts parts = exp_parts(x < lowest_exponent ? lowest_exponent : x);
  return (parts.less_one + 1.0) * parts.scale * (x < lowest_exponent ? 0.0 : 1.0);
}

// e^x − 1 with all its digits also where it is small: (e^r − 1) 2^k + (2^k − 1).
inline double fast_expm1(double x) {
  const ExpParts parts = exp_parts(x < lowest_exponent ? lowest_exponent : x);
  return parts.less_one * parts.scale + (parts.scale - 1.0);
}

}  // namespace gssl::detail
