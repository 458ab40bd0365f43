#include "unfinished.hpp"

#include <algorithm>
#include <cmath>

namespace gssl::detail {

namespace {

// A residual does not show errors along the weakest modes of the graph.
constexpr double error_per_residual = 1e4;

// Best score less the next; for a single column the score itself, which has no rival.
double margin(std::span<const double> row) {
  double best = 0.0, second = 0.0;
  for (const double score : row) {
    second = std::max(second, std::min(best, score));
    best = std::max(best, score);
  }
  return best - second;
}

double largest_score(const Block& scores) {
  double largest = 0.0;
  for (const double score : scores.values()) largest = std::max(largest, std::abs(score));
  return largest;
}

}  // namespace

std::optional<double> estimated_score_error(const SolveReport& report) {
  if (report.outcome == Outcome::converged) return std::nullopt;
  if (!report.relative_residual) return std::nullopt;
  const double residual = *report.relative_residual;
  const double error = report.error_estimate ? std::max(*report.error_estimate, residual)
                                             : error_per_residual * residual;
  return error <= 1.0 ? error : 1.0;  // also where it is no number
}

void mark_unfinished(Fit& fit, const LabeledSet& labeled, GivenLabels given) {
  if (fit.report.converged()) return;
  const Outcome outcome = fit.report.outcome;
  const bool ended_anywhere = ended_by_run(outcome);
  const std::optional<double> error = fit.report.score_error;
  const bool none = error ? *error > score_error_limit : ended_anywhere;
  const double needed = none ? 0.0 : error.value_or(0.0) * largest_score(fit.scores.values);
  const auto decides = [&](std::int64_t v) {
    return !none && (labeled.is_regression() || margin(fit.scores.values.row(v)) > needed);
  };
  for (std::size_t v = 0; v < fit.scores.status.size(); ++v) {
    VertexStatus& status = fit.scores.status[v];
    const bool tells = status == VertexStatus::inferred || status == VertexStatus::tied;
    if (!tells || (status == VertexStatus::tied && !none) || decides(static_cast<std::int64_t>(v)))
      continue;
    status = VertexStatus::unfinished;
    fit.decision[v] = -1;
    fit.confidence[v] = 0.0;
  }
  if (given == GivenLabels::hard || labeled.is_regression()) return;
  for (std::size_t i = 0; i < labeled.size(); ++i) {
    const VertexId v = labeled.vertices()[i];
    if (decides(v)) continue;
    fit.decision[static_cast<std::size_t>(v)] = labeled.class_of()[i];
    fit.confidence[static_cast<std::size_t>(v)] = 0.0;
  }
}

}  // namespace gssl::detail
