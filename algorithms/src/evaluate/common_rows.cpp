#include "evaluate/common_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace gssl::detail {
namespace {

constexpr double no_common_rows = std::numeric_limits<double>::quiet_NaN();

bool answers_all(const TrialResult& result) { return result.unanswered() == 0; }

// Share of right answers. Rows that are not kept are those that both answer.
PairMeasures shares_right(const TrialResult& a, const TrialResult& b) {
  std::int64_t rows = a.test - std::ssize(a.right);
  std::int64_t right_a = a.counts.right() - std::ranges::count(a.right, '1');
  std::int64_t right_b = b.counts.right() - std::ranges::count(b.right, '1');
  for (std::size_t i = 0; i < a.right.size(); ++i) {
    if (a.right[i] == '-' || b.right[i] == '-') continue;
    ++rows;
    right_a += a.right[i] == '1' ? 1 : 0;
    right_b += b.right[i] == '1' ? 1 : 0;
  }
  if (rows == 0) return {0, no_common_rows, no_common_rows};
  const auto n = static_cast<double>(rows);
  return {rows, static_cast<double>(right_a) / n, static_cast<double>(right_b) / n};
}

PairMeasures root_mean_squares(const std::vector<double>& a, const std::vector<double>& b) {
  std::int64_t rows = 0;
  double squares_a = 0.0, squares_b = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) || std::isnan(b[i])) continue;
    ++rows;
    squares_a += a[i] * a[i];
    squares_b += b[i] * b[i];
  }
  if (rows == 0) return {0, no_common_rows, no_common_rows};
  const auto n = static_cast<double>(rows);
  return {rows, std::sqrt(squares_a / n), std::sqrt(squares_b / n)};
}

}  // namespace

PairMeasures on_common_rows(const TrialResult& a, const TrialResult& b, bool regression) {
  const bool whole = answers_all(a) && answers_all(b);
  if (regression) {
    if (whole || a.residuals.size() != b.residuals.size())
      return {a.test, a.errors.rmse, b.errors.rmse};
    return root_mean_squares(a.residuals, b.residuals);
  }
  if (whole || a.right.size() != b.right.size()) return {a.test, a.accuracy(), b.accuracy()};
  return shares_right(a, b);
}

CommonRows common_rows(const ByTrial& own, const ByTrial& best, bool regression, bool pooled) {
  CommonRows common;
  const bool squares = pooled && regression;
  double measures = 0.0;
  for (const auto& [trial, result] : own) {
    const auto at = best.find(trial);
    if (at == best.end()) continue;
    const PairMeasures one = on_common_rows(*result, *at->second, regression);
    if (one.rows == 0) continue;
    common.rows += one.rows;
    common.value += squares ? one.a * one.a : one.a;
    common.best += squares ? one.b * one.b : one.b;
    measures += 1.0;
  }
  for (double* value : {&common.value, &common.best}) {
    *value = measures > 0.0 ? *value / measures : no_common_rows;
    if (squares) *value = std::sqrt(*value);
  }
  return common;
}

std::optional<OneRight> right_alone(const ByTrial& best, const ByTrial& other) {
  OneRight found;
  bool any = false;
  for (const auto& [trial, result] : other) {
    const auto at = best.find(trial);
    if (at == best.end()) continue;
    const std::string& a = at->second->right;
    const std::string& b = result->right;
    if (a.empty() || a.size() != b.size() || std::ssize(a) != result->test) return std::nullopt;
    any = true;
    for (std::size_t i = 0; i < a.size(); ++i) {
      found.best += a[i] == '1' && b[i] != '1' ? 1 : 0;
      found.other += b[i] == '1' && a[i] != '1' ? 1 : 0;
    }
  }
  return any ? std::optional(found) : std::nullopt;
}

}  // namespace gssl::detail
