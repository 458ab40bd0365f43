#pragma once
// Whether the decisions of a fit hold the classes in shares far from those of the given labels: the
// sign of scores that a constant decides, where labels are few.
//
//   if (const auto stray = gssl::find_stray_shares(fit, labeled))
//     stray->class_of, stray->decided, stray->labeled;
//
// A class strays if its odds among the inferred vertices are over ten times those among the labels,
// or those of K classes of one size where these are larger (with two classes: 91 % of the
// vertices). So do classes that hold a quarter of the labels and more, if each got a tenth of its
// share or less. Fits of fewer than fifty inferred vertices, of one class and of real targets never
// stray. O(n).

#include <optional>

#include "gssl/data/labels.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

struct StrayShares {
  int class_of = 0;      // the one that holds most beyond its labels
  double decided = 0.0;  // its share of the inferred vertices
  double labeled = 0.0;  // and of the labels
};

std::optional<StrayShares> find_stray_shares(const Fit& fit, const LabeledSet& labeled);

}  // namespace gssl
