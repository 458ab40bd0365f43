#include "column_scale.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <string>

#include "gssl/core/error.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl::solve {
namespace {

constexpr int largest_exponent = 1000;

[[noreturn]] void refuse_non_finite(const Block& b) {
  const auto bad = std::ranges::find_if_not(b.values(), [](double d) { return std::isfinite(d); });
  const std::int64_t place = bad - b.values().begin();
  throw Error(ErrorCode::bad_data, "right-hand side, row " + std::to_string(place / b.columns()) +
                                       ", column " + std::to_string(place % b.columns()) +
                                       ": must be finite");
}

}  // namespace

std::vector<int> column_exponents(const Block& b, int threads) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto c = static_cast<std::size_t>(b.columns());
  std::vector<double> largest(c, 0.0);
  std::mutex merging;
  parallel_blocks(b.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    std::vector<double> own(c, 0.0);
    for (std::int64_t v = begin; v < end; ++v) {
      const double* row = b.data() + v * b.columns();
      for (std::size_t j = 0; j < c; ++j) {
        const double size = std::abs(row[j]);
        if (!(size <= own[j])) own[j] = std::isnan(size) ? infinity : size;
      }
    }
    const std::lock_guard lock(merging);
    for (std::size_t j = 0; j < c; ++j) largest[j] = std::max(largest[j], own[j]);
  });
  std::vector<int> exponent(c, 0);
  for (std::size_t j = 0; j < c; ++j) {
    if (largest[j] == infinity) refuse_non_finite(b);
    if (largest[j] > 0.0) std::frexp(largest[j], &exponent[j]);
    exponent[j] = std::clamp(exponent[j], -largest_exponent, largest_exponent);
  }
  return exponent;
}

Block scaled(Block b, const std::vector<int>& exponent, int sign, int threads) {
  std::vector<double> power;
  power.reserve(exponent.size());
  for (const int e : exponent) power.push_back(std::ldexp(1.0, sign * e));
  parallel_blocks(b.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t r = begin; r < end; ++r) {
      double* row = b.data() + r * b.columns();
      for (std::size_t j = 0; j < power.size(); ++j) row[j] *= power[j];
    }
  });
  return b;
}

}  // namespace gssl::solve
