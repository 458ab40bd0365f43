#include "gssl/learn/inductive.hpp"

#include <algorithm>

#include "gssl/core/error.hpp"

namespace gssl {

std::vector<int> decide(const Block& scores, ScoreKind kind) {
  std::vector<int> decision(static_cast<std::size_t>(scores.rows()), -1);
  if (kind == ScoreKind::value || scores.columns() == 0) return decision;
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    const auto row = scores.row(r);
    decision[static_cast<std::size_t>(r)] =
        static_cast<int>(std::ranges::max_element(row) - row.begin());
  }
  return decision;
}

std::vector<double> confidence(const Block& scores, ScoreKind kind) {
  std::vector<double> confidence(static_cast<std::size_t>(scores.rows()), 1.0);
  if (kind == ScoreKind::value) return confidence;
  for (std::int64_t r = 0; r < scores.rows(); ++r) {
    const auto row = scores.row(r);
    if (row.empty()) continue;
    double& sure = confidence[static_cast<std::size_t>(r)];
    const auto best = std::ranges::max_element(row);
    if (kind != ScoreKind::decision) {
      sure = std::clamp(*best, 0.0, 1.0);
    } else if (row.size() > 1) {
      const auto second =
          std::max(row.begin() == best ? -1e300 : *std::max_element(row.begin(), best),
                   best + 1 == row.end() ? -1e300 : *std::max_element(best + 1, row.end()));
      const double margin = *best - second;
      sure = margin / (1.0 + margin);
    }
  }
  return confidence;
}

void check_columns(std::string_view learner, const Points& points, std::int64_t columns) {
  if (points.columns() != columns)
    throw Error(ErrorCode::bad_data,
                std::string(learner) + ": " + std::to_string(points.columns()) +
                    " columns: the model was learned from " + std::to_string(columns));
}

void check_targets(std::string_view learner, const Dataset& data, bool classification,
                   bool regression) {
  if (data.targets.is_regression() && !regression)
    throw Error(ErrorCode::usage,
                std::string(learner) + ": real targets: this learner needs classes");
  if (!data.targets.is_regression() && !classification)
    throw Error(ErrorCode::usage,
                std::string(learner) + ": classes: this learner needs real targets");
}

}  // namespace gssl
