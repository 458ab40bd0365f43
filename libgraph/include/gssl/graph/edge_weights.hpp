#pragma once
// From distances to weights: near points are strongly tied.
//
//   unit         1
//   gaussian     exp(−c d²)            default c = 1 / mean of s²
//   exponential  exp(−c d)             default c = 1 / mean of s
//   inverse      c / d                 default c = 1
//   self_tuning  exp(−c d² / (s_u s_v))  default c = 1
//
// s_v is the local scale of vertex v: the distance to its k-th neighbor where there is one (Zelnik-
// Manor and Perona 2004, "Self-Tuning Spectral Clustering"). A graph that has none, such as the
// ε-ball graph, takes the mean over its edges of d² or d for the default scale, and for self_tuning
// the largest distance in row v. A mean of 0 (only duplicates) gives c = 1.
//
// No edge is lost. A weight too small for a normal double becomes the smallest one (2.2e−308), one
// too large becomes its inverse; a distance of 0 under inverse counts as the smallest positive
// distance of the graph, and a local scale of 0 as the smallest positive one (1 if there is none).
// All of that is counted in the report.
//
//   gssl::WeightedGraph g = gssl::weigh(std::move(distances), {.kind =
//   gssl::WeightKind::gaussian}); g.graph;  g.report.scale;
//
// O(n + m) time, no memory beyond the graph.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/named.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

// Rows as in Graph, with distances, which may be 0 where weights may not.
struct DistanceGraph {
  std::vector<EdgeIndex> offsets = {0};
  std::vector<VertexId> neighbors;
  std::vector<double> distances;    // of neighbors; the same both ways
  std::vector<double> local_scale;  // s_v, or empty

  VertexId vertex_count() const { return static_cast<VertexId>(offsets.size() - 1); }
  EdgeIndex edge_count() const { return static_cast<EdgeIndex>(neighbors.size() / 2); }
};

enum class WeightKind { unit, gaussian, exponential, inverse, self_tuning };
template <>
inline constexpr auto names_of<WeightKind> = enum_names<WeightKind>(
    "weights", {"unit", "gaussian", "exponential", "inverse", "self-tuning"});

// "unit", …, "self-tuning".
std::string_view to_string(WeightKind kind);
WeightKind weight_kind_named(std::string_view name);  // throws ErrorCode::usage, listing the names

struct EdgeWeightOptions {
  WeightKind kind = WeightKind::gaussian;
  double scale = 0.0;  // c > 0, finite; 0: by the default rule

  void validate() const;  // throws ErrorCode::usage
};

struct EdgeWeightReport {
  WeightKind kind = WeightKind::unit;
  double scale = 1.0;  // c
  std::string rule;    // where c came from, e.g. "1 / mean squared distance to neighbor 10"
  std::int64_t underflowed = 0;     // edges raised to the smallest normal double
  std::int64_t overflowed = 0;      // edges lowered to its inverse
  std::int64_t zero_distances = 0;  // edges between equal points
  std::int64_t zero_scales = 0;     // self_tuning: vertices whose local scale was 0
};

struct WeightedGraph {
  Graph graph;
  EdgeWeightReport report;
};

// Throws as validate() and as the constructor of Graph.
WeightedGraph weigh(DistanceGraph distances, const EdgeWeightOptions& options = {});

}  // namespace gssl
