#pragma once
// Local and global consistency (label spreading): F = (1−α)(I − αS)⁻¹Y with S = D^-½ W D^-½ and
// one-hot Y. Labels spread by S and are pulled back to what was given by 1−α; unlike harmonic, a
// given vertex may be outvoted by its neighbors.
//
//   gssl::LocalGlobalLearner learner({.alpha = 0.9});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Solved as a grounded Laplacian: with F = D^½ Z and β = (1−α)/α,
//   (L + βD) Z = β D^½ Y,
// so each vertex is tied to earth by β times its degree. All K columns are solved: rows do not sum
// to one, and scores are those of the formula, unscaled. Cost: that of the solver; the condition
// number is below 1 + 2/β.
//
// Degenerate cases: a vertex with no edge keeps (1−α) times its own label if it was given one;
// components with no label are `unreached`. Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/learn/top_classes.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"
#include "gssl/transductive/shared_graph.hpp"

namespace gssl {

struct LocalGlobalOptions {
  double alpha = 0.99;             // share of a score that comes from the neighbors; (0, 1)
  MassRule mass = MassRule::none;  // rescales scores, as in harmonic.hpp
  std::vector<double> priors = {};
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// D. Zhou, O. Bousquet, T. N. Lal, J. Weston, B. Schölkopf. Learning with local and global
// consistency. NIPS 2003.
class LocalGlobalLearner final : public TransductiveLearner,
                                 public TopClassLearner,
                                 public SharingLearner {
 public:
  explicit LocalGlobalLearner(LocalGlobalOptions options = {});

  // Given vertices get the scores that were solved for (soft labels).
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;
  Fit fit_top(const Graph& graph, const LabeledSet& labeled, int count, TopClasses& best,
              const RunContext& run) const override;
  std::optional<Fit> fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                            const RunContext& run) const override;

  const LocalGlobalOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores, int top, TopClasses* best) const;
  // √degree times the answers of the system, as scores.
  Fit fit_of_answers(Block x, const std::vector<double>& root_degree,
                     const std::vector<VertexId>& unreached, const Graph& graph,
                     const LabeledSet& labeled, Report report, const RunContext& run) const;

  LocalGlobalOptions options_;
};

// "local-global"
LearnerEntry local_global_entry();

}  // namespace gssl
