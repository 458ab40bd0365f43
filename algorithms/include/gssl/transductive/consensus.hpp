#pragma once
// Consensus: vertices that know only their neighbors agree on the harmonic labels. Again and again
// a vertex that was not given replaces its scores by the weighted mean of its neighbors'; the
// energy uᵀLu never rises, and the limit is the harmonic solution.
//
//   gssl::ConsensusLearner learner({.mode = gssl::ConsensusMode::asynchronous});
//   gssl::Fit fit = learner.fit(graph, labeled, run);
//
// One sweep costs O(K(n + m)); the number of sweeps grows with the time a random walk needs to meet
// a label, so harmonic is the quicker way to the same answer. This learner is the distributed
// algorithm itself: no vertex is eliminated first. Degenerate cases as for harmonic.

#include "gssl/learn/learner.hpp"
#include "gssl/learn/registry.hpp"

namespace gssl {

enum class ConsensusMode {
  sequential,   // vertices in ascending order; the same bytes every time
  asynchronous  // all threads at once and no order: meets the tolerance, bytes differ between runs
};

struct ConsensusOptions {
  ConsensusMode mode = ConsensusMode::sequential;
  double tolerance = 1e-8;  // ‖b−Ax‖ ≤ tolerance·‖b‖ in every column; (0, 1)
  std::int64_t max_iterations = 10'000'000;  // sweeps; ≥ 1

  void validate() const;  // throws ErrorCode::usage: option, value, rule
};

// D. P. Bertsekas, J. N. Tsitsiklis. Parallel and Distributed Computation, 1989, sections 2.5
// and 6.3 (asynchronous relaxation); R. Olfati-Saber, J. A. Fax, R. M. Murray 2007,
// doi:10.1109/JPROC.2006.887293.
class ConsensusLearner final : public TransductiveLearner {
 public:
  explicit ConsensusLearner(ConsensusOptions options = {});

  Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run = {}) const override;
  Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                         const RunContext& run = {}) const override;

  const ConsensusOptions& options() const { return options_; }

 private:
  Fit fit_keeping(const Graph& graph, const LabeledSet& labeled, const RunContext& run,
                  bool keep_scores) const;

  ConsensusOptions options_;
};

// "consensus". Its trait `deterministic` speaks of the default mode; mode=asynchronous is exempt.
LearnerEntry consensus_entry();

}  // namespace gssl
