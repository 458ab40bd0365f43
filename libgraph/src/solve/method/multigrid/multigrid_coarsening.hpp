#pragma once
// The next system of a multigrid hierarchy, PᵀAP, and the way P between the two. Rows are made in
// parallel, each in an order of its own additions.

#include <optional>
#include <span>

#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "multigrid_aggregation.hpp"

namespace gssl::solve {

struct Coarsening {
  FloatRows interpolation;  // P by rows
  FloatRows restriction;    // Pᵀ by rows
  MultigridMatrix coarse;   // PᵀAP
};

// The finest system; shares the arrays of the graph.
MultigridMatrix finest_matrix(const GroundedLaplacian& system);

// P = T, constant on each aggregate. Of a run that is stopped, anything: so the next one.
Coarsening constant_coarsening(const MultigridMatrix& a, const Aggregates& aggregates, int threads,
                               const RunContext& run);

// P = (I − 0.9 diag(step) A) T. Couplings below a hundredth of both diagonal entries are lumped into
// the diagonal. Nothing if it could take more than `most_work` additions.
std::optional<Coarsening> smoothed_coarsening(const MultigridMatrix& a, Aggregates aggregates,
                                              std::span<const double> step, double most_work,
                                              int threads, const RunContext& run);

}  // namespace gssl::solve
