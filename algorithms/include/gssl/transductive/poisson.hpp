#pragma once
// Poisson learning: each label is a source of its class, placed so that what flows in flows out.
// With y_j the one-hot label of vertex j and ȳ the mean of all of them, U solves
//
//   L U = Σ_j δ_j (y_j − ȳ)ᵀ,   Σ_v d_v U_v = 0,
//
// and a vertex belongs to the class of its largest potential. Where harmonic labels flatten to one
// constant when labels are few, because a few fixed values cannot hold a large graph, the
// potentials here keep the shape of the flow: the learner to start with at 1 to 10 labels per
// class.
//
//   gssl::PoissonLearner learner;
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// Class proportions q (mass=priors) multiply column k by q_k/ȳ_k, as in the paper's algorithm.
// Scores are the shares of the classes in the positive part of a row (rows sum to one). Labels are
// soft: a given vertex that is outvoted shows another class. Cost: K−1 columns of the singular
// system, which the solver answers component by component.
//
// Degenerate cases: ȳ and the mean are those of the component; classes with no label in a component
// score 0 there, and one with labels of a single class belongs to it; components with no label are
// `unreached`. Classes only.

#include <vector>

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"
#include "gssl/learn/top_classes.hpp"
#include "gssl/solve/linear_solver.hpp"
#include "gssl/transductive/mass_rule.hpp"
#include "gssl/transductive/shared_graph.hpp"

namespace gssl {

struct PoissonOptions {
  MassRule mass = MassRule::none;  // cmn: q = ȳ, which changes nothing
  std::vector<double> priors = {};
  SolverKind solver = SolverKind::automatic;
  double tolerance = 1e-10;         // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 0;  // 0: chosen by the solver; ≥ 0

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// J. Calder, B. Cook, M. Thorpe, D. Slepčev. Poisson learning: graph based semi-supervised learning
// at very low label rates. ICML 2020, PMLR 119:1306–1316, doi:10.48550/arXiv.2006.11184.
class PoissonLearner final : public TransductiveLearner,
                             public TopClassLearner,
                             public SharingLearner {
 public:
  explicit PoissonLearner(PoissonOptions options = {});

  // Beyond the contract: throws ErrorCode::usage if the number of priors is not that of classes.
  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;
  Fit fit_top(const Graph& graph, const LabeledSet& labeled, int count, TopClasses& best,
              const RunContext& run) const override;
  std::optional<Fit> fit_on(const SharedGraph& shared, const LabeledSet& labeled,
                            const RunContext& run) const override;

  const PoissonOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores, int top, TopClasses* best) const;

  PoissonOptions options_;
};

// "poisson"
LearnerEntry poisson_entry();

}  // namespace gssl
