#pragma once
// The source term and the potentials of Poisson learning, shared by `poisson` and `poisson-mbo`.
// Internal: not installed.

#include <string_view>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "label_groups.hpp"

namespace gssl::detail {

// n×K: row j holds y_j − ȳ at the labels, ȳ of the group; 0 elsewhere.
Block poisson_source(const LabelGroups& groups, const LabeledSet& labeled, VertexId vertex_count);

// The rows of the labels alone.
Block poisson_currents(const LabelGroups& groups, const LabeledSet& labeled);

// Of all columns but the last, which makes rows sum to zero, potentials up to a constant in each
// group become U with Σ_v d_v U_v = 0.
Block centered_potentials(const LabelGroups& groups, const Block& x, int threads);

// U with L U = source and Σ_v d_v U_v = 0 in every group. Report: as detail::solve. `learner` begins
// the message where the run is stopped.
Block poisson_potentials(std::string_view learner, const Graph& graph, const LabelGroups& groups,
                         const LabeledSet& labeled, const SolverOptions& options,
                         const RunContext& run, Report& report);

}  // namespace gssl::detail
