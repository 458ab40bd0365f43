#pragma once
// Whether what a learner returned keeps the promises of learner.hpp. Whoever writes a learner calls
// it in a test; the registry calls it after every fit, since a row too few or a class that does not
// exist would be read beyond the end of a list by all that comes after.
//
//   if (auto broken = gssl::broken_promise(fit, graph.vertex_count(), labeled))
//   puts(broken->c_str());
//
// O(nK) time on `threads` threads, no memory beside a few numbers for each 4096 rows.

#include <optional>
#include <string>

#include "gssl/data/labels.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

enum class ScoresAsked { yes, no };  // no: they may be missing, as fit_without_scores() leaves them

// The first promise that is broken, in words ("score of row 3, class 1, is nan: must be finite"),
// or nothing. Rows and classes count from 0. `rows` is the number of vertices or points that were
// fitted, `labeled` what was given. What is checked: n×K scores (one column for a regression), a
// status, a decision and a confidence for every row; scores finite, and 0 where unreached; status
// `given` at the labeled rows and at no other; decisions in [0, K), −1 where unreached or
// unfinished or for a regression; confidences in [0, 1].
std::optional<std::string> broken_promise(const Fit& fit, VertexId rows, const LabeledSet& labeled,
                                          int threads = 1, ScoresAsked scores = ScoresAsked::yes);

}  // namespace gssl
