#pragma once
// The contract of a transductive learner: a graph and some labels in, scores for every vertex out.
//
// `fit` is const and returns what it found, so a learner can be shared and "predict before fit"
// cannot be written. Every learner must
//   - give `given` vertices their own label (hard or soft), status `given`;
//   - give status `unreached` and all-zero scores to vertices with no label in their component;
//   - return finite scores, or throw; never depend on the thread count;
//   - not let one component influence another.
// tests/algorithms/test_contract.cpp holds every registered learner to it.

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

struct Fit {
  Scores scores;
  std::vector<int> decision;        // class of each vertex, −1 where unreached or for regression
  std::vector<double> confidence;   // in [0, 1]; 1 given, 0 unreached
  Report report;
};

class TransductiveLearner {
 public:
  virtual ~TransductiveLearner() = default;

  // Throws ErrorCode::bad_data if `labeled` is empty or names a vertex the graph does not have, and
  // ErrorCode::usage if it holds real targets and the learner cannot do regression.
  virtual Fit fit(const Graph& graph, const LabeledSet& labeled, const RunContext& run) const = 0;
};

}  // namespace gssl
