#pragma once
// Blocked preconditioned conjugate gradients: columns go in groups that fit the cache, the columns
// of a group share each pass over the matrix and the preconditioner, each with its own step
// lengths; a finished column leaves its group. Memory: four n×c blocks (five with a preconditioner)
// and n doubles.
//
//   auto inner = make_conjugate_gradient(system, nullptr, 10 * n);   // preconditioned by the
//   diagonal

#include "preconditioner.hpp"
#include "reduced_solver.hpp"

namespace gssl::solve {

// `preconditioner` may be null: the diagonal. max_iterations ≥ 1.
std::unique_ptr<ReducedSolver> make_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
    std::int64_t max_iterations);

// Residual norms after 0, 1, …, `iterations` steps on a fixed pseudo-random right-hand side
// (shorter if it finds the answer): what the convergence of the real ones is predicted from.
std::vector<double> probe_conjugate_gradient(const GroundedLaplacian& system,
                                             const Preconditioner* preconditioner,
                                             std::int64_t iterations, int threads);

}  // namespace gssl::solve
