#pragma once
// Solving with a factored network: forward and back substitution over all supernodes, subtrees side
// by side on the threads.
//
//   solve_network({structure, panels, resistance, exponent}, b, x, threads);

#include <vector>

#include "gssl/core/block.hpp"
#include "network_structure.hpp"

namespace gssl::solve {

struct FactoredNetwork {
  const NetworkStructure& structure;
  const std::vector<double>& panels;      // p of each supernode, by columns
  const std::vector<double>& resistance;  // 1/d of each position, 0 at roots
  int exponent;                           // the weights were scaled by 2^−exponent
};

// x = G b, where x is 0 at the roots; x is given the shape of b. Same bytes at any number of
// threads. O(stored entries) for each four or eight columns.
void solve_network(const FactoredNetwork& network, const Block& b, Block& x, int threads);

}  // namespace gssl::solve
