#pragma once
// An exact factorization without subtraction as a ReducedSolver: slower than CHOLMOD's, and right
// in every entry whatever the weights. For where another method is stopped by rounding.
//
//   std::unique_ptr<ReducedSolver> inner = make_network_method(system, run);

#include <memory>

#include "solve/method/reduced_solver.hpp"

namespace gssl::solve {

// Null where the factor would take more than a few seconds or two gigabytes, the run was stopped,
// or a conductance underflows. Every component of `system` has a ground.
std::unique_ptr<ReducedSolver> make_network_method(const SharedSystem& system,
                                                   const RunContext& run);

}  // namespace gssl::solve
