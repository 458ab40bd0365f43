#pragma once
// Time and memory per edge as graphs grow: one column, one thread, our `automatic`.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "race.hpp"

namespace gssl::bench {

struct GrowthOptions {
  std::vector<std::string> graphs = {"grid2d", "grid2dw", "grid3d", "rmat19"};  // of graph_names()
  double most_edges = 30e6;  // from a million on, about three times as many in each step
  VertexId labels = 100;
  std::uint64_t seed = 1;
  RaceOptions race;
};

// Prints a table; returns its rows as JSON, each with what it costs per edge against the smallest
// graph of its kind.
nlohmann::json growth(const GrowthOptions& options);

// Whether growth() knows how to make this graph larger.
bool can_grow(const std::string& graph);

}  // namespace gssl::bench
