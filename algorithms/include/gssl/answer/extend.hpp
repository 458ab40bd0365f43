#pragma once
// Scores for points that were not in the graph, without fitting again: each is the mean of the
// scores of its nearest graph points, by the weights that its edges would have,
//   f(x) = Σ_j w(x, x_j) f_j / Σ_j w(x, x_j)
// (Delalleau, Bengio and Le Roux 2005, "Efficient non-parametric function induction in
// semi-supervised learning", AISTATS, eq. 5). It is what x would get as one more vertex of the
// harmonic problem if it changed no one else.
//
//   gssl::KnnLists near = gssl::nearest_points(points, others, k, metric);
//   gssl::Fit found = gssl::extend(fit, near, {.kind = report.kind, .scale = report.scale});
//   found.scores.values(q, c);  found.decision[q];
//
// Weights count relative to one another, so none underflows for lying far from everything. A point
// at distance 0 from others has, under inverse weights, the plain mean of these.

#include <vector>

#include "gssl/graph/edge_weights.hpp"
#include "gssl/graph/knn_lists.hpp"
#include "gssl/learn/learner.hpp"

namespace gssl {

struct ExtensionWeights {
  WeightKind kind = WeightKind::gaussian;
  double scale = 1.0;  // c > 0 of the graph's weights, as reported
  // self_tuning: the local scale of each vertex. That of a new point is its last distance.
  std::vector<double> local_scale = {};
};

// `nearest`: rows are new points, neighbors vertices of the fit. The result goes by these rows:
// status is inferred, or where no neighbor has an answer (scores 0) unfinished if one of them is
// and unreached otherwise; neighbors without an answer do not count. Its report is empty. Throws
// ErrorCode::usage if a neighbor is no vertex of the fit, the scale is not finite and > 0, or local
// scales are missing. O(new points · k · classes).
Fit extend(const Fit& fit, const KnnLists& nearest, const ExtensionWeights& weights,
           const RunContext& run = {});

}  // namespace gssl
