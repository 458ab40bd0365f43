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

// Decision and confidence from scores and status.
void judge(Fit& fit, const LabeledSet& labeled, GivenLabels given, int threads) {
  if (labeled.is_regression()) {
    fit.decision.assign(fit.scores.status.size(), -1);
    fit.confidence.assign(fit.scores.status.size(), 1.0);
    for (std::size_t v = 0; v < fit.scores.status.size(); ++v)
      if (fit.scores.status[v] == VertexStatus::unreached) fit.confidence[v] = 0.0;
    return;
  }
  fit.decision = fit.scores.decide(threads);
  if (given == GivenLabels::hard) {
    fit.confidence = fit.scores.confidence(threads);
    return;
  }
  // Confidence of a soft label comes from its scores, as everywhere else.
  const std::vector<VertexStatus> status = fit.scores.status;
  for (const VertexId v : labeled.vertices())
    fit.scores.status[static_cast<std::size_t>(v)] = VertexStatus::inferred;
  fit.confidence = fit.scores.confidence(threads);
  fit.scores.status = status;
}

// The first of some vertices.
struct First {
  std::int64_t vertex = -1;
  void operator+=(const First& next) {
    if (vertex < 0) vertex = next.vertex;
  }
};

// Rows of unreached vertices become zero; those that are so are not written to.
void check_rows(Block& scores, const std::vector<VertexStatus>& status, int threads) {
  const auto look = [&](std::int64_t begin, std::int64_t end) {
    First bad;
    for (std::int64_t v = begin; v < end; ++v) {
      const std::span<double> row = scores.row(v);
      if (status[index(v)] == VertexStatus::unreached &&
          std::ranges::any_of(row, [](double value) { return value != 0.0; }))
        std::ranges::fill(row, 0.0);
      if (!std::ranges::all_of(row, [](double value) { return std::isfinite(value); }))
        bad += First{v};
    }
    return bad;
  };
  const First bad = blocked_sum(scores.rows(), threads, look);
  if (bad.vertex >= 0)
    throw Error(ErrorCode::bad_data, "score of vertex " + std::to_string(bad.vertex) +
                                         " is not finite: edge weights span more than a double can "
                                         "hold; rescale them");
}

}  // namespace

Fit finish_fit(Block scores, std::vector<VertexStatus> status, const LabeledSet& labeled,
               GivenLabels given, Report report, int threads) {
  Fit fit;
  check_rows(scores, status, threads);
  fit.scores.values = std::move(scores);
  fit.scores.status = std::move(status);
  fit.report = std::move(report);
  fit.class_names = labeled.class_names();
  if (!labeled.is_regression() && labeled.class_count() == 1)
    fit.report.warnings.push_back("all labels are of class '" + labeled.class_names().front() +
                                  "': every vertex they reach gets it, and a confidence of 1 tells "
                                  "nothing; give labels of another class");
  judge(fit, labeled, given, threads);
  mark_unfinished(fit, labeled, given);
  mark_ties(fit.scores, threads);
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
