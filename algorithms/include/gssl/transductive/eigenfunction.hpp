#pragma once
// Eigenfunction labels: labels from points, without a graph, in time linear in their number.
//
// The points are turned onto their principal axes, and each axis is taken to be independent of the
// others. On each, a histogram of the density stands for the points, and the eigenfunctions of the
// Laplacian with weights exp(−(s − t)²/2ε²) are found on its bins: with P the diagonal of the
// densities and W the weights between bins,
//
//   (D₁ − P W P) g = σ P D₂ g,    D₁ = diag(P W P 1),  D₂ = diag(W P 1)
//
// The k functions of least σ over all axes, read off between bins by straight lines, and the
// constant are the columns of U; the scores of a class are U a for the a that minimizes
// aᵀ Σ a + c · mean over labels of (y_i − (U a)_i)². Scores are clamped to [0, 1], rows scaled to
// one.
//
//   gssl::EigenfunctionLearner learner({.k = 20});
//   gssl::Fit fit = learner.fit(points, labeled, run);
//
// Time O(n d² + d³ + n d k + k bins³ + n k K), memory 8n(d + k). What the axes do not separate (two
// moons) it cannot see. Constant points have the constant function alone. Every point is reached.
// The scale of the points changes nothing. A run that is stopped fits the constant function alone,
// the shares of the classes among the labels, and says so.
//
// Source: R. Fergus, Y. Weiss and A. Torralba. Semi-supervised learning in gigantic image
// collections. NIPS 2009.

#include "gssl/data/points.hpp"
#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

struct EigenfunctionOptions {
  int k = 20;           // eigenfunctions beside the constant; ≥ 1
  int bins = 50;        // of each histogram; [3, 2000]
  double scale = 0.1;   // ε over the spread of the first axis (98 % of its points); > 0, finite
  double weight = 1.0;  // c > 0, finite

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class EigenfunctionLearner final : public PointsLearner {
 public:
  explicit EigenfunctionLearner(EigenfunctionOptions options = {});

  // Throws also ErrorCode::usage for points of more than 5,000 columns.
  Fit fit(const Points& points, const LabeledSet& labeled,
          const RunContext& run = {}) const override;

 private:
  EigenfunctionOptions options_;
};

LearnerEntry eigenfunction_entry();

}  // namespace gssl
