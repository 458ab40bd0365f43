#pragma once
// The nearest training rows of dense queries with many columns: all products in single precision,
// block by block, bound every distance from below and above; what passes is computed in double.
// Internal: not installed.
//
//   if (suits_blocks(points, queries, metric)) lists = nearest_by_blocks(points, queries, k, run);

#include "gssl/graph/knn_lists.hpp"

namespace gssl::detail {

// From the sizes alone: dense rows, euclidean, columns too many for a tree, and enough rows.
bool suits_blocks(const Points& points, const Points& queries, Metric metric);

// Row q holds the min(k, points.rows()) nearest of `points` to row q of `queries`, exactly, in the
// order (squared distance, row number). 2·n·queries·columns operations; 4·columns bytes a row of
// both, and 64 MB a thread. Throws what RunContext::throw_if_stopped() does. Precondition:
// suits_blocks(), k ≥ 1.
KnnLists nearest_by_blocks(const Points& points, const Points& queries, int k,
                           const RunContext& run);

}  // namespace gssl::detail
