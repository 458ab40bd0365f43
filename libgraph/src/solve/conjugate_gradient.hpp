#pragma once
// Blocked conjugate gradients with the diagonal as preconditioner: all columns share each pass over
// the matrix, each with its own step lengths; a finished column leaves the block. Memory: four n×c
// blocks and n doubles.
//
//   auto inner = make_conjugate_gradient(system, 10 * n);

#include "reduced_solver.hpp"

namespace gssl::solve {

// max_iterations ≥ 1.
std::unique_ptr<ReducedSolver> make_conjugate_gradient(SharedSystem system,
                                                       std::int64_t max_iterations);

// Residual norms after 0, 1, …, `iterations` steps on a fixed pseudo-random right-hand side
// (shorter if it finds the answer): what the convergence of the real ones is predicted from.
std::vector<double> probe_conjugate_gradient(const SharedSystem& system, std::int64_t iterations,
                                             int threads);

}  // namespace gssl::solve
