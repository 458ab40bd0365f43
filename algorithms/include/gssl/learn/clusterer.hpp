#pragma once
// The contract of a clusterer: a graph in, a partition of its vertices out.
//
//   auto made = gssl::builtin_learners().make("spectral:variant=ratio-cut");
//   gssl::Partition p = made.clusterer().cluster(graph, 12, run);
//   p.cluster_of[v] < p.count;
//
// Clusterers are in the registry of all learners (gssl/learn/registry.hpp);
// tests/algorithms/test_clusterer_contract.cpp holds every one to this.

#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

struct Partition {
  int count = 0;                // clusters, each with at least one vertex
  std::vector<int> cluster_of;  // of each vertex; numbered by their smallest vertex
  Report report;
};

class Clusterer {
 public:
  virtual ~Clusterer() = default;

  // Throws ErrorCode::usage unless 1 ≤ k ≤ the number of vertices. A stopped run says so in
  // report.outcome.
  virtual Partition cluster(const Graph& graph, int k, const RunContext& run = {}) const = 0;

  // A number of clusters that suits the graph, at most `most`. Throws ErrorCode::usage unless
  // `most` ≥ 2.
  virtual int suggest_count(const Graph& graph, int most, const RunContext& run = {}) const = 0;
};

// Renumbers clusters by their smallest vertex and drops empty ones; returns how many there are.
int number_by_first_vertex(std::vector<int>& cluster_of);

}  // namespace gssl
