#pragma once
// e^x for x ≤ 0, of one number or of the four of a vector register; the same bits in all of them and
// on every machine. Internal: not installed.
//
// x = k ln 2 + r with |r| ≤ ln 2 / 2 (Cody and Waite: ln 2 in two parts), e^r = 1 + r + r²q(r) with q
// of degree 9 through the Chebyshev nodes, off by at most 2^-55.8 of the value. q is summed in pairs
// (G. Estrin 1960), so that additions do not wait for each other. Error below 1.5 units in the last
// place; 0 below −708, where e^x would no longer be a normal number.

#include <array>
#include <bit>
#include <cstdint>

namespace gssl::detail {

// Numbers, and the truth of comparisons of them, in the four lanes of a register.
using Lanes = double __attribute__((vector_size(32)));
using LaneBits = std::int64_t __attribute__((vector_size(32)));

#define GSSL_INLINE inline __attribute__((always_inline))

GSSL_INLINE double choose(bool which, double a, double b) { return which ? a : b; }
GSSL_INLINE Lanes choose(const LaneBits& which, const Lanes& a, const Lanes& b) {
  return which ? a : b;
}

// 2^k of the k in the lowest bits of k + 1.5·2^52.
GSSL_INLINE double power_of_two(double shifted) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) + 1023U) << 52U);
}
GSSL_INLINE Lanes power_of_two(const Lanes& shifted) {
  return std::bit_cast<Lanes>((std::bit_cast<LaneBits>(shifted) + 1023) << 52);
}

template <class Number>
struct ExpParts {
  Number less_one;  // e^r − 1
  Number scale;     // 2^k
};

template <class Number>
GSSL_INLINE ExpParts<Number> exp_parts(const Number& y) {
  constexpr double per_ln2 = 1.4426950408889634, ln2_high = 0x1.62e42feep-1,
                   ln2_low = 0x1.a39ef35793c76p-33, round = 0x1.8p52;
  constexpr std::array<double, 10> c = {
      0x1.0000000000001p-1,  0x1.5555555555556p-3,  0x1.5555555553d68p-5,  0x1.11111111109b5p-7,
      0x1.6c16c17889ef1p-10, 0x1.a01a01a7c2efep-13, 0x1.a019b9149a41cp-16, 0x1.71de0db2f6b19p-19,
      0x1.28917c89a43a7p-22, 0x1.af389ecfc4b9cp-26};
  const Number shifted = y * per_ln2 + round;
  const Number k = shifted - round;
  const Number r = (y - k * ln2_high) - k * ln2_low;
  const Number r2 = r * r, r4 = r2 * r2, r8 = r4 * r4;
  const Number low = (c[0] + c[1] * r) + (c[2] + c[3] * r) * r2;
  const Number middle = (c[4] + c[5] * r) + (c[6] + c[7] * r) * r2;
  const Number q = (low + middle * r4) + (c[8] + c[9] * r) * r8;
  return {q * r2 + r, power_of_two(shifted)};
}

inline constexpr double lowest_exponent = -708.0;

template <class Number>
GSSL_INLINE Number fast_exp(const Number& x) {
  const auto vanishes = x < lowest_exponent;
  const ExpParts<Number> parts = exp_parts<Number>(choose(vanishes, Number{} + lowest_exponent, x));
  return choose(vanishes, Number{}, (parts.less_one + 1.0) * parts.scale);
}

// e^x − 1 with all its digits also where it is small: (e^r − 1) 2^k + (2^k − 1).
template <class Number>
GSSL_INLINE Number fast_expm1(const Number& x) {
  const ExpParts<Number> parts =
      exp_parts<Number>(choose(x < lowest_exponent, Number{} + lowest_exponent, x));
  return parts.less_one * parts.scale + (parts.scale - 1.0);
}

}  // namespace gssl::detail
