#pragma once
// The scores of labeled vertices are their labels. Internal: not installed.

#include "gssl/core/block.hpp"
#include "gssl/data/labels.hpp"

namespace gssl::detail {

// Writes the given labels into their rows.
void set_given_rows(Block& scores, const LabeledSet& labeled, int threads);

}  // namespace gssl::detail
