#pragma once
// A learner of vertices, trial by trial, as one that labels a graph: the given labels are its trials,
// in their order, and then it predicts the rest. Internal: not installed.

#include <string>
#include <vector>

#include "gssl/data/labels.hpp"
#include "gssl/learn/online.hpp"

namespace gssl::detail {

// Whether it predicts vertices, or cells of a matrix whose rows may be vertices.
bool labels_vertices(const OnlineLearner& learner);

struct OnlineAnswers {
  std::vector<int> decision;  // of each vertex asked; −1 where its component has no label
  // A margin and its negative for two classes, a value for each of more; a mark of 1 at the decision
  // where the learner tells no values, and zeros where there is none.
  Block scores;
};

// Of a matrix the rows are the vertices; two classes are one column, and more a column each, where a
// label is a trial in every column and the largest value decides. One class is everywhere. Throws
// ErrorCode::usage on real targets, and as the learner does.
OnlineAnswers answers_by_trials(const std::string& name, const OnlineLearner& learner,
                                const Graph& graph, const LabeledSet& given,
                                const std::vector<VertexId>& asked, const RunContext& run);

}  // namespace gssl::detail
