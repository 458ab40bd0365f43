#pragma once
// Least squares of least norm. A tall X̃ is first brought to a triangle by panels of rows, which
// leaves its singular values and right sides as they are; of a wide X̃ the transpose is. Then a
// complete orthogonal decomposition of the triangle, of min(n, d) rows, tells the rank: singular
// values below 2e-16·max(n, d) of the largest count as 0. 2nd·min(n, d) operations.

#include "batch/linear/square_solvers.hpp"

namespace gssl::detail {

// Of all v of the least ‖Ỹ − X̃v‖² + λ‖v‖², λ ≥ 0, that of the least norm. Sparse rows become dense
// a panel at a time if n ≥ d, and all together if n < d. Throws when the run is stopped.
SquareSolution minimum_norm(const Design& design, double lambda, const RunContext& run);

}  // namespace gssl::detail
