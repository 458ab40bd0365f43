#include "finish_fit.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>

#include "gssl/core/error.hpp"
#include "gssl/core/index.hpp"
#include "gssl/core/parallel.hpp"
#include "vertex_status.hpp"

namespace gssl::detail {

namespace {

// The first of some vertices.
struct First {
  std::int64_t vertex = -1;
  void operator+=(const First& next) {
    if (vertex < 0) vertex = next.vertex;
  }
};

// Decision, confidence and status from scores, which must be finite, on one walk over them: where
// they are large, each of several takes as long. Rows of unreached vertices become zero; those that
// are so are not written to.
void judge(Fit& fit, const LabeledSet& labeled, GivenLabels given, int threads) {
  const bool classes = !labeled.is_regression(), converged = fit.report.converged();
  const auto n = fit.scores.status.size();
  fit.decision.resize(n);
  fit.confidence.resize(n);
  const auto look_at = [&](std::size_t v, First& bad) {
    VertexStatus& status = fit.scores.status[v];
    const std::span<double> row = fit.scores.values.row(static_cast<std::int64_t>(v));
    if (status == VertexStatus::unreached &&
        std::ranges::any_of(row, [](double value) { return value != 0.0; }))
      std::ranges::fill(row, 0.0);
    if (!std::ranges::all_of(row, [](double value) { return std::isfinite(value); }))
      bad += First{static_cast<std::int64_t>(v)};
    fit.decision[v] = classes ? decided_class(status, row) : -1;
    // Confidence of a soft label comes from its scores, as everywhere else.
    const bool soft = classes && given == GivenLabels::soft && status == VertexStatus::given;
    fit.confidence[v] = confidence_of(soft ? VertexStatus::inferred : status, row);
    if (converged) mark_tie(status, row);
  };
  const First bad =
      blocked_sum(fit.scores.values.rows(), threads, [&](std::int64_t begin, std::int64_t end) {
        First some;
        for (std::int64_t v = begin; v < end; ++v) look_at(index(v), some);
        return some;
      });
  if (bad.vertex >= 0)
    throw Error(ErrorCode::bad_data, "score of vertex " + std::to_string(bad.vertex) +
                                         " is not finite: edge weights span more than a double can "
                                         "hold; rescale them");
  if (converged) return;
  mark_unfinished(fit, labeled, given);
  mark_ties(fit.scores, threads);
}

}  // namespace

Fit finish_fit(Block scores, std::vector<VertexStatus> status, const LabeledSet& labeled,
               GivenLabels given, Report report, int threads) {
  Fit fit;
  fit.scores.values = std::move(scores);
  fit.scores.status = std::move(status);
  fit.report = std::move(report);
  fit.class_names = labeled.class_names();
  if (!labeled.is_regression() && labeled.class_count() == 1)
    fit.report.warnings.push_back("all labels are of class '" + labeled.class_names().front() +
                                  "': every vertex they reach gets it, and a confidence of 1 tells "
                                  "nothing; give labels of another class");
  judge(fit, labeled, given, threads);
  return fit;
}

void judge_inferred(Fit& fit, const LabeledSet& labeled) {
  std::ranges::replace(fit.scores.status, VertexStatus::tied, VertexStatus::inferred);
  const std::vector<double> before = std::move(fit.confidence);
  const std::vector<int> decided = std::exchange(fit.decision, fit.scores.decide());
  fit.confidence = fit.scores.confidence();
  mark_unfinished(fit, labeled, GivenLabels::hard);
  mark_ties(fit.scores);
  for (const VertexId v : labeled.vertices()) {
    fit.confidence[static_cast<std::size_t>(v)] = before[static_cast<std::size_t>(v)];
    fit.decision[static_cast<std::size_t>(v)] = decided[static_cast<std::size_t>(v)];
  }
}

}  // namespace gssl::detail
