#pragma once
// Blocked preconditioned conjugate gradients: columns go in groups that fit the cache, the columns
// of a group share each pass over the matrix and the preconditioner, each with its own step
// lengths; a finished column leaves its group. Memory: four n×c blocks of doubles, with a
// preconditioner three of floats, and n doubles.
//
//   auto inner = make_conjugate_gradient(system, nullptr, 10 * n);   // preconditioned by the
//   diagonal

#include <functional>

#include "preconditioner.hpp"
#include "reduced_solver.hpp"

namespace gssl::solve {

// `preconditioner` may be null: the diagonal. max_iterations ≥ 1.
std::unique_ptr<ReducedSolver> make_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
    std::int64_t max_iterations);

// Preconditioned by symmetric Gauss–Seidel, colors in order (gauss_seidel_split.hpp). Four blocks
// more, and the split matrix. max_iterations ≥ 1.
std::unique_ptr<ReducedSolver> make_swept_conjugate_gradient(SharedSystem system,
                                                             std::int64_t max_iterations,
                                                             int threads);

// The step lengths and direction coefficients of the first steps on one pseudo-random right-hand
// side whose energy is spread over the whole spectrum of D⁻¹A; fewer if it finds the answer, or
// once `enough` (asked after each step) says so.
struct CgCoefficients {
  std::vector<double> alpha, beta;
  std::vector<double> residual;  // √rᵀM⁻¹r after each step
  bool broken = false;           // the preconditioner or the rounding did not let it go on
  bool ended = false;            // the answer was found
};
CgCoefficients probe_conjugate_gradient(const GroundedLaplacian& system,
                                        const Preconditioner* preconditioner, std::int64_t steps,
                                        int threads,
                                        const std::function<bool(const CgCoefficients&)>& enough);

}  // namespace gssl::solve
