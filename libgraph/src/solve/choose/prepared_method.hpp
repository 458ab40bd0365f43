#pragma once
// The methods, each prepared for a system, with the limit on its iterations and its reason.

#include <memory>
#include <string>

#include "choose_solver.hpp"
#include "gssl/solve/solver_memory.hpp"
#include "solve/method/cg/swept_cg.hpp"
#include "solve/method/preconditioner.hpp"

namespace gssl::solve {

std::int64_t iteration_limit(const SharedSystem& reduced, const SolverOptions& options);
// Many more steps than forecast: what is prepared was chosen wrongly, and another takes over.
std::int64_t forecast_limit(double iterations, const SolverOptions& options);

Choice conjugate_gradient(const SharedSystem& reduced, std::int64_t limit, std::string reason);
Choice swept_conjugate_gradient(const SharedSystem& reduced,
                                std::shared_ptr<const SweptSystem> split, std::int64_t limit,
                                std::string reason);
Choice approximate_cholesky(const SharedSystem& reduced, const SolverOptions& options,
                            const RunContext& run, std::string reason);
// `cycles`: how many are expected.
Choice multigrid(const SharedSystem& reduced, const SolverOptions& options,
                 std::shared_ptr<const Preconditioner> levels, double cycles, std::string reason);
Choice consensus(const SharedSystem& reduced, const SolverOptions& options);
// An exact factor that fits the memory and takes at most `seconds` to make and to use for the
// columns expected; no solver if there is none. Where updates are to come, it is one that keeps its
// order and its digits whatever weights they bring.
Choice cholesky_within(const SharedSystem& reduced, const SolverOptions& options, double seconds,
                       const RunContext& run, std::string reason);

// Where the run may take no more memory; `without` is what does not fit.
Choice short_of_memory(const SharedSystem& reduced, const SolverOptions& options,
                       const std::string& without);
Choice out_of_time(const SharedSystem& reduced, const SolverOptions& options);

}  // namespace gssl::solve
