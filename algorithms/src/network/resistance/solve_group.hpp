#pragma once
// How many right-hand sides to solve side by side, and how, in the memory that there is. Internal:
// not installed.

#include <cstdint>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/solve/solver_memory.hpp"

namespace gssl::detail {

// Right-hand side, solution and residual of one column, in bytes a vertex.
inline constexpr double block_column = 24.0;

// What a solve of `width` columns holds in all, where nothing is saved.
double group_bytes(const NetworkSize& size, std::int64_t width);

struct SolveGroup {
  std::int64_t width = 16;  // columns
  SolverOptions options;    // what the solver is to be made with
  RunContext run;           // and within: its memory is what the caller's blocks leave
};

// The widest group of 16, 8, 4, 2 or one columns that fits; where none does, of a solver that
// prepares less. The caller holds `bytes`, and block_column bytes of each vertex for each column.
// Throws MemoryError where not even one column of plain conjugate gradients fits.
SolveGroup fitting_group(const Graph& graph, const SolverOptions& options, double bytes,
                         const RunContext& run);

}  // namespace gssl::detail
