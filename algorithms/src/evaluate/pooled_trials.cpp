#include "evaluate/pooled_trials.hpp"

#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "evaluate/trial_measures.hpp"

namespace gssl::detail {
namespace {

// What the one row was answered with.
int answer_in(const Confusion& counts) {
  for (int k = 0; k < counts.classes(); ++k)
    if (counts.answers_of(k) > 0) return k;
  return no_answer;
}

Targets truth_of(const ByTrial& results, bool regression) {
  std::vector<double> values;
  std::vector<int> class_of;
  for (const auto& [trial, result] : results) {
    values.push_back(result->truth);
    if (!regression) class_of.push_back(static_cast<int>(result->truth));
  }
  if (regression) return Targets::reals(std::move(values));
  std::vector<std::string> names;
  for (int k = 0; k < results.begin()->second->counts.classes(); ++k)
    names.push_back(std::to_string(k));
  return Targets::classes(std::move(class_of), std::move(names));
}

Answers answers_of(const ByTrial& results, std::int64_t columns) {
  Answers all;
  all.scores = Block(std::ssize(results), columns);
  all.shares = true;
  for (const auto& [trial, result] : results) {
    const auto row = std::ssize(all.answer);
    const bool answered = !result->scores.empty();
    for (std::size_t k = 0; k < result->scores.size(); ++k)
      all.scores(row, static_cast<std::int64_t>(k)) = result->scores[k];
    all.answer.push_back(answer_in(result->counts));
    all.answered.push_back(answered ? 1 : 0);
    // The one bin that the row is in.
    all.confidence.push_back(result->reliability.empty() ? 0.0
                                                         : result->reliability.front().confidence);
    if (answered && std::isnan(result->log_loss)) all.shares = false;
    all.unreached += result->unreached;
    all.tied += result->tied;
    all.unfinished += result->unfinished;
    all.converged = all.converged && result->converged;
  }
  return all;
}

}  // namespace

bool measures_one_row_each(const std::vector<Trial>& trials, const std::string& group) {
  std::int64_t count = 0;
  for (const Trial& trial : trials) {
    if (trial.group != group) continue;
    if (trial.split.test.size() != 1) return false;
    ++count;
  }
  return count > 1;
}

TrialResult pooled_result(const ByTrial& results, bool regression) {
  const Targets truth = truth_of(results, regression);
  RowIds rows(results.size());
  std::iota(rows.begin(), rows.end(), 0);
  TrialResult whole;
  measure(answers_of(results, regression ? 1 : truth.class_count()), truth, rows, whole);
  return whole;
}

}  // namespace gssl::detail
