#pragma once
// Time and memory per edge as a graph grows: one column, one thread, our `automatic`.

#include <string>
#include <vector>

#include "../harness/program.hpp"
#include "race.hpp"

namespace gssl::bench {

struct Growth {
  double most_edges = 30e6;  // from a million on, about three times as many in each step
  VertexId labels = 100;
  std::uint64_t seed = 1;
  RaceOptions race;
};

// Those of graph_names() that can be made larger, and knn3.
std::vector<std::string> growing_graphs();

// Microseconds an edge of each size beside those of the smallest.
void grow(Results& results, const std::string& graph, const Growth& how);

}  // namespace gssl::bench
