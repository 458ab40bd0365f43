#include "gssl/core/report.hpp"

#include <algorithm>
#include <utility>

#include "gssl/core/named.hpp"

namespace gssl {

std::string_view to_string(Outcome outcome) {
  static constexpr auto outcomes = enum_names<Outcome>(
      "outcome", {"converged", "iteration_limit", "time_limit", "cancelled", "breakdown"});
  return outcomes.name(outcome);
}

std::string_view to_string(SolverMethod method) {
  static constexpr auto methods =
      enum_names<SolverMethod>("method", {"elimination", "cholesky", "approximate-cholesky",
                                          "multigrid", "cg", "consensus", "async-consensus"});
  return methods.name(method);
}

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

}  // namespace gssl
