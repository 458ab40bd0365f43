#pragma once
// The elimination behind approximate_cholesky.hpp, one vertex after the other.

#include <cstdint>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::solve {

// M = L D Lᵀ by columns in order of elimination: L has a unit diagonal and −value below it, D holds
// the pivots.
struct SampledFactor {
  std::vector<VertexId> order;      // column → row it eliminates
  std::vector<double> pivot;        // per column
  std::vector<std::int64_t> start;  // column → first entry; one more than columns
  std::vector<VertexId> row;        // per entry
  std::vector<float> value;         // per entry, > 0
};

SampledFactor eliminate_by_sampling(const GroundedLaplacian& system, Rng rng);

}  // namespace gssl::solve
