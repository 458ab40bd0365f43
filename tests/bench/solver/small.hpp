#pragma once
// `automatic` beside plain conjugate gradients on graphs so small that choosing is not free: 100 to
// 10,000 vertices, 20 grounded ones, one thread, everything from the system to the answer.

#include <cstdint>
#include <vector>

#include "../harness/program.hpp"

namespace gssl::bench {

struct SmallOptions {
  std::vector<int> columns = {1, 10};
  double tolerance = 1e-8;
  int repeats = 15;  // of each; the fastest counts
  std::uint64_t seed = 1;
};

// Milliseconds of `automatic` beside the faster of `cg` with elimination and without.
void small_graphs(Results& results, const SmallOptions& options);

}  // namespace gssl::bench
