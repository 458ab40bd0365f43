#include "gssl/data/dataset.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/core/error.hpp"
#include "gssl/core/number_text.hpp"

namespace gssl {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::bad_data, "data set: " + what);
}

void check_weights(const std::vector<double>& weights) {
  double total = 0.0;
  for (std::size_t r = 0; r < weights.size(); ++r) {
    if (!(weights[r] >= 0.0) || !std::isfinite(weights[r]))
      refuse("row " + std::to_string(r) + ": weight " + to_text(weights[r]) +
             ": must be finite and >= 0");
    total += weights[r];
  }
  if (!weights.empty() && total == 0.0) refuse("all weights are 0: at least one must be more");
  if (!std::isfinite(total)) refuse("the sum of the weights overflows: scale them down");
}

// Rows of each class, or one list of all rows.
std::vector<std::vector<std::int32_t>> strata(const Targets& targets) {
  std::vector<std::vector<std::int32_t>> rows(
      targets.is_regression() ? 1 : static_cast<std::size_t>(targets.class_count()));
  for (std::size_t r = 0; r < targets.size(); ++r)
    rows[targets.is_regression() ? 0 : static_cast<std::size_t>(targets.class_of()[r])].push_back(
        static_cast<std::int32_t>(r));
  return rows;
}

}  // namespace

std::string Dataset::column_name(std::int64_t column) const {
  return column_names.empty() ? std::to_string(column + 1)
                              : column_names[static_cast<std::size_t>(column)];
}

Dataset make_dataset(Points points, Targets targets, std::vector<double> weights,
                     std::vector<std::string> column_names) {
  const auto rows = static_cast<std::size_t>(points.rows());
  if (rows == 0) refuse("no rows: at least one is needed");
  if (targets.size() != rows)
    refuse(std::to_string(targets.size()) + " targets for " + std::to_string(rows) +
           " rows: give one each");
  if (!weights.empty() && weights.size() != rows)
    refuse(std::to_string(weights.size()) + " weights for " + std::to_string(rows) +
           " rows: give one each, or none");
  check_weights(weights);
  if (!column_names.empty() && static_cast<std::int64_t>(column_names.size()) != points.columns())
    refuse(std::to_string(column_names.size()) + " column names for " +
           std::to_string(points.columns()) + " columns: give one each, or none");
  return {std::move(points), std::move(targets), std::move(weights), std::move(column_names)};
}

Dataset select(const Dataset& data, std::span<const std::int32_t> rows) {
  Dataset part{select(data.points, rows), data.targets.select(rows), {}, data.column_names};
  if (!data.weights.empty())
    for (const std::int32_t r : rows)
      part.weights.push_back(data.weights[static_cast<std::size_t>(r)]);
  return part;
}

std::vector<Split> stratified_folds(const Targets& targets, int k, Rng& rng) {
  const auto rows = static_cast<std::int64_t>(targets.size());
  if (k < 2 || k > rows)
    throw Error(ErrorCode::usage, std::to_string(k) + " folds of " + std::to_string(rows) +
                                      " rows: must be from 2 to the number of rows");
  std::vector<int> fold(targets.size());
  int next = 0;  // runs on from class to class, so that the folds are of one size too
  for (auto& stratum : strata(targets)) {
    shuffle(stratum, rng);
    for (const std::int32_t r : stratum) fold[static_cast<std::size_t>(r)] = next++ % k;
  }
  std::vector<Split> splits(static_cast<std::size_t>(k));
  for (std::size_t r = 0; r < fold.size(); ++r)
    for (int f = 0; f < k; ++f)
      (fold[r] == f ? splits[static_cast<std::size_t>(f)].test
                    : splits[static_cast<std::size_t>(f)].training)
          .push_back(static_cast<std::int32_t>(r));
  return splits;
}

Split random_labels(const Targets& targets, std::int64_t per_class, Rng& rng) {
  std::vector<bool> chosen(targets.size(), false);
  const auto all = strata(targets);
  for (std::size_t c = 0; c < all.size(); ++c) {
    std::vector<std::int32_t> stratum = all[c];
    if (static_cast<std::int64_t>(stratum.size()) < per_class)
      refuse(
          (targets.is_regression() ? std::string() : "class " + targets.class_names()[c] + ": ") +
          std::to_string(stratum.size()) + " rows: at least " + std::to_string(per_class) +
          " are needed");
    shuffle(stratum, rng);
    for (std::int64_t i = 0; i < per_class; ++i)
      chosen[static_cast<std::size_t>(stratum[static_cast<std::size_t>(i)])] = true;
  }
  Split split;
  for (std::size_t r = 0; r < chosen.size(); ++r)
    (chosen[r] ? split.training : split.test).push_back(static_cast<std::int32_t>(r));
  return split;
}

}  // namespace gssl
