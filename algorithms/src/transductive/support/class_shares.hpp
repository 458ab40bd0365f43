#pragma once
// Class shares of a finished fit: masses rescaled within components, and shares met by decisions.
// Internal: not installed.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "label_groups.hpp"

namespace gssl::detail {

// Sum of the scores of every class over the inferred vertices: groups × classes. O(nK).
Block class_masses(const Fit& fit, const LabelGroups& groups, int threads);

// Multiplies column c of the inferred rows of group g by q(g, c) / mass(g, c), then makes each of
// these rows sum to one. A group with q all 0 stays as it is; so does a row that would become zero.
// No component influences another, unlike in rescale_mass(). O(nK).
void rescale_in_groups(Fit& fit, const LabeledSet& labeled, const LabelGroups& groups,
                       const Block& mass, const Block& q, int threads);

// Makes the decisions of all reached vertices, the given ones among them, meet the shares q: one
// finite number ≥ 0 for each class, not all 0. The scores of the inferred rows are rescaled to
// these masses; then class c has a price, the same everywhere, and a row becomes the memberships (≥
// 0, sum 1) nearest to scores less prices. A row that is sure (its best score is 1, as where a
// component has labels of one class) stays. A class that no row leans to cannot be met, and rows
// with equal scores go together: the certificate `share_error`, max_c |share − q_c|, says what is
// left, and a warning where that is more than a vertex and 1 %. O(nK²) time for the prices.
void meet_shares(Fit& fit, const LabeledSet& labeled, const std::vector<double>& q,
                 const RunContext& run);

}  // namespace gssl::detail
