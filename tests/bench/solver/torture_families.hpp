#pragma once
// Systems made to break a solver, in families, as many of each as there are seeds.
//
//   star, path, tree   weights 0.1 … 10, 100 labels; the tree is random
//   barbell            two cliques and a long path between them, 2 labels
//   contrast           a grid with weights 1e-8 … 1e8
//   near-singular      a grid with one ground of 1e-12
//   pairs              isolated edges, half of them without ground
//   chimera            pieces of all these shapes and more, glued together

#include <functional>
#include <string>
#include <vector>

#include "gssl/core/block.hpp"
#include "gssl/core/rng.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"

namespace gssl::bench {

// |x| ≤ 1 for the exact answer of every one.
struct System {
  GroundedLaplacian matrix;
  Block b;
};

struct Family {
  std::string name;
  std::function<System(double scale, Rng& rng)> make;  // scale: 1 for the full size
};

const std::vector<Family>& families();

}  // namespace gssl::bench
