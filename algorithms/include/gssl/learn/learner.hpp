#pragma once
// The contract of a transductive learner: a graph and some labels in, scores for every vertex out.
//
// `fit` is const and returns what it found, so a learner can be shared and "predict before fit"
// cannot be written. Every learner must
//   - give every labeled vertex status `given`. A learner with hard labels returns each of them
//   with
//     its own label and confidence 1; one with soft labels (harmonic:soft=c, local-global) returns
//     the scores it solved for, and decision and confidence follow from them: a decision that
//     differs from the given label is how a wrong label shows;
//   - give status `unreached` and all-zero scores to vertices with no label in their component;
//   - return finite scores, or throw; never depend on the thread count;
//   - give status `unfinished`, decision −1 and confidence 0 to vertices that it could not decide
//     before it was stopped; scores are what it had. A time limit or a cancelled run decides only
//     where report.score_error is known, at most 1 %, and less than the margin of the two best;
//     an iteration limit, where no such error is known, decides wherever two scores differ;
//   - give status `tied` to vertices where two classes have the largest score, to the last bit, if it
//     decides by its scores; who asks for an answer gets none there;
//   - not let one component influence another.
// tests/algorithms/test_contract.cpp holds every registered learner to it.

#include <string>
#include <string_view>
#include <vector>

#include "gssl/core/report.hpp"
#include "gssl/core/run_context.hpp"
#include "gssl/data/labels.hpp"
#include "gssl/data/points.hpp"
#include "gssl/graph/graph.hpp"

namespace gssl {

// Stage of the progress of a fit that solves many classes in blocks: told after each of them, as the
// share of the classes that are done; and while one is solved, with the residual behind a comma.
inline constexpr std::string_view classes_stage = "classes";

struct Fit {
  Scores scores;  // values may be empty after fit_without_scores()
  // Class of each vertex, −1 where unreached or unfinished, and for regression.
  std::vector<int> decision;
  // In [0, 1]; 1 for hard labels, 0 where unreached or unfinished; a regression has no rival class
  // and so 1 wherever it has a value.
  std::vector<double> confidence;
  Report report;
  std::vector<std::string> class_names;  // of the columns of scores; empty for a regression

  // Name of the class that vertex v was decided for, "?" where it has none.
  std::string label(VertexId v) const {
    const int k = decision[static_cast<std::size_t>(v)];
    return k < 0 ? "?" : class_names[static_cast<std::size_t>(k)];
  }
};

class TransductiveLearner {
 public:
  virtual ~TransductiveLearner() = default;

  // Throws ErrorCode::bad_data if `labeled` is empty or names a vertex the graph does not have, and
  // ErrorCode::usage if it holds real targets and the learner cannot do regression. A learner that
  // is stopped returns what it has, and report.outcome says so; it throws
  // ErrorCode::cancelled or ErrorCode::time_limit where no partial answer exists.
  virtual Fit fit(const Graph& graph, const LabeledSet& labeled,
                  const RunContext& run = {}) const = 0;

  // The same for a caller who needs no scores: status, decision, confidence and report are those of
  // fit(), to the byte. A learner that can decide while it looks at a few classes at a time leaves
  // scores.values empty, and its memory is O(n) for any number of classes instead of O(nK).
  // harmonic, poisson and auto do so for more than 40 classes (auto where all labels are in one
  // component); the others keep their scores.
  virtual Fit fit_without_scores(const Graph& graph, const LabeledSet& labeled,
                                 const RunContext& run = {}) const {
    return fit(graph, labeled, run);
  }
};

// A learner that works on points and builds no graph: vertex r is row r, and every row is reached.
// Otherwise as above.
class PointsLearner {
 public:
  virtual ~PointsLearner() = default;
  virtual Fit fit(const Points& points, const LabeledSet& labeled,
                  const RunContext& run = {}) const = 0;
};

}  // namespace gssl
