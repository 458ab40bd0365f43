#pragma once
// The elimination behind approximate_cholesky.hpp: one vertex after the other, and where the graph
// falls into ranges with short borders the others of each range first, all ranges at the same time.

#include <cstdint>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

// Columns in order of elimination.
struct SampledColumns {
  std::vector<VertexId> order;      // column → row it eliminates
  std::vector<double> pivot;        // per column
  std::vector<std::int64_t> start;  // column → first entry; one more than columns
  std::vector<VertexId> row;        // per entry
  std::vector<float> weight;        // per entry, > 0
};

// M = L D Lᵀ: L has a unit diagonal and −weight/pivot below it, D holds the pivots. A column's
// pivot is the sum of its weights, ground included, as they are stored: so L loses nothing of a
// constant vector, however weak the ground. In units in which the largest diagonal entry of the
// matrix is 1.
struct SampledFactor {
  std::vector<SampledColumns> within;  // of ranges of rows, with entries in these alone
  std::vector<VertexId> first;         // row of each range
  SampledColumns rest;                 // after all of those
  double unit = 1.0;                   // what 1 stands for
};

// Of a run that is stopped, a part of it.
SampledFactor eliminate_by_sampling(const GroundedLaplacian& system, std::uint64_t seed,
                                    int threads, const RunContext& run = {});

}  // namespace gssl::solve
