#pragma once
// What a factor holds at most while it is made, and while resistances are selected from it, before
// any number is known.
//
//   FactorPeaks peaks = peak_memory(structure, 2);
//
// Bytes; O(supernodes) time. Exact for one thread up to what the heap keeps of freed memory, and for
// several the most that subtrees side by side can hold.

#include "structure.hpp"

namespace gssl::solve {

FactorPeaks peak_memory(const NetworkStructure& s, int threads);

}  // namespace gssl::solve
