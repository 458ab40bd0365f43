#pragma once
// Doubles side by side in one register, for kernels that exist once for each width of a processor.
//
//   Quad sum = {}, row;
//   load(row, x);
//   sum += 2.0 * row;
//   store(x, sum);

#include <cstdint>

// A kernel is compiled for the processor of the function that calls it, so it has to be part of it.
#define GSSL_INLINE inline __attribute__((always_inline))

namespace gssl::solve {

using Pair = double __attribute__((vector_size(16)));
using Quad = double __attribute__((vector_size(32)));
using Octet = double __attribute__((vector_size(64)));

template <class Lanes>
constexpr std::int64_t width = sizeof(Lanes) / sizeof(double);

// From and to anywhere: no address need be a multiple of the width.
template <class Lanes>
GSSL_INLINE void load(Lanes& to, const double* from) {
  __builtin_memcpy(&to, from, sizeof to);
}
template <class Lanes>
GSSL_INLINE void store(double* to, const Lanes& from) {
  __builtin_memcpy(to, &from, sizeof from);
}

}  // namespace gssl::solve
