#pragma once
// The two steps on one supernode's dense block: removing its vertices, and going back.
//
// A block has `side` rows, its own `columns` first, by columns of `stride` (a multiple of 8) values
// whose padding is zero.

#include <cstdint>

#include "gssl/core/run_context.hpp"

namespace gssl::solve {

struct BlockShape {
  std::int64_t columns;
  std::int64_t side;
  std::int64_t stride;
};

// `front` holds conductances below its diagonal: on return, those that are left between the rows
// below the own columns. `panel` (stride × columns, zero) gets p and `resistance` 1/d, one for each
// own column; 0 for a column with no rows below, a root. Returns early, with nothing of use, once
// the run is to stop.
void eliminate_block(const BlockShape& shape, double* front, double* panel, double* resistance,
                     int threads, const RunContext& run);

// `r` (stride × side, symmetric, zero on the diagonal) holds resistances between the rows below; on
// return between all rows. offset[c] becomes 1/d − ½ Σ pᵢ pⱼ r(i, j) of own column c. Returns early
// as above.
void extend_resistances(const BlockShape& shape, const double* panel, const double* resistance,
                        double* r, double* offset, int threads, const RunContext& run);

}  // namespace gssl::solve
