#include "gssl/core/report.hpp"

#include <algorithm>
#include <utility>

namespace gssl {

std::string_view to_string(Outcome outcome) { return names_of<Outcome>.name(outcome); }

std::string_view to_string(SolverMethod method) { return names_of<SolverMethod>.name(method); }

Outcome worse(Outcome a, Outcome b) {
  for (const Outcome outcome :
       {Outcome::cancelled, Outcome::time_limit, Outcome::breakdown, Outcome::iteration_limit})
    if (a == outcome || b == outcome) return outcome;
  return Outcome::converged;
}

void merge(SolveReport& all, const SolveReport& next) {
  const auto nothing_solved = [](const SolveReport& report) {
    return report.used.empty() || report.used == "none";
  };
  if (nothing_solved(all)) {
    all = next;
    return;
  }
  if (nothing_solved(next)) return;
  const bool decides =
      all.outcome != next.outcome && worse(all.outcome, next.outcome) == next.outcome;
  SolveReport merged = decides ? next : all;
  merged.iterations = std::max(all.iterations, next.iterations);
  merged.relative_residual = std::max(all.relative_residual, next.relative_residual);
  merged.inconsistency = std::max(all.inconsistency, next.inconsistency);
  if (all.error_estimate || next.error_estimate)
    merged.error_estimate =
        std::max(all.error_estimate.value_or(0.0), next.error_estimate.value_or(0.0));
  all = std::move(merged);
}

SolveReport solve_report(const Report& report) {
  return {report, report.system.value_or(SystemReport{})};
}

void take_solve(Report& report, SolveReport solve) {
  const SystemReport& system = solve;
  const bool is_known = system.relative_residual || system.error_estimate || system.method ||
                        system.inconsistency != 0.0;
  report.system = is_known ? std::optional(system) : std::nullopt;
  static_cast<Ending&>(report) = std::move(static_cast<Ending&>(solve));
}

void merge(Report& all, const SolveReport& next) {
  SolveReport own = solve_report(all);
  merge(own, next);
  take_solve(all, std::move(own));
}

}  // namespace gssl
