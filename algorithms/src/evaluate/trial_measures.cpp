#include "evaluate/trial_measures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gssl/evaluate/partition_agreement.hpp"

namespace gssl::detail {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// The rows that got an answer, for metrics that need one.
struct Answered {
  std::vector<int> truth;
  Block scores;
  std::vector<double> confidence;
  std::vector<char> right;
};

Answered answered_rows(const Answers& found, const std::vector<int>& truth) {
  Answered rows;
  std::vector<double> scores;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (found.answered[i] == 0) continue;
    rows.truth.push_back(truth[i]);
    rows.confidence.push_back(std::clamp(found.confidence[i], 0.0, 1.0));
    rows.right.push_back(found.answer[i] == truth[i] ? 1 : 0);
    const auto row = found.scores.row(static_cast<std::int64_t>(i));
    scores.insert(scores.end(), row.begin(), row.end());
  }
  rows.scores = Block(static_cast<std::int64_t>(rows.truth.size()), found.scores.columns(),
                      std::move(scores));
  return rows;
}

void measure_classes(const Answers& found, const std::vector<int>& truth, int classes,
                     TrialResult& result) {
  result.counts = confusion(truth, found.answer, classes);
  const Answered rows = answered_rows(found, truth);
  result.log_loss = found.shares ? log_loss(rows.scores, rows.truth).value : nothing;
  result.brier = found.shares ? brier_score(rows.scores, rows.truth) : nothing;
  result.auc = area_under_roc(rows.scores, rows.truth);
  result.ece = found.shares ? reliability(rows.confidence, rows.right).expected_error : nothing;
  result.reliability = reliability(rows.confidence, rows.right, 15, Binning::equal_width).bins;
  if (!found.cluster_of.empty()) {
    const PartitionAgreement agreement = partition_agreement(found.cluster_of, truth);
    result.nmi = agreement.nmi;
    result.ari = agreement.ari;
    result.cut = found.cut;
    result.modularity = found.modularity;
  }
  result.right.reserve(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i)
    result.right += found.answered[i] == 0 ? '-' : found.answer[i] == truth[i] ? '1' : '0';
}

// What pooled_result() needs of a row that is measured alone.
void keep_row(const Answers& found, const Targets& truth, std::int32_t row, TrialResult& result) {
  const auto at = static_cast<std::size_t>(row);
  result.truth = truth.is_regression() ? truth.values()[at] : truth.class_of()[at];
  if (found.answered.front() == 0) return;
  const auto scores = found.scores.row(0);
  result.scores.assign(scores.begin(), scores.end());
}

}  // namespace

void measure(const Answers& found, const Targets& truth, const RowIds& test, TrialResult& result) {
  result.test = static_cast<std::int64_t>(test.size());
  result.unreached = found.unreached;
  result.tied = found.tied;
  result.unfinished = found.unfinished;
  result.converged = found.converged;
  if (test.size() == 1) keep_row(found, truth, test.front(), result);
  if (!truth.is_regression()) {
    std::vector<int> wanted;
    for (const std::int32_t row : test)
      wanted.push_back(truth.class_of()[static_cast<std::size_t>(row)]);
    measure_classes(found, wanted, truth.class_count(), result);
    return;
  }
  std::vector<double> wanted, values;
  result.residuals.assign(test.size(), nothing);
  for (std::size_t i = 0; i < test.size(); ++i) {
    if (found.answered[i] == 0) continue;
    wanted.push_back(truth.values()[static_cast<std::size_t>(test[i])]);
    values.push_back(found.scores(static_cast<std::int64_t>(i), 0));
    result.residuals[i] = values.back() - wanted.back();
  }
  result.errors = value_errors(wanted, values);
  result.log_loss = result.brier = result.auc = result.ece = nothing;
}

double worth(const TrialResult& result, const Targets& truth, const Split& split) {
  if (!truth.is_regression()) {
    const double accuracy = result.accuracy();
    return std::isnan(accuracy) ? -std::numeric_limits<double>::infinity() : accuracy;
  }
  const auto value = [&](std::int32_t row) {
    return truth.values()[static_cast<std::size_t>(row)];
  };
  double mean = 0.0, squares = 0.0;
  for (const std::int32_t row : split.training) mean += value(row);
  mean /= static_cast<double>(split.training.size());
  for (std::size_t i = 0; i < split.test.size(); ++i) {
    const double residual = result.residuals[i];
    const double error = std::isnan(residual) ? mean - value(split.test[i]) : residual;
    squares += error * error;
  }
  return -std::sqrt(squares / static_cast<double>(split.test.size()));
}

}  // namespace gssl::detail
