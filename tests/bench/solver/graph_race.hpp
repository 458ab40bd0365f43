#pragma once
// All methods and peers on one of the graphs of graphs.hpp: a table on the screen, and our processor
// time beside that of each peer that solved the problem, and of the fastest of them.

#include <cstdint>
#include <string>
#include <vector>

#include "../harness/program.hpp"
#include "graphs.hpp"
#include "race.hpp"

namespace gssl::bench {

struct GraphRace {
  GraphSizes sizes;
  RaceOptions race;
  std::vector<int> columns = {1, 10};
  std::vector<std::string> kinds;  // of solver_kind_names()
  std::vector<std::string> peers;  // one that is not here is said to be absent
  VertexId labels = 100;
  int threads = 2;          // of ours; one is used for one column
  std::uint64_t seeds = 1;  // graphs and label sets 1 … seeds
};

// Figures are named "gssl KIND, K=COLUMNS"; from the second seed on ", seed S" follows.
void race_graph(Results& results, const std::string& graph, const GraphRace& how);

}  // namespace gssl::bench
