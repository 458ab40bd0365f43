#pragma once
// The minimum spanning tree of the complete graph of points, an edge as long as its ends are far
// apart: the Euclidean minimum spanning tree, and the same of the other metrics. Exact.
//
// O. Borůvka 1926: every component takes its shortest edge to another, until there is one. Lists of
// the k nearest neighbors give that edge where it is proved to be the shortest: any point that a
// list does not hold is at least as far as its last one. Where that is not enough, walks over a k-d
// tree, 32 points at a time, find the shortest edges out of the components of fewest points; for
// sparse points k is doubled.
//
//   gssl::DistanceGraph tree = gssl::metric_spanning_tree(points);
//   gssl::WeightedGraph graph = gssl::weigh(std::move(tree), {.kind = gssl::WeightKind::unit});
//
// n − 1 edges for n > 0 points. Edges compare by (distance, smaller end, larger end), so there is
// one answer, that of Kruskal's method. O(log n) rounds; each searches at worst for half of the
// points, of which each is compared in floats with all others where distances concentrate (many
// columns). Memory beyond the points: 60n bytes of lists, 4nd of the tree and as much again while
// it is made, 60n.

#include <cstdint>
#include <string>

#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/knn_lists.hpp"

namespace gssl {

struct MetricTreeReport {
  double length = 0.0;  // of all edges together
  int k = 0;            // of the lists
  std::string sentence;
  // Of Borůvka's method; threads may save one another work, so these can differ from run to run.
  int rounds = 0;
  std::int64_t searches = 0;   // for the nearest point of another component
  std::int64_t distances = 0;  // computed in them
};

// `lists`, if given, must be those of the same points and metric, and exact (else
// ErrorCode::usage); without, 5 neighbors are found, exactly whatever options.recall. Throws as
// knn_lists. Without local scales.
DistanceGraph metric_spanning_tree(const Points& points, const KnnOptions& options = {},
                                   const RunContext& run = {}, MetricTreeReport* report = nullptr,
                                   const KnnLists* lists = nullptr);

}  // namespace gssl
