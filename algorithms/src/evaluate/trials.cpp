#include "gssl/evaluate/trials.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gssl/core/error.hpp"

namespace gssl {

namespace {

void check_repeats(int repeats) {
  if (repeats < 1)
    throw Error(ErrorCode::usage,
                "trials: repeats=" + std::to_string(repeats) + ": must be 1 or more");
}

void check_shares(const Shares& shares) {
  for (const double share : {shares.training, shares.validation, shares.test})
    if (!(share >= 0.0 && share <= 1.0))
      throw Error(ErrorCode::usage, "trials: a share must be in [0, 1]");
  if (shares.training == 0.0 || shares.test == 0.0)
    throw Error(ErrorCode::usage, "trials: give a share of rows to train on and one to test on");
  if (shares.training + shares.validation + shares.test > 1.0 + 1e-9)
    throw Error(ErrorCode::usage, "trials: the shares are more than all rows");
}

// Rows of each class, or all rows of a regression.
std::vector<std::vector<std::int32_t>> strata(const Targets& truth) {
  const bool real = truth.is_regression();
  std::vector<std::vector<std::int32_t>> rows(real ? 1
                                                   : static_cast<std::size_t>(truth.class_count()));
  for (std::size_t i = 0; i < truth.size(); ++i)
    rows[real ? 0 : static_cast<std::size_t>(truth.class_of()[i])].push_back(
        static_cast<std::int32_t>(i));
  return rows;
}

Trial share_out(const Targets& truth, const Shares& shares, Rng rng) {
  Trial trial{.group = "shares"};
  for (std::vector<std::int32_t>& rows : strata(truth)) {
    shuffle(rows, rng);
    const auto n = static_cast<double>(rows.size());
    // Borders by the sums of shares, so that rounding loses no row.
    const auto border = [&](double share) {
      return rows.begin() + static_cast<std::ptrdiff_t>(std::min(n, std::round(share * n)));
    };
    const double second = shares.training + shares.validation;
    const auto first_end = border(shares.training), second_end = border(second);
    const auto end = border(second + shares.test);
    trial.split.training.insert(trial.split.training.end(), rows.begin(), first_end);
    trial.validation.insert(trial.validation.end(), first_end, second_end);
    trial.split.test.insert(trial.split.test.end(), second_end, end);
  }
  for (auto* part : {&trial.split.training, &trial.validation, &trial.split.test})
    std::ranges::sort(*part);
  const bool empty = trial.split.training.empty() || trial.split.test.empty() ||
                     (shares.validation > 0.0 && trial.validation.empty());
  if (empty) throw Error(ErrorCode::bad_data, "trials: too few rows: a share is no row at all");
  return trial;
}

}  // namespace

std::vector<Trial> label_rate_trials(const Targets& truth,
                                     std::span<const std::int64_t> labels_per_class, int repeats,
                                     const RunContext& run) {
  check_repeats(repeats);
  if (labels_per_class.empty())
    throw Error(ErrorCode::usage, "trials: give at least one number of labels a class");
  std::vector<Trial> trials;
  for (const std::int64_t labels : labels_per_class) {
    if (labels < 1) throw Error(ErrorCode::usage, "trials: labels a class: must be 1 or more");
    for (int repeat = 0; repeat < repeats; ++repeat) {
      Rng rng = run.rng(trials.size());
      trials.push_back({std::to_string(labels), random_labels(truth, labels, rng), {}});
      if (trials.back().split.test.empty())
        throw Error(ErrorCode::bad_data, "trials: " + std::to_string(labels) +
                                             " labels a class leave no row to measure");
    }
  }
  return trials;
}

std::vector<Trial> fold_trials(const Targets& truth, int folds, int repeats,
                               const RunContext& run) {
  check_repeats(repeats);
  std::vector<Trial> trials;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    Rng rng = run.rng(static_cast<std::uint64_t>(repeat));
    for (Split& split : stratified_folds(truth, folds, rng))
      trials.push_back({"folds", std::move(split), {}});
  }
  return trials;
}

std::vector<Trial> leave_one_out_trials(const Targets& truth) {
  const auto n = static_cast<std::int32_t>(truth.size());
  if (n < 2) throw Error(ErrorCode::bad_data, "trials: leaving one row out needs two or more");
  std::vector<Trial> trials;
  for (std::int32_t out = 0; out < n; ++out) {
    Trial trial{.group = "leave-one-out"};
    trial.split.test = {out};
    for (std::int32_t row = 0; row < n; ++row)
      if (row != out) trial.split.training.push_back(row);
    trials.push_back(std::move(trial));
  }
  return trials;
}

std::vector<Trial> share_trials(const Targets& truth, const Shares& shares, int repeats,
                                const RunContext& run) {
  check_repeats(repeats);
  check_shares(shares);
  std::vector<Trial> trials;
  trials.reserve(static_cast<std::size_t>(repeats));
  for (int repeat = 0; repeat < repeats; ++repeat)
    trials.push_back(share_out(truth, shares, run.rng(static_cast<std::uint64_t>(repeat))));
  return trials;
}

}  // namespace gssl
