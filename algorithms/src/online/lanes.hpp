#pragma once
// Loops over lists of numbers in vector registers, whose results do not depend on the machine: sums
// are eight partial sums of every eighth number. For sources compiled without fused multiplication
// alone (see CMakeLists.txt). Internal: not installed.
//
//   GSSL_CLONES double sum(std::span<const double> x) {
//     Lanes sums[2] = {};
//     for_lanes(x.size(), GSSL_STEP { sums[which] += load(x.data(), some); });
//     return sum_of(sums);
//   }

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>

#include "online/fast_exp.hpp"

// AVX2 has no fused multiplication, so both clones round alike.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define GSSL_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define GSSL_CLONES
#endif

#define GSSL_STEP [&](const Some& some, [[maybe_unused]] int which) __attribute__((always_inline))

namespace gssl::detail {

inline constexpr std::size_t lane_count = sizeof(Lanes) / sizeof(double);
inline constexpr double infinite = std::numeric_limits<double>::infinity();

// Some numbers of a list: all four, or at its end as many as there are, the others being 0.
struct Some {
  std::size_t at;
  std::size_t count;
};

GSSL_INLINE Lanes load(const double* list, const Some& some) {
  Lanes lanes{};
  std::memcpy(&lanes, list + some.at, some.count * sizeof(double));
  return lanes;
}
GSSL_INLINE void store(const Lanes& lanes, double* list, const Some& some) {
  std::memcpy(list + some.at, &lanes, some.count * sizeof(double));
}

// step(some, which) for all numbers in turn, which of two partial results it is for: lanes of both
// are every eighth number.
template <class Step>
GSSL_INLINE void for_lanes(std::size_t n, Step&& step) {
  std::size_t i = 0;
  for (; i + 2 * lane_count <= n; i += 2 * lane_count) {
    step(Some{i, lane_count}, 0);
    step(Some{i + lane_count, lane_count}, 1);
  }
  if (i + lane_count <= n) {
    step(Some{i, lane_count}, 0);
    i += lane_count;
    if (i < n) step(Some{i, n - i}, 1);
  } else if (i < n) {
    step(Some{i, n - i}, 0);
  }
}

// The same from the end to the beginning: what a loop before it left in the cache comes first.
template <class Step>
GSSL_INLINE void for_lanes_down(std::size_t n, Step&& step) {
  std::size_t i = n / (2 * lane_count) * (2 * lane_count);
  if (i + lane_count < n) step(Some{i + lane_count, n - i - lane_count}, 1);
  if (i < n) step(Some{i, std::min(lane_count, n - i)}, 0);
  while (i > 0) {
    i -= 2 * lane_count;
    step(Some{i + lane_count, lane_count}, 1);
    step(Some{i, lane_count}, 0);
  }
}

GSSL_INLINE double sum_of(const Lanes* sums) {
  return ((sums[0][0] + sums[0][1]) + (sums[0][2] + sums[0][3])) +
         ((sums[1][0] + sums[1][1]) + (sums[1][2] + sums[1][3]));
}

GSSL_INLINE double least_of(const Lanes* least) {
  double found = least[0][0];
  for (std::size_t j = 0; j < 2 * lane_count; ++j)
    found = std::min(found, least[j / lane_count][j % lane_count]);
  return found;
}

// So that lanes beyond the end are never the least.
GSSL_INLINE Lanes or_infinite(const Lanes& lanes, const Some& some) {
  Lanes all = lanes;
  for (std::size_t j = some.count; j < lane_count; ++j) all[j] = infinite;
  return all;
}

}  // namespace gssl::detail
