#pragma once
// The least norm of a labeling that agrees with given values, where ‖u‖² = uᵀLu + ū²/b and the mean
// ū is the same in every component: that of the kernel L⁺ + b. Internal: not installed.

#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

// ‖u‖² for each column of `values` (a row for each labeled vertex); infinite where no such labeling
// is: with b = 0 the mean must be 0, and components that are labeled throughout fix their mean.
//
// With h the harmonic extension in a component of n_c vertices and x_F = (L_FF)⁻¹1, moving the mean
// to μ costs (n_c μ − Σh)²/Σx, so that
//   ‖u‖² = E(h) + min_μ Σ_c (n_c²/Σx_c)(μ − h̄_c)² + μ²/b.
// Two solves of the free part. Throws as make_dirichlet_problem().
std::vector<double> least_norms(const Graph& graph, const std::vector<VertexId>& labeled,
                                const Block& values, double b, const RunContext& run);

}  // namespace gssl::detail
