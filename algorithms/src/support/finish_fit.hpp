#pragma once
// The last step of a learner, from scores to a Fit: decisions, confidence, ties, and what an
// unfinished run leaves open. Internal: not installed.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "unfinished.hpp"

namespace gssl::detail {

// Zeroes unreached rows, decides, measures confidence, warns where there is but one class, marks
// ties, and leaves open what an unfinished run does not decide. Throws ErrorCode::bad_data if a
// score is not finite (weights that span more than a double can hold). The same for any number of
// threads.
Fit finish_fit(Block scores, std::vector<VertexStatus> status, const LabeledSet& labeled,
               GivenLabels given, Report report, int threads = 1);

// Decides anew after the scores of inferred rows changed; given vertices keep their confidence.
void judge_inferred(Fit& fit, const LabeledSet& labeled);

}  // namespace gssl::detail
