#pragma once
// Blocked preconditioned conjugate gradients: columns go in groups that fit the cache, the columns
// of a group share each pass over the matrix and the preconditioner, each with its own step
// lengths; a finished column leaves its group. Memory: three n×c blocks of doubles, one of floats
// (three with a preconditioner) and n doubles.
//
//   auto inner = make_conjugate_gradient(system, nullptr, 10 * n);   // preconditioned by the
//   diagonal

#include <functional>

#include "preconditioner.hpp"
#include "reduced_solver.hpp"

namespace gssl::solve {

// How directions are kept. Floats make a step cheaper, and are as good while a few hundred
// iterations are enough.
enum class Directions { in_double, in_float };

// `preconditioner` may be null: the diagonal. max_iterations ≥ 1.
std::unique_ptr<ReducedSolver> make_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
    std::int64_t max_iterations, Directions directions = Directions::in_double);

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
