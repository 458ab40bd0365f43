#pragma once
// Right-hand sides of any size, brought to about 1: a column times a power of two is exact, and
// nothing later can overflow or vanish.
//
//   const std::vector<int> exponent = column_exponents(b, threads);
//   Block near_one = scaled(b, exponent, -1, threads);

#include <vector>

#include "gssl/core/block.hpp"

namespace gssl::solve {

// The exponent of each column's largest value, within ±1000; 0 for a column of zeros. Throws
// ErrorCode::bad_data naming the place of a value that is not finite.
std::vector<int> column_exponents(const Block& b, int threads);

// Column j times 2^(sign·exponent[j]).
Block scaled(Block b, const std::vector<int>& exponent, int sign, int threads);

}  // namespace gssl::solve
