#pragma once
// A table to learn from: rows of features, a target for each, and what is known of rows and
// columns beside.
//
//   gssl::Dataset data = gssl::make_dataset(points, gssl::Targets::classes(labels));
//   gssl::Split split = gssl::stratified_folds(data.targets, 10, rng)[0];
//   gssl::Dataset training = gssl::select(data, split.training);

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gssl/core/rng.hpp"
#include "gssl/data/points.hpp"
#include "gssl/data/targets.hpp"

namespace gssl {

struct Dataset {
  Points points;
  Targets targets;  // one for each row
  // How much each row counts; ≥ 0, finite. Empty: 1 each. A row of weight 2 is that row twice.
  std::vector<double> weights;
  std::vector<std::string> column_names;  // empty: columns are called 1, 2, …

  double weight(std::int64_t row) const {
    return weights.empty() ? 1.0 : weights[static_cast<std::size_t>(row)];
  }
  std::string column_name(std::int64_t column) const;
};

// Throws ErrorCode::bad_data unless there is at least one row, a target and a weight (if any are
// given) for each, weights finite, ≥ 0 and not all 0, and as many names as columns (if any).
Dataset make_dataset(Points points, Targets targets, std::vector<double> weights = {},
                     std::vector<std::string> column_names = {});

// Some rows, in that order, repetitions kept. Throws ErrorCode::bad_data on a row out of range.
Dataset select(const Dataset& data, std::span<const std::int32_t> rows);

// Rows to learn from and rows to be measured on, both ascending; no row is in both.
struct Split {
  std::vector<std::int32_t> training;
  std::vector<std::int32_t> test;
};

// k splits whose test parts together are all rows once. Rows of a class (of a regression, all rows)
// are shuffled and dealt to the folds in turn, so that no two folds differ by more than one row of
// a class. Throws ErrorCode::usage unless 2 ≤ k ≤ rows.
std::vector<Split> stratified_folds(const Targets& targets, int k, Rng& rng);

// `per_class` random rows of each class to learn from, the others to be measured on. Throws
// ErrorCode::bad_data where a class has fewer, naming it.
Split random_labels(const Targets& targets, std::int64_t per_class, Rng& rng);

}  // namespace gssl
