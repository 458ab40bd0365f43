#include "evaluate/kept_rows.hpp"

#include <cmath>
#include <cstdint>
#include <set>
#include <span>
#include <utility>

namespace gssl::detail {
namespace {

using Results = std::span<std::optional<TrialResult>>;

// Of the rows of `right` those that are wanted.
std::string selected(const std::string& right, const std::vector<char>& wanted) {
  std::string some;
  for (std::size_t i = 0; i < right.size(); ++i)
    if (wanted[i] != 0) some += right[i];
  return some;
}

// A result that was stored may be of another number of rows than its trial.
bool has_rows(const std::optional<TrialResult>& result, std::size_t rows) {
  return result->error.empty() && std::cmp_equal(result->test, rows) &&
         result->right.size() == rows;
}

}  // namespace

bool are_disjoint(const std::vector<Trial>& trials, const std::string& group) {
  std::set<std::int32_t> seen;
  for (const Trial& trial : trials) {
    if (trial.group != group) continue;
    for (const std::int32_t row : trial.split.test)
      if (!seen.insert(row).second) return false;
  }
  return true;
}

KeptRows::KeptRows(const std::vector<Trial>& trials, std::size_t methods)
    : trials_(trials), methods_(methods), missing_(trials.size(), methods) {
  for (const Trial& trial : trials)
    if (!disjoint_.contains(trial.group))
      disjoint_[trial.group] = are_disjoint(trials, trial.group);
}

void KeptRows::found(std::vector<std::optional<TrialResult>>& results, std::size_t item) {
  const std::size_t trial = item / methods_;
  const std::string& group = trials_[trial].group;
  if (--missing_[trial] > 0 || disjoint_.at(group)) return;
  std::string there;
  for (std::size_t method = 0; method < methods_; ++method)
    there += results[trial * methods_ + method]->error.empty() ? '1' : '0';
  const auto [entry, first] = waiting_.try_emplace({group, there});
  if (first) {
    entry->second.push_back(trial);
    return;
  }
  for (const std::size_t other : entry->second) drop_rows(results, other);
  entry->second.clear();
  drop_rows(results, trial);
}

void KeptRows::drop_rows(std::vector<std::optional<TrialResult>>& results,
                         std::size_t trial) const {
  const Results own = Results(results).subspan(trial * methods_, methods_);
  std::vector<char> open(trials_[trial].split.test.size(), 0);
  bool residuals = false;
  for (const auto& result : own) {
    for (const double residual : result->residuals) residuals = residuals || std::isnan(residual);
    if (!has_rows(result, open.size())) continue;
    for (std::size_t i = 0; i < open.size(); ++i)
      if (result->right[i] == '-') open[i] = 1;
  }
  for (auto& result : own) {
    if (has_rows(result, open.size())) result->right = selected(result->right, open);
    if (!residuals) result->residuals = {};
  }
}

}  // namespace gssl::detail
