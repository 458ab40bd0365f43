#pragma once
// Consensus relaxation: each vertex takes the value that balances its currents,
// x_v = (b_v + Σ w_uv x_u) / d_v. A solver that needs no set-up and no memory, and many sweeps.
//
//   auto inner = make_consensus(system, RelaxationOrder::sequential, 1000);

#include "solve/method/reduced_solver.hpp"

namespace gssl::solve {

// `sequential` goes in vertex order on one thread; `asynchronous` uses all threads with no order.
enum class RelaxationOrder { sequential, asynchronous };

std::unique_ptr<ReducedSolver> make_consensus(SharedSystem system, RelaxationOrder order,
                                              std::int64_t max_sweeps);

// At most `sweeps` sweeps over all vertices in order, fewer if `run` (may be null) says stop;
// returns how many were made. The energy ½xᵀAx − bᵀx never rises. O(c(n + m)) each.
std::int64_t relax_in_order(const GroundedLaplacian& a, const Block& b, Block& x,
                            std::int64_t sweeps, const RunContext* run = nullptr);

// As above with the rows dealt out to the threads, which read each other's values as they come.
std::int64_t relax_asynchronously(const GroundedLaplacian& a, const Block& b, Block& x,
                                  std::int64_t sweeps, const RunContext& run);

}  // namespace gssl::solve
