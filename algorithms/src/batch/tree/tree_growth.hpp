#pragma once
// Grows one tree from sorted columns. A node is the same stretch of every column's list; when it is
// cut, each list is parted in place, order kept, so that nothing is ever sorted again (SPRINT:
// Shafer, Agrawal, Mehta, VLDB 1996).
//
//   detail::TreeRows rows(data.targets, data.weights);
//   detail::SortedColumns sorted(data.points, run);
//   DecisionTree tree = detail::grow_tree(data.points, sorted, rows, {.min_leaf = 3}, run);
//
// Large nodes are cut one after the other, their columns on several threads; small ones are grown
// each by one thread as trees of their own and put in their places: the tree does not depend on the
// number of threads. O(nd) a level, 8 bytes a value held beside the sorted columns.

#include <optional>

#include "batch/tree/column_scan.hpp"
#include "batch/tree/sorted_columns.hpp"
#include "batch/tree/tree_rows.hpp"
#include "gssl/batch/decision_tree.hpp"
#include "gssl/batch/tree.hpp"
#include "gssl/core/run_context.hpp"

namespace gssl::detail {

struct GrowthRules {
  TreeImpurity impurity = TreeImpurity::gini;
  int depth = 0;           // 0: no limit
  double min_leaf = 1.0;   // in rows, a row of weight w counting max(1, w)
  double min_split = 2.0;  // likewise
  std::int64_t tried = 0;  // random columns that are tried at each node; 0: all
};

// Rows of weight 0 are left out. Where columns are drawn, `rng` draws them, node by node in
// preorder, and one thread grows the tree. When the run is stopped, nodes not yet cut stay leaves.
DecisionTree grow_tree(const Points& points, const SortedColumns& sorted, const TreeRows& rows,
                       const GrowthRules& rules, const RunContext& run, Rng* rng = nullptr);

}  // namespace gssl::detail
