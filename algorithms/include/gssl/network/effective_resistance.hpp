#pragma once
// Effective resistance: the graph as an electrical network, each edge a wire of conductance w.
//
//   r(u, v) = (e_u − e_v)ᵀ L⁺ (e_u − e_v) = L⁺_uu + L⁺_vv − 2 L⁺_uv
//
// is the voltage between u and v when a unit current flows from one to the other. It is a metric;
// 0 for u = v, infinite between components (Klein and Randić 1993, doi:10.1007/BF01164627). Over
// the edges of a graph of n vertices and c components Σ w·r = n − c (Foster 1949), which every
// answer that has all edges is checked against.
//
//   gssl::ResistanceAnswer all = gssl::edge_resistances(graph, {}, run);
//   all.values[0];                       // of the first edge (u, v), u < v
//   gssl::pair_resistances(graph, {{0, 33}}, {}, run).values[0];
//
// Methods (ResistanceMethod):
//   factor  exact: the network is factored once (gssl/factor/network_factor.hpp), which gives all
//           edges and all distances to one vertex in three times the work of the factor
//   solves  one linear solve for each pair, or for each end where that is fewer, with a bound of
//   the
//           error that is proven from what the solution left over
//   sketch  random projections, when epsilon > 0: with probability 1 − failure_probability all
//   values
//           are within a factor 1 ± epsilon at once
// `automatic` counts the entries of the factor first and says what it chose and why.
//
// Every function throws ErrorCode::usage on bad options, ErrorCode::bad_data on a vertex that is
// not in the graph, ErrorCode::out_of_memory when an exact answer needs more memory than
// `most_bytes` (the message names the amount). A run that was stopped gives the outcome and empty
// values. Same bytes at any thread count.

#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

enum class ResistanceMethod { automatic, factor, solves, sketch };
template <>
inline constexpr auto names_of<ResistanceMethod> =
    enum_names<ResistanceMethod>("resistance method", {"automatic", "factor", "solves", "sketch"});

std::string_view to_string(ResistanceMethod method);  // "automatic", "factor", …
// Throws ErrorCode::usage listing the names.
ResistanceMethod parse_resistance_method(std::string_view name);

struct ResistanceOptions {
  ResistanceMethod method = ResistanceMethod::automatic;
  double epsilon = 0.0;               // relative error that a sketch may have; 0: exact; [0, 1)
  double failure_probability = 0.01;  // of any value of a sketch being further off; (0, 1)
  double tolerance = 1e-10;  // of the solves: ‖b−Lx‖₂ ≤ tolerance·‖b‖₂; (0, 1)
  double most_bytes = 0.0;   // for a factor; 0: half of the machine's memory; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

struct ResistanceAnswer {
  std::vector<double> values;
  // |value − r| ≤ error_bound, one for each value; empty where rounding is the only error.
  std::vector<double> error_bound;
  // solver.used says which method ran. Certificates: "foster_sum" and "foster_expected" where all
  // edges are known; "backward_error" of a factor, the largest |b − Lx|_v / (|L||x| + |b|)_v of a
  // random right-hand side; "error_bound" of solves, the largest; "relative_error_bound" of a
  // sketch.
  Report report;
};

// The edges (u, v), u < v, in the order that edge_resistances() has them.
std::vector<VertexPair> edge_pairs(const Graph& graph);

// One value for each pair.
ResistanceAnswer pair_resistances(const Graph& graph, const std::vector<VertexPair>& pairs,
                                  const ResistanceOptions& options = {},
                                  const RunContext& run = {});

// One value for each edge, ordered by (u, v), u < v.
ResistanceAnswer edge_resistances(const Graph& graph, const ResistanceOptions& options = {},
                                  const RunContext& run = {});

// r(source, v) for each vertex v.
ResistanceAnswer resistances_from(const Graph& graph, VertexId source,
                                  const ResistanceOptions& options = {},
                                  const RunContext& run = {});

// L⁺_vv for each vertex: 0 for an isolated one. From the distances r(v, ρ) to the root ρ of the
// component, G the inverse of its Laplacian with ρ held at 0 and s = G·1:
// L⁺_vv = r(v, ρ) − (2/n)·s_v + 1ᵀs/n².
ResistanceAnswer pseudoinverse_diagonal(const Graph& graph, const ResistanceOptions& options = {},
                                        const RunContext& run = {});

// Σ r(u, v) over the pairs u < v of each component (its Kirchhoff index), by component as
// connected_components() numbers them. The sum over the whole graph is infinite if it has more than
// one.
ResistanceAnswer total_resistances(const Graph& graph, const ResistanceOptions& options = {},
                                   const RunContext& run = {});

// w·r of each edge: the probability that the edge is in a random spanning forest drawn with
// probability proportional to the product of its weights. In (0, 1]; 1 for a bridge.
std::vector<double> spanning_edge_centrality(const Graph& graph,
                                             const std::vector<double>& edge_resistance);

}  // namespace gssl
