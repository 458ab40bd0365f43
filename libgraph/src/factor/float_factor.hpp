#pragma once
// A factored network that only solves, in a third of the memory of a NetworkFactor: its shares are
// floats.
//
// Each vertex hands its current on in shares p that add up to 1. Rounded shares are divided by
// their sum, so that they still do: what is factored is then a network whose energies differ by a
// few units of 6e-8, relative, and whose constants are still free. An eigensolver that checks its
// pairs against the true network needs no more.
//
//   auto factor = make_float_factor(graph, *analyze_network(graph, no_vertex), run);
//   factor->solve(x, run);

#include <memory>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/graph/graph.hpp"
#include "panels.hpp"
#include "structure.hpp"

namespace gssl::solve {

class FloatFactor {
 public:
  FloatFactor(const Graph& graph, NetworkStructure structure);
  // False where the run was stopped: the factor is then of no use.
  bool compute(const Graph& graph, const RunContext& run);
  // As NetworkFactor::solve, in place.
  void solve(Block& x, const RunContext& run) const;

 private:
  void weigh(VertexId k, const double* resistance);

  NetworkStructure s_;
  int exponent_;
  PackedPanels<float> panels_;
  std::vector<double> resistance_;  // sum of the shares over d
  std::vector<double> share_;       // 1 over that sum
};

// Null where the run was stopped. A graph whose vertices are already in the order of `structure`,
// which then is 0, 1, …, is solved without moving a row. Throws ErrorCode::out_of_memory.
std::unique_ptr<FloatFactor> make_float_factor(const Graph& graph, NetworkStructure structure,
                                               const RunContext& run);

}  // namespace gssl::solve
