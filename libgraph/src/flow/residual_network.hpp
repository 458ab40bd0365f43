#pragma once
// The flow on a graph and what is left of its capacities.
//
// Entry e of the neighbor array is the arc from its row to head[e]; mirror[e] is the way back. The
// flow is antisymmetric to the last bit, flow[mirror[e]] = −flow[e], and |flow[e]| ≤ capacity(e),
// so capacity − flow is left along e and capacity + flow against it: both are read in the row of e.
//
// The terminals are one number a vertex: surplus > 0 waits to go to demand < 0. What may go from
// the source through v to the sink directly has gone (direct). A largest flow has no path with
// capacity left from surplus to demand.

#include <cstdint>
#include <span>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl::detail {

using Arc = std::uint32_t;
inline constexpr Arc no_arc = 0xffffffffU;

// What is left of equal capacities after other sums of them have been taken off is rounding, and
// must not decide between cuts that are equal.
inline constexpr double rounding = 0x1p-46;

struct ResidualNetwork {
  const Graph* graph = nullptr;
  const EdgeIndex* offsets = nullptr;
  const VertexId* head = nullptr;
  const double* weights = nullptr;  // null: all 1
  std::vector<double> own_weights;  // where a capacity differs from its weight
  std::vector<Arc> mirror;
  std::vector<double> flow;
  std::vector<double> terminal;  // source − sink of each vertex
  std::vector<double> surplus;   // terminal − what has left over the edges
  double direct = 0.0;           // Σ min(source, sink)
  double capacity_sum = 0.0;     // of all arcs

  explicit ResidualNetwork(const Graph& graph);
  // No flow and no terminals.
  void clear();
  // The flow on e is cut down to the new capacity.
  void set_capacity(Arc e, double value);

  VertexId vertex_count() const { return graph->vertex_count(); }
  Arc row_begin(VertexId v) const { return static_cast<Arc>(offsets[v]); }
  Arc row_end(VertexId v) const { return static_cast<Arc>(offsets[v + 1]); }
  double capacity(Arc e) const { return weights == nullptr ? 1.0 : weights[e]; }

  // Along e; `sign` −1: against it.
  double left(Arc e, double sign = 1.0) const { return capacity(e) - sign * flow[e]; }
  bool has_left(Arc e, double sign = 1.0) const { return sign * flow[e] < capacity(e); }

  // Sends `amount` ≤ left(e) along e; all of it saturates e exactly. True if e is now saturated.
  bool push(Arc e, double amount) {
    const double cap = capacity(e);
    const bool full = amount == cap - flow[e];
    flow[e] = full ? cap : flow[e] + amount;
    flow[mirror[e]] = -flow[e];
    return full || flow[e] == cap;
  }
};

// Both start from the flow that is there and make it largest, or throw as the next does, with
// a valid flow in place. The first gives up, with a valid flow, and returns false once it has
// looked at more than `budget` arcs and vertices.
bool run_incremental_search(ResidualNetwork& network, std::int64_t budget, const RunContext& run);
void run_push_relabel(ResidualNetwork& network, const RunContext& run);

// Throws ErrorCode::cancelled or ErrorCode::time_limit if the run is to stop.
void check_flow_may_go_on(const RunContext& run);

}  // namespace gssl::detail
