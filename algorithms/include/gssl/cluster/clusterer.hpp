#pragma once
// The contract of a clusterer: a graph in, a partition of its vertices out.
//
//   gssl::MadeClusterer made = gssl::make_clusterer("spectral:variant=ratio-cut");
//   gssl::Partition p = made.clusterer->cluster(graph, 12, run);
//   p.cluster_of[v] < p.count;
//
// The list of clusterers and their options is one table (clusterer_entries), with the grammar and
// the option table of the learners.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/options.hpp"
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
  // report.solver.outcome.
  virtual Partition cluster(const Graph& graph, int k, const RunContext& run = {}) const = 0;

  // A number of clusters that suits the graph, at most `most`; `most` ≥ 2.
  virtual int suggest_count(const Graph& graph, int most, const RunContext& run = {}) const = 0;
};

struct ClustererEntry {
  std::string name;
  std::string summary;
  std::string reference;
  OptionTable options;
  std::function<std::unique_ptr<Clusterer>(const OptionValues&)> make;
};

const std::vector<ClustererEntry>& clusterer_entries();

struct MadeClusterer {
  std::string spec;  // every option spelled out
  std::unique_ptr<Clusterer> clusterer;
};

// NAME[:key=value,…]. Throws ErrorCode::usage on an unknown name or a bad option.
MadeClusterer make_clusterer(std::string_view spec);

// Renumbers clusters by their smallest vertex and drops empty ones; returns how many there are.
int number_by_first_vertex(std::vector<int>& cluster_of);

}  // namespace gssl
