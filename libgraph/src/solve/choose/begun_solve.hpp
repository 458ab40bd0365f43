#pragma once
// Solves that begin before anything is chosen, on the right-hand sides that are there, and end when
// another method promises to be faster.

#include <functional>

#include "choose_solver.hpp"
#include "solve/method/cg/swept_cg.hpp"

namespace gssl::solve {

// Steps after which a forecast is made first.
inline constexpr std::int64_t probe_steps = 8;

// Conjugate gradients on the one column of `first`, for as long as they look `better` than other
// methods by the forecast of what is left: from eight or twelve steps on b, or for any right-hand
// side; and once one proved too low, from the usual gain of a step. Returns the last forecast.
double begin_diagonal(const SharedSystem& reduced, const SolverOptions& options,
                      const RunContext& run, FirstColumns& first,
                      const std::function<double()>& forecast_any,
                      const std::function<bool(double)>& better);

// Swept steps on the columns of `first` for as long as their usual gain promises an end within
// `most` of them; says whether they got there, or something else than that promise stopped them.
bool begin_swept(const SharedSystem& reduced, const std::shared_ptr<const SweptSystem>& split,
                 const SolverOptions& options, const RunContext& run, double most,
                 FirstColumns& first);

}  // namespace gssl::solve
