#pragma once
// Solving with a factored network: forward and back substitution over all supernodes, subtrees side
// by side on the threads.
//
//   solve_network({.structure = s, .doubles = &panels, .resistance = r}, b, x, threads);

#include <vector>

#include "gssl/core/block.hpp"
#include "panels.hpp"
#include "structure.hpp"

namespace gssl::solve {

struct FactoredNetwork {
  const NetworkStructure& structure;              // without `order`: rows are in its order already
  const PackedPanels<double>* doubles = nullptr;  // p of each supernode; one of the two
  const PackedPanels<float>* floats = nullptr;
  const std::vector<double>& resistance;  // of each position, 0 at roots
  const double* share = nullptr;          // of each position, for floats
  int exponent = 0;                       // the weights were scaled by 2^−exponent
};

// x = G b, where x is 0 at the roots; x is given the shape of b, or is b. Same bytes at any number
// of threads. O(stored entries) for each four or eight columns.
void solve_network(const FactoredNetwork& network, const Block& b, Block& x, int threads);

}  // namespace gssl::solve
