#pragma once
// The bandwidth of Parzen windows, chosen from the rows. Internal: not installed.

#include "batch/parzen/windowed_rows.hpp"
#include "gssl/batch/parzen.hpp"

namespace gssl::detail {

// As gssl/batch/parzen.hpp says; 1 (√12 for a box) where all rows of every class are equal.
double chosen_bandwidth(const WindowedRows& rows, ParzenWindow window, const RunContext& run);

}  // namespace gssl::detail
