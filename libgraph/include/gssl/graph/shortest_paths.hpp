#pragma once
// Shortest paths from one or several vertices, and the tree of those from one.
// E. W. Dijkstra 1959, doi:10.1007/BF01386390.
//
//   gssl::ShortestPaths paths = gssl::shortest_paths(graph, {{0, 33}}, gssl::EdgeLength::inverse);
//   paths.distance[v];  paths.source[v];  paths.parent[v];
//   gssl::Graph tree = gssl::shortest_path_tree(graph, 0, gssl::EdgeLength::inverse);
//
// Ties have one answer: the lowest source, and of equal ways to it the parent with the lowest id
// among those that are final first. O(m log n) time, O(n + m) memory. All throw ErrorCode::usage on
// a source out of range and ErrorCode::cancelled or ErrorCode::time_limit when the run is to stop.

#include <span>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

// Length of an edge of weight w: 1/w, 1 or w, at most 1e290, so that a path over 2^31 vertices is
// finite.
enum class EdgeLength { inverse, unit, weight };
template <>
inline constexpr auto names_of<EdgeLength> = enum_names<EdgeLength>("length",
                                                                    {"inverse", "unit", "weight"});
double edge_length(double weight, EdgeLength length);

struct ShortestPaths {
  std::vector<double> distance;  // infinity where no source is reached
  std::vector<VertexId> source;  // the nearest one, the lowest on a tie; no_vertex likewise
  std::vector<VertexId> parent;  // the vertex before it on the way; no_vertex also at a source
};

ShortestPaths shortest_paths(const Graph& graph, std::span<const VertexId> sources,
                             EdgeLength length, const RunContext& run = {});

// The edges from each vertex to its parent, as they are in the graph. Vertices that the root does
// not reach have none.
Graph shortest_path_tree(const Graph& graph, VertexId root, EdgeLength length,
                         const RunContext& run = {});
// The same with the distances of edges as their lengths. Keeps the local scale.
DistanceGraph shortest_path_tree(const DistanceGraph& graph, VertexId root,
                                 const RunContext& run = {});

}  // namespace gssl
