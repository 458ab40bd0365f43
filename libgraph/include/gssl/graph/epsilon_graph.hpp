#pragma once
// The ε-ball graph: i and j are joined if their distance is at most ε. Exact, by the same tree,
// products and inverted columns as knn_lists.hpp, and by the same definition of distance.
//
// Half of all pairs come sooner than one thinks. So the balls of some 1000 points are counted
// first, and if by them there are more edges than allowed (by three standard errors), the call
// throws with the number. Where the sample did not tell, no more than what is allowed is stored,
// the rest is counted, and the call throws likewise.
//
//   gssl::EpsilonGraph g = gssl::epsilon_graph(points, 0.1);
//   g.graph;  g.report.sentence;
//
// Points without a neighbor in reach are vertices without edges; ε = 0 joins equal points. Memory:
// 24 bytes per edge, and until they are placed a bit for each of their ends (a word where neighbors
// are few), or 24 bytes again if the points are sparse; plus the reordered points.

#include <cstdint>
#include <string>

#include "gssl/core/run_context.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/metric.hpp"

namespace gssl {

struct EpsilonOptions {
  Metric metric = Metric::euclidean;
  std::int64_t max_edges = 0;  // 0: as many as three quarters of the machine's memory hold
  EdgeWeightOptions weights = {};

  void validate() const;  // throws ErrorCode::usage
};

struct EpsilonReport {
  std::int64_t edges = 0;
  std::int64_t memory_bytes = 0;  // at the peak, for the edges
  std::int64_t isolated = 0;      // vertices without an edge
  std::string sentence;
};

struct EpsilonGraph {
  Graph graph;
  EpsilonReport report;
  EdgeWeightReport weights;
};

// Throws ErrorCode::usage if epsilon is negative or not finite or max_edges < 0; out_of_memory when
// there are too many edges (message: the number and the bytes they need); bad_data where the metric
// is not defined; cancelled when the run is to stop.
EpsilonGraph epsilon_graph(const Points& points, double epsilon, const EpsilonOptions& options = {},
                           const RunContext& run = {});

// The same, before distances become weights.
DistanceGraph epsilon_distances(const Points& points, double epsilon,
                                const EpsilonOptions& options = {}, const RunContext& run = {},
                                EpsilonReport* report = nullptr);

}  // namespace gssl
