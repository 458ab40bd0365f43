#pragma once
// Trees as rules to read: "2.45 < petal_length <= 4.95 and petal_width <= 1.65". Internal: not
// installed.

#include "batch/tree/tree_table.hpp"
#include "gssl/learn/model_part.hpp"

namespace gssl::detail {

// "rules": a row for each leaf of each tree, numbered from 1, with what the tree answers there: the
// value, or the class of the largest score (the first of equals) and that score. A column that is
// cut several times on the way appears once, with its tightest bounds. The table must outlive it.
ModelPart rules_part(const TreeTable& table, const ModelNames& names);

}  // namespace gssl::detail
