#pragma once
// Which vertices have an answer when the work ended before its tolerance: one rule for every
// learner. Internal: not installed.
//
// A score is then off by some amount that nobody knows. report.score_error is an estimate of it, as
// a share of the largest score:
//   - with an estimate, a vertex keeps its class if the estimate is at most score_error_limit and
//     its two best scores are further apart than that;
//   - without one, an iteration limit or the end of what doubles can do leaves the answer of that
//     many steps, and every vertex where two scores differ keeps its class; a time limit or a
//     cancelled run, which end anywhere, leave none.
// The others are `unfinished`: no class, confidence 0. Their scores stay as they are.

#include <optional>

#include "gssl/learn/learner.hpp"

namespace gssl::detail {

enum class GivenLabels { hard, soft };

// A share of the largest score; beyond it not even the vertices far from others' labels are safe.
inline constexpr double score_error_limit = 0.01;

// The estimate for scores that are the solution of a linear system: the larger of the estimated
// relative error and the relative residual; from a residual alone, 10⁴ times that. None where the
// solve met its tolerance, for then no estimate is asked for.
std::optional<double> estimated_score_error(const SolveReport& report);
inline std::optional<double> estimated_score_error(const Report& report) {
  return estimated_score_error(solve_report(report));
}

// Puts the rule to work on a fit with decisions and confidences, if its report says that it was not
// finished. A given vertex keeps its own label; where that label is soft and the scores do not
// decide, with confidence 0. O(nK); may be called again once scores or the report have changed.
void mark_unfinished(Fit& fit, const LabeledSet& labeled, GivenLabels given);

}  // namespace gssl::detail
