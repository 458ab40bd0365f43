#pragma once
// Blocked preconditioned conjugate gradients: columns go in groups that fit the cache, the columns
// of a group share each pass over the matrix and the preconditioner, each with its own step
// lengths; a finished column leaves its group. Memory: four n×c blocks of doubles, with a
// preconditioner three of floats, and n doubles.
//
//   auto inner = make_conjugate_gradient(system, nullptr, 10 * n);   // preconditioned by the
//   diagonal

#include <functional>

#include "solve/method/preconditioner.hpp"
#include "solve/method/reduced_solver.hpp"
#include "swept_cg.hpp"

namespace gssl::solve {

// `preconditioner` may be null: the diagonal. max_iterations ≥ 1.
std::unique_ptr<ReducedSolver> make_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const Preconditioner> preconditioner,
    std::int64_t max_iterations);

// Preconditioned by sweeps, color by color (swept_cg.hpp). Four blocks more, and the split matrix.
// More than ten columns go in floats, refined in doubles (refined_sweeps.hpp). max_iterations ≥ 1.
std::unique_ptr<ReducedSolver> make_swept_conjugate_gradient(SharedSystem system,
                                                             std::int64_t max_iterations,
                                                             int threads);
// With a split that is there.
std::unique_ptr<ReducedSolver> make_swept_conjugate_gradient(
    SharedSystem system, std::shared_ptr<const SweptSystem> split, std::int64_t max_iterations);

// Step lengths and direction coefficients of some steps on one column; the last step, if it finds
// the answer, leaves none.
struct CgCoefficients {
  std::vector<double> alpha, beta;
  std::vector<double> residual;  // √rᵀM⁻¹r after each step
  bool broken = false;           // the preconditioner or the rounding did not let it go on
  bool ended = false;            // the answer was found
};
// Asked after each step with those so far.
using CgWatch = std::function<bool(const CgCoefficients&)>;

// The first steps on a pseudo-random right-hand side whose energy is spread over the whole spectrum
// of D⁻¹A, until the watch says it is enough.
CgCoefficients probe_conjugate_gradient(const GroundedLaplacian& system,
                                        const Preconditioner* preconditioner, std::int64_t steps,
                                        int threads, const CgWatch& enough);
// The same of swept steps, whose spectrum is that of P⁻¹Ã.
CgCoefficients probe_conjugate_gradient(const GroundedLaplacian& system, const SweptSystem& split,
                                        std::int64_t steps, int threads, const CgWatch& enough);

// Solves for one column with the diagonal, as ReducedSolver::solve() does, while the watch lets it
// go on. The outcome is iteration_limit where it did not; x then holds what was reached.
InnerResult begin_conjugate_gradient(const GroundedLaplacian& system, const Block& b, Block& x,
                                     const std::vector<double>& targets,
                                     std::int64_t max_iterations, const RunContext& run,
                                     const CgWatch& go_on);

// The same with sweeps, and for any number of columns: the watch sees the first one at work of each
// group, and one group that it stops makes the outcome iteration_limit.
InnerResult begin_swept_conjugate_gradient(SharedSystem system,
                                           std::shared_ptr<const SweptSystem> split, const Block& b,
                                           Block& x, const std::vector<double>& targets,
                                           std::int64_t max_iterations, const RunContext& run,
                                           const CgWatch& go_on);

}  // namespace gssl::solve
