#pragma once
// Harmonic scores read by a rule that looks at the labels first; the learner to start with.
//
// Where labels are few, harmonic scores are nearly constant, and the constant decides: the class
// whose labels are tied best, or that has most of them, takes nearly everything. Dividing the score
// of each class by its mass over the graph cures that, if the shares asked of the classes are
// right. Nobody knows them, so the rule, for every component by itself, is:
//
//   1  Real targets, or labels of one class: harmonic.
//   2  Shares of the classes given (`priors`): harmonic scores, decisions that meet them.
//   3  A component with fewer than five vertices to infer for each of its classes: harmonic, since
//      masses of so few say nothing.
//   4  Otherwise class masses become proportional to the labels of the classes, but a class with
//      more labels than the median class counts as that one: unequal counts say how labels were
//      gathered more often than how large classes are.
//   5  With ten labels or more in the median class, each label is left out and predicted from the
//      others. Harmonic scores stay as they are where the masses do no better than they by more
//      than one standard error; where a class has over twice the labels of the median class, only
//      where the masses do worse by as much. Classes count alike, whatever their labels.
//      Where that would take too long, harmonic stays if a twentieth of the vertices are labeled.
//
//   gssl::AutomaticLearner learner;
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//   fit.report.sentence;   // which of these, and why
//
// Leaving out needs no fit for each label. With S the Schur complement of L on the labeled
// vertices, the harmonic score of vertex i without its label is y_i − (S Y)_i / S_ii, and (S Y)_i =
// (L F)_i comes from the scores at hand. S_ii takes one column of the system that is already
// prepared; at most 100 labels, and as many as make a million numbers, are tried.
//
// Cost: as harmonic, and in case 5 these columns. Degenerate cases: as harmonic; a component with
// labels of one class belongs to it. Certificate `left_out`: mean over the classes of the share of
// left-out labels predicted right, by harmonic scores and by the masses.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/learn/top_classes.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/shared_graph.hpp"

namespace gssl {

struct AutomaticOptions {
  std::vector<double> priors = {};  // shares to meet: one finite number ≥ 0 per class, not all 0
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// X. Zhu, Z. Ghahramani, J. Lafferty. Semi-supervised learning using Gaussian fields and harmonic
// functions. ICML 2003 (scores and class masses); the rule is this library's.
class AutomaticLearner final : public TransductiveLearner,
                               public TopClassLearner,
                               public SharingLearner {
 public:
  explicit AutomaticLearner(AutomaticOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if the number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;
  Fit fit_top(const Graph& graph, const LabeledSet& labeled, int count, TopClasses& best,
              const RunContext& run) const override;
  std::optional<Fit> fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                            const RunContext& run) const override;

  const AutomaticOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores, int top, TopClasses* best) const;

  AutomaticOptions options_;
};

// "auto"
LearnerEntry automatic_entry();

}  // namespace gssl
