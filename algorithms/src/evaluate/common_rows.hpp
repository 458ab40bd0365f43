#pragma once
// Two learners on the rows that both answer. Internal: not installed.
//
//   PairMeasures m = on_common_rows(a, b, regression);     // of one trial
//   CommonRows all = common_rows(own, best, regression, pooled);

#include <cstdint>
#include <optional>

#include "evaluate/pooled_trials.hpp"
#include "gssl/evaluate/comparison.hpp"

namespace gssl::detail {

struct PairMeasures {
  std::int64_t rows = 0;
  double a = 0.0;  // accuracy, or root mean squared error; NaN for no rows
  double b = 0.0;
};

// Precondition: both are of one trial.
PairMeasures on_common_rows(const TrialResult& a, const TrialResult& b, bool regression);

// Over the trials that both have: means over those with such rows, or with `pooled`, where each
// measures one row, of all rows together.
CommonRows common_rows(const ByTrial& own, const ByTrial& best, bool regression, bool pooled);

// Of the rows that just one of two learners of classes has right, in the trials that both have:
// nothing where there are no rows to compare, or not all are kept.
struct OneRight {
  std::int64_t best = 0, other = 0;
};
std::optional<OneRight> right_alone(const ByTrial& best, const ByTrial& other);

}  // namespace gssl::detail
