#pragma once
// Trials that measure one row each, as leave-one-out makes them: a metric of one row says little
// and its mean over rows something else (the balanced accuracy of one row is its accuracy), so that
// their rows are measured together. Internal: not installed.
//
//   if (measures_one_row_each(trials, group)) whole = pooled_result(results, regression);

#include <map>
#include <string>
#include <vector>

#include "gssl/evaluate/evaluation.hpp"

namespace gssl::detail {

// Results of one learner in one group, by trial.
using ByTrial = std::map<int, const TrialResult*>;

// Whether the group has several trials and each measures one row.
bool measures_one_row_each(const std::vector<Trial>& trials, const std::string& group);

// The result of one trial that measures all these rows. Precondition: there is one at least.
// O(n log n).
TrialResult pooled_result(const ByTrial& results, bool regression);

}  // namespace gssl::detail
