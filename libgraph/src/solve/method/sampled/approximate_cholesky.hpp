#pragma once
// Approximate Cholesky: a preconditioner from randomized elimination (Kyng and Sachdeva 2016,
// doi:10.1109/FOCS.2016.68; Gao, Kyng and Spielman, arXiv:2303.00709).
//
// Vertices leave in order of approximately least degree. Exact elimination would join all
// neighbors of a vertex; here the clique is replaced by a random spanning tree of it, whose
// expectation is the clique: going from the lightest edge to the heaviest, each samples one heavier
// partner. So fill never exceeds the input, the network stays connected, and vertices of degree
// ≤ 2 are eliminated exactly. The ground is one more vertex, which never leaves.
//
// A graph that falls into ranges of rows with short borders (locality_ranges.hpp) is eliminated by
// ranges at the same time, then at the borders; so are the two triangular solves.
//
// O(m log n) expected time; about 30 bytes per edge while it is made, then 8 per entry of the
// factor (two to four times m) and 16 per row. One seed, one factor, on any thread count. It works
// on the system scaled by its diagonal.

#include <memory>

#include "gssl/core/run_context.hpp"
#include "gssl/linalg/grounded_laplacian.hpp"
#include "solve/method/preconditioner.hpp"

namespace gssl::solve {

// Precondition: every component of `system` has a ground. Null if the run was stopped on the way.
std::unique_ptr<Preconditioner> make_approximate_cholesky(const GroundedLaplacian& system,
                                                          std::uint64_t seed, int threads,
                                                          const RunContext& run = {});

}  // namespace gssl::solve
