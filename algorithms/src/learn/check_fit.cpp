#include "gssl/learn/check_fit.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "gssl/core/number_text.hpp"
#include "gssl/core/parallel.hpp"

namespace gssl {
namespace {

// No default: a new value of the enumeration that is forgotten here does not compile.
bool is_status(VertexStatus status) {
  switch (status) {
    case VertexStatus::given:
    case VertexStatus::inferred:
    case VertexStatus::unreached:
    case VertexStatus::tied:
    case VertexStatus::unfinished: return true;
  }
  return false;
}

bool is_outcome(Outcome outcome) {
  switch (outcome) {
    case Outcome::converged:
    case Outcome::iteration_limit:
    case Outcome::time_limit:
    case Outcome::cancelled:
    case Outcome::breakdown: return true;
  }
  return false;
}

std::string wrong_length(std::string_view what, std::size_t found, std::int64_t rows) {
  return std::to_string(found) + " " + std::string(what) + " for " + std::to_string(rows) +
         " rows: must be one for each";
}

std::optional<std::string> wrong_shape(const Fit& fit, VertexId rows, int columns,
                                       ScoresAsked asked) {
  const Block& scores = fit.scores.values;
  const bool missing = asked == ScoresAsked::no && scores.rows() == 0 && scores.columns() == 0;
  if (!missing && (scores.rows() != rows || scores.columns() != columns)) {
    return "scores of " + std::to_string(scores.rows()) + " rows and " +
           std::to_string(scores.columns()) + " columns: must be " + std::to_string(rows) +
           " rows and " + std::to_string(columns) + " columns";
  }
  const auto n = static_cast<std::size_t>(rows);
  if (fit.scores.status.size() != n)
    return wrong_length("statuses", fit.scores.status.size(), rows);
  if (fit.decision.size() != n) return wrong_length("decisions", fit.decision.size(), rows);
  if (fit.confidence.size() != n) return wrong_length("confidences", fit.confidence.size(), rows);
  if (!is_outcome(fit.report.outcome)) {
    return "outcome " + std::to_string(static_cast<int>(fit.report.outcome)) +
           ": must be a value of Outcome";
  }
  return std::nullopt;
}

// What one row breaks; all lists have a place for it.
class RowCheck {
 public:
  RowCheck(const Fit& fit, const LabeledSet& labeled)
      : fit_(fit), classes_(labeled.is_regression() ? 0 : labeled.class_count()) {}

  // Decides without a text, since almost every row is right.
  bool keeps(VertexId row) const {
    const auto at = static_cast<std::size_t>(row);
    const VertexStatus status = fit_.scores.status[at];
    const bool unreached = status == VertexStatus::unreached;
    double sum = 0.0, poison = 0.0;  // v·0 is NaN unless v is finite
    for (const double score : fit_.scores.values.row(row)) {
      sum += std::abs(score);
      poison += score * 0.0;
    }
    const double confidence = fit_.confidence[at];
    return is_status(status) && poison == 0.0 && !(unreached && sum > 0.0) && confidence >= 0.0 &&
           confidence <= 1.0 && right_decision(fit_.decision[at], status);
  }

  std::string fault(VertexId row) const {
    const auto at = static_cast<std::size_t>(row);
    const std::string name = " of row " + std::to_string(row);
    const VertexStatus status = fit_.scores.status[at];
    if (!is_status(status)) {
      return "status" + name + " is " + std::to_string(static_cast<int>(status)) +
             ": must be a value of VertexStatus";
    }
    const bool unreached = status == VertexStatus::unreached;
    const auto scores = fit_.scores.values.row(row);
    for (std::size_t k = 0; k < scores.size(); ++k) {
      const bool finite = std::isfinite(scores[k]);
      if (finite && !(unreached && scores[k] != 0.0)) continue;
      return "score" + name + ", class " + std::to_string(k) + ", is " + to_text(scores[k]) +
             (finite ? ": must be 0 where unreached" : ": must be finite");
    }
    if (!right_decision(fit_.decision[at], status)) {
      return "decision" + name + " is " + std::to_string(fit_.decision[at]) + ": must be " +
             (has_no_answer(status) ? "-1 where " + std::string(to_string(status))
              : classes_ == 0       ? "-1 for a regression"
                                    : "in [0, " + std::to_string(classes_) + ")");
    }
    return "confidence" + name + " is " + to_text(fit_.confidence[at]) + ": must be in [0, 1]";
  }

 private:
  bool right_decision(int decision, VertexStatus status) const {
    if (has_no_answer(status) || classes_ == 0) return decision == -1;
    return decision >= 0 && decision < classes_;
  }

  const Fit& fit_;
  int classes_;  // 0 for a regression
};

// The smaller of two rows; no_vertex is none.
struct FirstRow {
  VertexId row = no_vertex;
  FirstRow& operator+=(const FirstRow& other) {
    if (row == no_vertex) row = other.row;  // added in the order of the blocks
    return *this;
  }
};

// Status `given` where a label was given and nowhere else.
std::optional<std::string> wrong_given(const Fit& fit, const LabeledSet& labeled) {
  const std::vector<VertexStatus>& status = fit.scores.status;
  for (const VertexId v : labeled.vertices()) {
    const auto at = static_cast<std::size_t>(v);
    if (at < status.size() && status[at] == VertexStatus::given) continue;
    return "row " + std::to_string(v) + " is labeled: its status must be given";
  }
  const auto count = std::count(status.begin(), status.end(), VertexStatus::given);
  if (static_cast<std::size_t>(count) == labeled.size()) return std::nullopt;
  return std::to_string(count) + " rows have the status given: must be the " +
         std::to_string(labeled.size()) + " labeled ones";
}

}  // namespace

std::optional<std::string> broken_promise(const Fit& fit, VertexId rows, const LabeledSet& labeled,
                                          int threads, ScoresAsked scores) {
  const int columns = labeled.is_regression() ? 1 : labeled.class_count();
  if (auto wrong = wrong_shape(fit, rows, columns, scores)) return wrong;
  const RowCheck check(fit, labeled);
  const FirstRow first = blocked_sum(rows, threads, [&](std::int64_t begin, std::int64_t end) {
    for (auto row = static_cast<VertexId>(begin); row < end; ++row)
      if (!check.keeps(row)) return FirstRow{row};
    return FirstRow{};
  });
  if (first.row != no_vertex) return check.fault(first.row);
  return wrong_given(fit, labeled);
}

}  // namespace gssl
