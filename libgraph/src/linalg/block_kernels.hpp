#pragma once
// Column-wise sums over blocks of rows, added in an order that depends on the number of rows alone.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "gssl/core/parallel.hpp"

namespace gssl::solve {

// Calls body(begin, end, partial) for each block of rows, where `partial` is an array of `width`
// zeros to add to; leaves the sums over all blocks, added in block order, in `total`.
template <class Body>
void column_sums(std::int64_t rows, std::int64_t width, int threads, std::vector<double>& total,
                 Body&& body) {
  const std::int64_t blocks = detail::block_count(rows, parallel_block);
  std::vector<double> partial(static_cast<std::size_t>(blocks * width), 0.0);
  // Threads that add to the same cache line wait for each other.
  constexpr std::int64_t narrow = 16;
  parallel_blocks(rows, threads, [&](std::int64_t begin, std::int64_t end) {
    double* const sums = partial.data() + begin / parallel_block * width;
    if (width > narrow) return body(begin, end, sums);
    std::array<double, narrow> own{};
    body(begin, end, own.data());
    std::copy_n(own.data(), width, sums);
  });
  total.assign(static_cast<std::size_t>(width), 0.0);
  for (std::int64_t i = 0; i < blocks * width; ++i)
    total[static_cast<std::size_t>(i % width)] += partial[static_cast<std::size_t>(i)];
}

// How far an iteration is from `first` to 1, where `now` ≤ first are worst_ratio values.
inline double progress_fraction(double first, double now) {
  if (!(first > 1.0) || !(now > 0.0)) return 1.0;
  return std::clamp(1.0 - std::log(now) / std::log(first), 0.0, 1.0);
}

}  // namespace gssl::solve
