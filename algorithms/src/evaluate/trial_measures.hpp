#pragma once
// What the answers for some rows are worth. Internal: not installed.
//
//   measure(fitter.answers(learner, inputs, training, test, …), truth, test, result);
//   if (worth(result, truth, split) > best) …

#include "evaluate/trial_answers.hpp"

namespace gssl::detail {

// Fills in every metric and count of `result` for the rows `test` of the truth.
void measure(const Answers& found, const Targets& truth, const RowIds& test, TrialResult& result);

// The larger, the better: accuracy, or −RMSE where a row without an answer counts as the mean of the
// training part. −∞ where nothing was measured. Precondition: `result` is of `split`, no part empty.
double worth(const TrialResult& result, const Targets& truth, const Split& split);

}  // namespace gssl::detail
