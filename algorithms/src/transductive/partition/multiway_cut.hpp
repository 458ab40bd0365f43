#pragma once
// The cheapest labeling of a graph whose vertices are tied to K classes by capacities:
//   cost(x) = Σ w_uv [x_u ≠ x_v] + Σ_v Σ_{k ≠ x_v} ties(v, k).
// A tie of ∞ is a hard label. Internal: not installed.

#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/flow/max_flow.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

struct MultiwayOptions {
  bool expand = true;
  MaxFlowOptions flow;
};

struct MultiwayCut {
  Block shares;  // row v: even over the classes v may have at this cost
  double cut = 0.0;
  double lower_bound = 0.0;                 // K = 2: the flow
  double isolating_cut = 0.0;               // K > 2: cost before expansion
  std::int64_t undecided = 0;               // K > 2: vertices in no smallest isolating side
  std::int64_t flows = 0;                   // maximum flows solved
  FlowMethod used = FlowMethod::automatic;  // by the last of them
  Outcome outcome = Outcome::converged;
};

// `ties` has a column for each of K ≥ 2 classes. Two classes exactly, more by isolating cuts and
// expansion. Throws ErrorCode::cancelled or ErrorCode::time_limit when stopped before there is a
// labeling.
MultiwayCut multiway_cut(const Graph& graph, const Block& ties, const MultiwayOptions& options,
                         const RunContext& run);

}  // namespace gssl::detail
