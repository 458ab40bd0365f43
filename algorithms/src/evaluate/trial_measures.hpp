#pragma once
// What the answers for some rows are worth. Internal: not installed.
//
//   measure(fitter.answers(learner, inputs, training, test, …), truth, test, result);
//   if (worth(result, truth.is_regression()) > best) …

#include "evaluate/trial_answers.hpp"

namespace gssl::detail {

// Fills in every metric and count of `result` for the rows `test` of the truth.
void measure(const Answers& found, const Targets& truth, const Rows& test, TrialResult& result);

// The larger, the better; −∞ where nothing was measured.
double worth(const TrialResult& result, bool regression);

}  // namespace gssl::detail
