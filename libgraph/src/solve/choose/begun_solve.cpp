#include "begun_solve.hpp"

#include <algorithm>
#include <cmath>

#include "forecast.hpp"
#include "gssl/solve/cost_model.hpp"
#include "prepared_method.hpp"
#include "solve/method/cg/conjugate_gradient.hpp"

namespace gssl::solve {
namespace {

// A bad forecast from eight steps on a right-hand side is looked at again after twelve.
constexpr std::int64_t second_look = 12;

}  // namespace

double begin_diagonal(const SharedSystem& reduced, const SolverOptions& options,
                      const RunContext& run, FirstColumns& first,
                      const std::function<double()>& forecast_any,
                      const std::function<bool(double)>& better) {
  double next_look = probe_steps, left = HUGE_VAL;
  bool early = true, given_up = false;
  const auto look = [&](const CgCoefficients& found) {
    const auto steps = static_cast<double>(found.alpha.size());
    if (steps < next_look) return true;
    if (early) {
      left = forecast_iterations(found, Start::given, reduced->size(), options.tolerance) - steps;
      if (!better(left) && steps < second_look) {
        next_look = second_look;
        return true;
      }
      early = false;
      if (!better(left)) left = forecast_any() - steps;
    } else {
      const double gained = std::log(found.residual.back() / found.residual.front());
      left = gained < 0.0 ? steps * (std::log(options.tolerance) / gained - 1.0) : HUGE_VAL;
    }
    left = std::max(1.0, left);
    next_look = steps + cost_model().too_low * left;
    given_up = !better(left);
    return !given_up;
  };
  first.begun = begin_conjugate_gradient(*reduced, first.b, first.x, first.targets,
                                         iteration_limit(reduced, options), run, look);
  first.solved = !given_up && first.begun.outcome != Outcome::breakdown;
  if (!first.solved && !given_up) first.x = Block(first.x.rows(), 1);
  return left;
}

bool begin_swept(const SharedSystem& reduced, const std::shared_ptr<const SweptSystem>& split,
                 const SolverOptions& options, const RunContext& run, double most,
                 FirstColumns& first) {
  const auto look = [&](const CgCoefficients& found) {
    if (found.residual.size() % probe_steps != 0) return true;
    const auto steps = static_cast<double>(found.residual.size());
    const double gained = std::log(found.residual.back() / found.residual.front());
    return gained < 0.0 && steps * std::log(options.tolerance) / gained <= most;
  };
  first.begun = begin_swept_conjugate_gradient(reduced, split, first.b, first.x, first.targets,
                                               iteration_limit(reduced, options), run, look);
  const bool broken = first.begun.outcome == Outcome::breakdown;
  if (broken) first.x = Block(first.x.rows(), first.x.columns());
  return first.solved = !broken && first.begun.outcome != Outcome::iteration_limit;
}

}  // namespace gssl::solve
