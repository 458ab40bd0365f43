#pragma once
// Maximum flow and minimum cut between two terminals on a graph, without touching the graph.
//
// Vertex v is joined to the source by a capacity source[v] and to the sink by sink[v], both in
// [0, ∞]; ∞ puts v on that side for good (a hard label). A cut is a set S of vertices, the source
// side, and costs
//   cut(S) = Σ_{u∈S, v∉S} w_uv + Σ_{v∈S} sink[v] + Σ_{v∉S} source[v].
// The largest flow equals the smallest cut; both are computed apart from each other, so that their
// difference, which is rounding, proves the answer.
//
//   gssl::MaxFlow problem(graph, source, sink);
//   gssl::MaxFlowReport found = problem.solve(run);      // found.flow, found.cut
//   auto side = problem.source_side(gssl::CutSide::smallest_source);
//
// Several cuts may be smallest. They form a lattice between the smallest source side and the
// largest one; where these two differ, the problem does not say where a vertex belongs.
//
// Capacities are doubles. An arc is saturated exactly and a vertex is emptied exactly, so the
// number of steps depends on the graph alone and never on the capacities: every run ends. What
// rounding does to the flow shows in |flow − cut|.
//
// Methods. incremental_search grows a breadth-first tree from all surplus and one from all demand,
// and repairs both after every push instead of searching again: O(n²m), fast when flows are short.
// push_relabel moves surplus downhill to the nearest demand, highest first, with global relabeling
// and gaps: O(n²√m), fast when the terminals are far apart or hubs make repairs dear. Each can go
// on from the other's flow: `automatic` starts the search and hands over when it has looked at all
// arcs and vertices a few times over, or, off meshes, at once where less than one vertex in 5,000
// has a terminal. Memory beside the graph: 24 bytes an edge and 26 to 34 a
// vertex. One thread; the bytes of the answer do not depend on anything but the input and the
// method.
//
// Goldberg, Hed, Kaplan, Tarjan, Werneck 2011, doi:10.1007/978-3-642-23719-5_39; with Kohli 2015,
// doi:10.1007/978-3-662-48350-3_52; Cherkassky, Goldberg 1997, doi:10.1007/PL00009180; the lattice:
// Picard, Queyranne 1980, doi:10.1007/BFb0120902.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

enum class FlowMethod { automatic, incremental_search, push_relabel };
template <>
inline constexpr auto names_of<FlowMethod> =
    enum_names<FlowMethod>("flow method", {"automatic", "incremental-search", "push-relabel"});

// "automatic", "incremental-search", "push-relabel"
std::string_view to_string(FlowMethod method);
FlowMethod parse_flow_method(std::string_view name);  // throws ErrorCode::usage

struct MaxFlowOptions {
  FlowMethod method = FlowMethod::automatic;
};

struct MaxFlowReport {
  double flow = 0.0;  // what reaches the sink, recomputed from the flow on every edge
  double cut = 0.0;   // cost of the smallest source side, recomputed from the capacities
  FlowMethod used = FlowMethod::automatic;
  std::string sentence;  // one line for a person: what was chosen and why
};

enum class CutSide { smallest_source, largest_source };

namespace detail {
struct ResidualNetwork;
}

// The graph must outlive it and not change.
class MaxFlow {
 public:
  // `source` and `sink` have an entry for each vertex. Throws ErrorCode::bad_data on a length that
  // differs, a capacity that is negative or NaN, a vertex that is infinite to both terminals,
  // finite capacities whose sum overflows, or more than 2³² − 3 entries in graph.neighbor_array().
  MaxFlow(const Graph& graph, std::span<const double> source, std::span<const double> sink,
          MaxFlowOptions options = {});
  MaxFlow(Graph&&, std::span<const double>, std::span<const double>, MaxFlowOptions = {}) = delete;
  // Other capacities at the terminals, and no flow: as a new MaxFlow, for less, since what the
  // graph alone decides is kept, and the capacities of edges too. Throws as the constructor does,
  // and then wants another reset().
  void reset(std::span<const double> source, std::span<const double> sink);
  // Another capacity ≥ 0, finite, of entry e of graph.neighbor_array() and of the same edge in the
  // other row; what flows there is cut down to it. The first call takes 8 bytes for each entry.
  // Throws ErrorCode::bad_data on anything else, or where the sum overflows.
  void set_capacity(EdgeIndex e, double value);
  ~MaxFlow();
  MaxFlow(MaxFlow&&) noexcept;
  MaxFlow& operator=(MaxFlow&&) noexcept;

  // Starts from the flow that is there, so that a second call after add() costs only what is new.
  // Throws ErrorCode::cancelled or ErrorCode::time_limit when it is stopped: a flow that is not
  // largest proves nothing.
  MaxFlowReport solve(const RunContext& run = {});

  // Raises the capacities of v by `source` and `sink` ≥ 0, to ∞ for a label that became known.
  // Throws as the constructor does.
  void add(VertexId v, double source, double sink);

  // 1 for every vertex of the source side, 0 elsewhere, by the last solve(), which has found the
  // smallest; the largest takes O(n + m) and sees capacities that were set since. Throws
  // ErrorCode::usage unless solve() has ended since the last reset() or add().
  std::vector<unsigned char> source_side(CutSide which) const;

  // Cost of any source side, from the capacities alone. O(n + m). Throws ErrorCode::usage unless
  // `side` has an entry for each vertex.
  double cut_value(std::span<const unsigned char> side, int threads = 1) const;

  // Bytes held beside the graph between calls.
  std::size_t memory_bytes() const;

 private:
  void certify(MaxFlowReport& report, const RunContext& run);
  void find_lost_digits(MaxFlowReport& report, const RunContext& run);

  MaxFlowOptions options_;
  std::unique_ptr<detail::ResidualNetwork> network_;
  std::vector<unsigned char> smallest_;  // source side, by solve()
  bool solved_ = false;                  // the flow is largest
};

}  // namespace gssl
