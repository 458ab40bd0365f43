#pragma once
// Checks of exact resistances that do not trust how they were found. What fails turns the outcome
// into a breakdown. Internal: not installed.

#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/factor/network_factor.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/network/effective_resistance.hpp"

namespace gssl::detail {

// Solves for a random right-hand side: certificate "backward_error".
void certify_factor(const Graph& graph, const Components& components, const NetworkFactor& factor,
                    const RunContext& run, Report& report);

// Σ w·r over all edges is n − c: certificates "foster_sum" and "foster_expected".
void certify_foster(const Graph& graph, const Components& components,
                    const std::vector<double>& edge, Report& report);
// The same without judgement, for values that are estimates.
void report_foster(const Graph& graph, const Components& components,
                   const std::vector<double>& edge, Report& report);

}  // namespace gssl::detail
