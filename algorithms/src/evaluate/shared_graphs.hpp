#pragma once
// What the fits of an evaluation on its graphs share, for each graph that learners may learn from.
// Internal: not installed.
//
//   SharedGraphs shared(problem, graphs, fits, trials, run);
//   Fit fit = shared.fit(learner, *inputs.graph, given, run);

#include <map>
#include <memory>
#include <vector>

#include "gssl/evaluate/evaluation.hpp"
#include "gssl/transductive/shared_graph.hpp"

namespace gssl::detail {

class SharedGraphs {
 public:
  // `fits_of`: of each graph, the fits of one trial that can share. Graphs without are left out.
  SharedGraphs(const EvaluationProblem& problem, const std::map<const Graph*, int>& fits_of,
               const std::vector<Trial>& trials, const RunContext& run);

  // As learner.fit(graph, labeled, run).
  Fit fit(const MadeLearner& learner, const Graph& graph, const LabeledSet& labeled,
          const RunContext& run) const;

 private:
  std::map<const Graph*, std::unique_ptr<const SharedGraph>> of_graph_;
};

}  // namespace gssl::detail
