#pragma once
// The memory that solving A X = B takes, from sizes alone: what a caller needs to decide how many
// columns to solve at once, and whether to begin.
//
//   const SolverMemory need = solver_memory(graph, SolverKind::automatic);
//   const double most = need.bytes(10).high;     // 10 columns at once
//
// Bytes beside the system and the right-hand side. The low bound is arrays that no method does
// without; the high one 1.2 times these, the largest temporary one and what the dearest method that
// the kind may take prepares. An exact factor is not in it: its size is not known before it is
// ordered, and `automatic` makes one only where it fits (RunContext::memory_limit). Calibrated by
// tests/bench/bench_memory.

#include <cstddef>
#include <cstdint>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl {

// All that the model looks at. A Graph is one, in O(n).
struct NetworkSize {
  double rows = 0.0;
  double edges = 0.0;
  bool unit_weights = true;
  bool hubs = false;        // few vertices hold most edges, as on a social network
  double kept_rows = 0.0;   // about how many vertices exact elimination leaves
  double kept_edges = 0.0;  // and edges between them

  // Nothing is eliminated, and no vertex is a hub.
  NetworkSize(double row_count, double edge_count, bool unit);
  NetworkSize(const Graph& graph);  // NOLINT(google-explicit-constructor): sizes are all of it
};

// Bytes between two bounds.
struct MemoryRange {
  double low = 0.0;
  double high = 0.0;

  friend MemoryRange operator+(MemoryRange a, const MemoryRange& b) {
    return {a.low + b.low, a.high + b.high};
  }
  friend MemoryRange operator*(double times, const MemoryRange& a) {
    return {times * a.low, times * a.high};
  }
};

struct SolverMemory {
  double setup = 0.0;    // at most, while it is prepared and no column is there
  MemoryRange prepared;  // from then on
  MemoryRange column;    // for each right-hand side solved at the same time

  MemoryRange bytes(double columns) const;
};

// `eliminate`: as in SolverOptions.
SolverMemory solver_memory(const NetworkSize& size, SolverKind kind, bool eliminate = true);

// Bytes of the graph's own arrays, and of a grounded Laplacian made of a copy of it.
double graph_bytes(const NetworkSize& size);
double system_bytes(const NetworkSize& size);

// A multigrid, and an approximate factor, of what elimination leaves.
double multigrid_bytes(const NetworkSize& size);
double approximate_factor_bytes(const NetworkSize& size);

// Ordering the whole system for the factor that proves an answer where rounding keeps its residual
// up; 0 where the system is too large for one. Made only where it fits beside all of the above.
double proving_bytes(const NetworkSize& size);

// Whether `bytes` may be taken.
inline bool fits(const RunContext& run, double bytes) {
  return run.memory_limit == 0 || bytes <= static_cast<double>(run.memory_limit);
}

// The same run with `bytes` of its memory taken.
RunContext with_taken(const RunContext& run, double bytes);

}  // namespace gssl
