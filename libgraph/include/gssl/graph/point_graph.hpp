#pragma once
// Points in, weighted graph out: the union of the graphs asked for, then weights.
//
//   gssl::PointGraph g = gssl::point_graph(points, {.knn = 10, .spanning_tree = true});
//   g.graph;  g.weights.scale;
//
// In this order: the k nearest neighbors (knn_graph.hpp), the ε-ball (epsilon_graph.hpp), the
// minimum spanning tree (metric_spanning_tree.hpp); of their union, where a root is given, only the
// tree of shortest paths from it; then weights (edge_weights.hpp). Where two have an edge, its
// distance is that of the first. Costs are those of the parts; the union costs O(n + m).

#include <cstdint>
#include <optional>
#include <vector>

#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/epsilon_graph.hpp"
#include "gssl/graph/graph.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/graph/metric_spanning_tree.hpp"

namespace gssl {

struct PointGraphOptions {
  int knn = 0;                 // neighbors of each point; 0: none
  bool mutual = false;         // of those only where each is among the k nearest of the other
  double epsilon = -1.0;       // radius of the ball, ≥ 0; negative: none
  bool spanning_tree = false;  // the minimum spanning tree of all points
  VertexId root = no_vertex;   // keep only the shortest-path tree from this point
  KnnOptions search = {};      // metric, method and recall
  std::int64_t max_edges = 0;  // of the ball, as in EpsilonOptions
  EdgeWeightOptions weights = {};

  // Throws ErrorCode::usage: option, value, rule; also where nothing says how points are joined.
  void validate() const;
};

struct PointGraph {
  Graph graph;
  EdgeWeightReport weights;
  std::vector<double> local_scale;  // s_v of self-tuning weights, else empty
  // Of the parts that were asked for.
  std::optional<KnnReport> knn;
  std::optional<EpsilonReport> epsilon;
  std::optional<MetricTreeReport> spanning_tree;
};

// Throws as validate() and the parts do, and ErrorCode::bad_data where the root is no point.
PointGraph point_graph(const Points& points, const PointGraphOptions& options,
                       const RunContext& run = {});

}  // namespace gssl
