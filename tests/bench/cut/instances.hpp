#pragma once
// The graphs of bench_cut, made from fixed seeds, and the terminals of its flows.

#include <string>
#include <vector>

#include "gssl/graph/graph.hpp"

namespace gssl::bench {

struct Labeled {
  Graph graph;
  std::vector<int> class_of;  // two classes
  std::vector<int> blob_of;   // ten, where there are ten
};

// moons10k, moons100k, moons1m: two moons, 10 nearest neighbors. knn10k, knn100k: ten gaussians in
// 20 dimensions, likewise. rmat14, rmat18: the largest component of RMAT. grid1000 (random
// weights), grid1000u (unit weights). bridged: two clusters whose minimum cut is between them.
// Throws std::invalid_argument on another name.
Labeled labeled_graph(const std::string& name);

struct Instance {
  Graph graph;
  std::vector<double> source, sink;
};

// Weights and capacities are whole numbers of thousandths, so that every program cuts the same. 100
// labeled vertices are tied to the terminals; soft: and every vertex to one, noisily.
Instance with_terminals(const Labeled& labeled, bool soft);

}  // namespace gssl::bench
