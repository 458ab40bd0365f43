#pragma once
// Label propagation: F ← D⁻¹W F with the rows of the given vertices held fixed, from F = 0
// elsewhere, until a step changes little. Its limit is the harmonic solution.
//
//   gssl::LabelPropagationLearner learner({.tolerance = 1e-8});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// One step costs O(K(n + m)) and runs on all threads. It stops when no score moves by more than
// tolerance × the largest |target| in one step. That is a small step, not a small error: where a
// walk takes t steps to meet a label the error may be t times as large. The report therefore also
// gives the true residual of the harmonic system, and iteration_limit when the steps ran out.
// Scores of a free vertex grow from 0 and sum to at most one. Degenerate cases as for harmonic.

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/learn/top_classes.hpp"

namespace gssl {

struct LabelPropagationOptions {
  double tolerance = 1e-6;  // largest change of one step, relative to max |target|; (0, 1)
  std::int64_t max_iterations = 10000;  // steps; ≥ 1

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// X. Zhu, Z. Ghahramani. Learning from labeled and unlabeled data with label propagation. Technical
// report CMU-CALD-02-107, 2002.
class LabelPropagationLearner final : public TransductiveLearner, public TopClassLearner {
 public:
  explicit LabelPropagationLearner(LabelPropagationOptions options = {});

  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  // Where classes are many or memory is short, each block of them ends when it has settled.
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;
  Fit fit_top(const Graph& graph, const LabeledSet& labeled, int count, TopClasses& best,
              const RunContext& run) const override;

  const LabelPropagationOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores, int top, TopClasses* best) const;

  LabelPropagationOptions options_;
};

// "label-propagation"
LearnerEntry label_propagation_entry();

}  // namespace gssl
