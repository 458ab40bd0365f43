#pragma once
// The most central vertex of a component without labels: that of least (L⁺)_vv, which leaves the
// least total variance when it alone is known. Internal: not installed.

#include <span>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/components.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/solve/linear_solver.hpp"

namespace gssl::detail {

// Up to this many vertices (L⁺)_vv is solved for exactly.
inline constexpr VertexId exact_limit = 4000;

inline constexpr double tie = 1e-9;  // relative: scores this near are equal

// The first vertex whose value is within a tie of the largest; no_vertex if there is none.
// `value(v)` is asked for all 0 ≤ v < n that `allowed(v)` lets through.
template <class Allowed, class Value>
VertexId first_best(VertexId n, Allowed&& allowed, Value&& value) {
  VertexId found = no_vertex;
  double best = 0.0;
  for (VertexId v = 0; v < n; ++v)
    if (allowed(v) && (found == no_vertex || value(v) > best)) best = value(found = v);
  for (VertexId v = 0; v < found; ++v)
    if (allowed(v) && value(v) >= best - tie * (best < 0.0 ? -best : best)) return v;
  return found;
}

// (L⁺)_vv for every vertex of the given components, 0 elsewhere. False when the run was stopped.
bool potential_diagonal(const Graph& graph, const Components& components,
                        std::span<const VertexId> chosen, const SolverOptions& options,
                        const RunContext& run, Report& report, std::vector<double>& diagonal);

}  // namespace gssl::detail
