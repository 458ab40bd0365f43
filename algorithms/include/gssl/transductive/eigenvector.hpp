#pragma once
// Eigenvector labels: the smoothest fit to the labels in the span of the k smoothest eigenvectors
// of a graph. With L u_j = λ_j D u_j, U = [u_1 … u_k] and c the weight of the labels, the scores of
// a class are U a for the a that minimizes
//
//   aᵀ Λ a + c Σ over labels of d_i (y_i − (U a)_i)²,    Λ = diag(λ)
//
// which is the soft-label problem of the graph restricted to k dimensions: k×k systems once the
// eigenvectors are there. Scores are clamped to [0, 1] and rows scaled to sum one.
//
//   gssl::EigenvectorLearner learner({.k = 30});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Each component with a label is fitted for itself, with k eigenvectors of its own. If eigenvalues
// k and k + 1 are copies of one, all its copies are left out, so that the span is that of whole
// eigenspaces. Soft labels: a given vertex may be decided otherwise. Cost: that of
// linalg/spectrum.hpp, and O(n k K + k³). Certificate: residuals of the eigenpairs.
//
// Sources: M. Belkin and P. Niyogi 2004, doi:10.1023/B:MACH.0000033120.25363.1e; R. Fergus,
// Y. Weiss and A. Torralba, NIPS 2009.

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/linalg/spectrum.hpp"

namespace gssl {

struct EigenvectorOptions {
  int k = 50;               // eigenvectors of each component, the constant one included; ≥ 1
  double weight = 10.0;     // c > 0, finite
  double tolerance = 1e-6;  // of the eigenpairs, as in SpectrumOptions
  SpectrumMethod method = SpectrumMethod::automatic;

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

class EigenvectorLearner final : public TransductiveLearner {
 public:
  explicit EigenvectorLearner(EigenvectorOptions options = {});
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;

 private:
  EigenvectorOptions options_;
};

LearnerEntry eigenvector_entry();

}  // namespace gssl
