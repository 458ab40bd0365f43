#pragma once
// An exact factorization without subtraction for systems of one pattern, one after the other: the
// order and the places of the entries are found once, and each further system costs its numbers
// alone. Weights may span what they like: no digit is lost, so nothing has to guard the answer.
//
//   std::unique_ptr<ReducedSolver> inner = make_network_series(system, accept, run);
//   std::unique_ptr<ReducedSolver> next = inner->updated(another, run);

#include <functional>
#include <memory>

#include "gssl/factor/network_factor.hpp"
#include "solve/method/reduced_solver.hpp"

namespace gssl::solve {

// Orders and counts, asks `accept`, and factors. Null where that refused, the run was stopped, or a
// conductance underflows. Every component of `system` has a ground. updated() is null where other
// vertices are grounded than were. Throws ErrorCode::out_of_memory.
std::unique_ptr<ReducedSolver> make_network_series(
    const SharedSystem& system, const std::function<bool(const FactorSize&)>& accept,
    const RunContext& run);

}  // namespace gssl::solve
